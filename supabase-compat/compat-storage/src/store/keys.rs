//! Keys of `storage.objects` in their order.

use chrono::{DateTime, Utc};
use compat_pg::{Acting, PgError};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::rows_of;
use crate::model::object::Metadata;

/// An object, or the common prefix of several objects up to the delimiter.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// The whole key; a common prefix ends with the delimiter.
    pub name: String,
    /// None for a common prefix.
    pub id: Option<Uuid>,
    pub updated_at: Option<DateTime<Utc>>,
    metadata: Option<Value>,
}

impl Entry {
    /// The metadata of the content; empty if the column holds something else.
    pub fn known(&self) -> Metadata {
        let known = self.metadata.clone();
        known.and_then(|known| serde_json::from_value(known).ok()).unwrap_or_default()
    }
}

/// The selection of a page of keys.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    pub prefix: &'a str,
    pub delimiter: &'a str,
    /// The last name of the previous page.
    pub after: &'a str,
    pub most: u32,
}

/// A page of keys without a delimiter.
pub async fn flat(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &Page<'_>,
) -> Result<Vec<Entry>, PgError> {
    rows_of(
        work,
        "select row_to_json(k)::text
        from (
            select name, id, updated_at, metadata
            from storage.objects
            where bucket_id = $1 and name >= $2 and name < storage.behind($2) and name > $3
            order by name
            limit $4::bigint
        ) k",
        &[Some(bucket), Some(page.prefix), Some(page.after), Some(&page.most.to_string())],
    )
    .await
}

/// A page of keys with a delimiter; keys with the same prefix up to it are folded into one entry.
pub async fn folded(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &Page<'_>,
) -> Result<Vec<Entry>, PgError> {
    rows_of(
        work,
        "select json_build_object(
            'name', case when l.id is null then l.name || $3::text else l.name end,
            'id', l.id,
            'updated_at', l.updated_at,
            'metadata', l.metadata
        )::text
        from storage.list_objects_with_delimiter($1, $2, $3, $4::integer, $5) l",
        &[
            Some(bucket),
            Some(page.prefix),
            Some(page.delimiter),
            Some(&page.most.to_string()),
            Some(page.after),
        ],
    )
    .await
}
