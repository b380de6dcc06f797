//! Objects as the database stores them.

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
    /// The key within the bucket.
    pub name: String,
    pub owner: Option<Uuid>,
    pub owner_id: Option<String>,
    /// The version of the current content; none if a client's own SQL wrote the row.
    pub version: Option<String>,
    pub created_at: Option<DateTime<Utc>>,
    pub updated_at: Option<DateTime<Utc>>,
    pub last_accessed_at: Option<DateTime<Utc>>,
    pub metadata: Option<Value>,
    pub user_metadata: Option<Value>,
    /// The result of [`Self::known`], parsed once.
    #[serde(skip)]
    known: OnceLock<Metadata>,
}

/// The metadata of an object's content, under the original's names. A row that a client's own SQL
/// wrote may lack any field.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// The entity tag with its quotes.
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
    /// The `X-Robots-Tag` header of responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_robots_tag: Option<String>,
}

impl ObjectRow {
    /// The location of the content in the store.
    pub fn place(&self) -> Option<ObjectLocation> {
        let version = self.version.as_deref()?.parse().ok()?;
        Some(ObjectLocation { bucket: self.bucket_id.clone(), key: self.name.clone(), version })
    }

    /// The metadata of the content; empty if the column holds something else.
    pub fn known(&self) -> &Metadata {
        self.known.get_or_init(|| {
            let known = self.metadata.as_ref().map(Metadata::deserialize);
            known.and_then(Result::ok).unwrap_or_default()
        })
    }
}

impl Metadata {
    /// The metadata of content that was just stored.
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
