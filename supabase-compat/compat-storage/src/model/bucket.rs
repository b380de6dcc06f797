//! A bucket, as the database has it.

use chrono::{DateTime, Utc};
use serde::Deserialize;

/// A row of `storage.buckets`.
#[derive(Debug, Clone, Deserialize)]
pub struct Bucket {
    pub id: String,
    pub name: String,
    pub owner: Option<String>,
    pub public: bool,
    /// Bytes of its largest object.
    pub file_size_limit: Option<u64>,
    pub allowed_mime_types: Option<Vec<String>>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
}

/// What is known of a bucket that is to be made.
#[derive(Debug, Clone, Default)]
pub struct NewBucket {
    pub id: String,
    pub name: String,
    pub public: bool,
    pub limits: Limits,
}

/// What may go into a bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    pub file_size_limit: Option<u64>,
    pub allowed_mime_types: Option<Vec<String>>,
}

/// What changes of a bucket; whatever is none stays as it is.
#[derive(Debug, Clone, Default)]
pub struct BucketChange {
    pub public: Option<bool>,
    pub file_size_limit: Option<Option<u64>>,
    pub allowed_mime_types: Option<Option<Vec<String>>>,
}

/// Which buckets are listed, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BucketPage {
    pub limit: Option<u64>,
    pub offset: u64,
    /// A part of the name, in whatever case.
    pub search: Option<String>,
    pub order: BucketOrder,
    pub falling: bool,
}

/// What buckets are ordered by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BucketOrder {
    #[default]
    Id,
    Name,
    CreatedAt,
    UpdatedAt,
}
