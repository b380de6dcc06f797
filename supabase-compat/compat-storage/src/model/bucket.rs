//! Buckets as the database stores them, and changes to them.

use chrono::{DateTime, Utc};
use serde::Deserialize;

/// A row of `storage.buckets`.
#[derive(Debug, Clone, Deserialize)]
pub struct Bucket {
    pub id: String,
    pub name: String,
    pub owner: Option<String>,
    pub public: bool,
    /// The maximum size of an object, in bytes.
    pub file_size_limit: Option<u64>,
    pub allowed_mime_types: Option<Vec<String>>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
}

/// A bucket that is to be created.
#[derive(Debug, Clone, Default)]
pub struct NewBucket {
    pub id: String,
    pub name: String,
    pub public: bool,
    pub limits: Limits,
}

/// The restrictions on the objects of a bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    pub file_size_limit: Option<u64>,
    pub allowed_mime_types: Option<Vec<String>>,
}

/// A change to a bucket; fields that are none stay as they are.
#[derive(Debug, Clone, Default)]
pub struct BucketChange {
    pub public: Option<bool>,
    pub file_size_limit: Option<Option<u64>>,
    pub allowed_mime_types: Option<Option<Vec<String>>>,
}

/// The selection and order of a page of buckets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BucketPage {
    pub limit: Option<u64>,
    pub offset: u64,
    /// A part of the name, case-insensitive.
    pub search: Option<String>,
    pub order: BucketOrder,
    pub falling: bool,
}

/// The sort column of buckets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BucketOrder {
    #[default]
    Id,
    Name,
    CreatedAt,
    UpdatedAt,
}
