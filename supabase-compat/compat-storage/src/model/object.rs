//! An object, as the database has it.

use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::bytes::{ObjectLocation, StoredContent};

/// A row of `storage.objects`.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct ObjectRow {
    pub id: Uuid,
    pub bucket_id: String,
    /// Its key within the bucket.
    pub name: String,
    pub owner: Option<Uuid>,
    pub owner_id: Option<String>,
    /// Which of its bytes count; none where somebody else wrote the row.
    pub version: Option<String>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    pub last_accessed_at: Option<DateTime<Utc>>,
    pub metadata: Option<Value>,
    pub user_metadata: Option<Value>,
    /// [`Self::known`], once it was asked for.
    #[serde(skip)]
    known: OnceLock<Metadata>,
}

/// What is known of an object's bytes, under the original's names. A row somebody else wrote may
/// lack any of it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// With its quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mimetype: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status_code: Option<u16>,
    /// `X-Robots-Tag` of its answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_robots_tag: Option<String>,
}

impl ObjectRow {
    /// Where its bytes lie.
    pub fn place(&self) -> Option<ObjectLocation> {
        let version = self.version.as_deref()?.parse().ok()?;
        Some(ObjectLocation { bucket: self.bucket_id.clone(), key: self.name.clone(), version })
    }

    /// What is known of its bytes; nothing, where somebody else wrote something else.
    pub fn known(&self) -> &Metadata {
        self.known.get_or_init(|| {
            let known = self.metadata.as_ref().map(Metadata::deserialize);
            known.and_then(Result::ok).unwrap_or_default()
        })
    }
}

impl Metadata {
    /// Of bytes that were just stored.
    pub fn of(
        stored: &StoredContent,
        content_type: &str,
        cache_control: &str,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            e_tag: Some(stored.etag.clone()),
            size: Some(stored.size),
            mimetype: Some(content_type.to_owned()),
            cache_control: Some(cache_control.to_owned()),
            last_modified: Some(now),
            content_length: Some(stored.size),
            http_status_code: Some(200),
            ..Self::default()
        }
    }
}
