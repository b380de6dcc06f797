//! `storage.objects`.

use compat_pg::{Acting, PgError};
use serde::Deserialize;

use super::{array, perform, row_of, rows_of};
use crate::model::ObjectRow;

/// What a row says when it is written.
#[derive(Debug, Clone, Copy)]
pub struct ObjectWrite<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    /// The subject, where it is a UUID.
    pub owner: Option<&'a str>,
    pub owner_id: Option<&'a str>,
    pub version: &'a str,
    /// JSON.
    pub metadata: &'a str,
    /// JSON.
    pub user_metadata: Option<&'a str>,
}

impl<'a> ObjectWrite<'a> {
    fn params(&self) -> [Option<&'a str>; 7] {
        [
            Some(self.bucket),
            Some(self.key),
            self.owner,
            self.owner_id,
            Some(self.version),
            Some(self.metadata),
            self.user_metadata,
        ]
    }
}

/// An object with what its bucket says of it.
#[derive(Debug, Deserialize)]
pub struct ObjectWithBucket {
    pub public: bool,
    pub object: Option<ObjectRow>,
}

/// The object, where it is to be seen.
pub async fn find(
    work: &mut Acting<'_>,
    bucket: &str,
    key: &str,
) -> Result<Option<ObjectRow>, PgError> {
    row_of(
        work,
        "select row_to_json(o)::text from storage.objects o where bucket_id = $1 and name = $2",
        &[Some(bucket), Some(key)],
    )
    .await
}

/// The same, and nobody else changes it meanwhile.
pub async fn find_to_change(
    work: &mut Acting<'_>,
    bucket: &str,
    key: &str,
) -> Result<Option<ObjectRow>, PgError> {
    row_of(
        work,
        "select row_to_json(o)::text
        from storage.objects o
        where bucket_id = $1 and name = $2
        for update",
        &[Some(bucket), Some(key)],
    )
    .await
}

/// The object and whether its bucket is public; nothing without the bucket.
pub async fn find_in_bucket(
    work: &mut Acting<'_>,
    bucket: &str,
    key: &str,
) -> Result<Option<ObjectWithBucket>, PgError> {
    row_of(
        work,
        "select json_build_object(
            'public', coalesce(b.public, false),
            'object', (
                select row_to_json(o)
                from storage.objects o
                where o.bucket_id = b.id and o.name = $2
            )
        )::text
        from storage.buckets b
        where b.id = $1",
        &[Some(bucket), Some(key)],
    )
    .await
}

/// Which of these are to be seen, by name.
pub async fn find_names(
    work: &mut Acting<'_>,
    bucket: &str,
    keys: &[String],
) -> Result<Vec<String>, PgError> {
    let keys = array(keys.iter().map(String::as_str));
    rows_of(
        work,
        "select to_json(name)::text
        from storage.objects
        where bucket_id = $1 and name = any ($2::text[])",
        &[Some(bucket), Some(&keys)],
    )
    .await
}

/// Waits until nobody else writes this key. Taken before any row.
pub async fn lock(work: &mut Acting<'_>, bucket: &str, key: &str) -> Result<(), PgError> {
    perform(
        work,
        "select pg_advisory_xact_lock(hashtextextended($1::text || '/' || $2::text, 0))",
        &[Some(bucket), Some(key)],
    )
    .await
}

/// Writes a row that is new.
pub async fn insert(work: &mut Acting<'_>, written: &ObjectWrite<'_>) -> Result<(), PgError> {
    perform(
        work,
        "insert into storage.objects
            (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
        values ($1, $2, $3::uuid, $4, $5, $6::jsonb, $7::jsonb)",
        &written.params(),
    )
    .await
}

/// Writes a row, over the one that is there.
pub async fn upsert(
    work: &mut Acting<'_>,
    written: &ObjectWrite<'_>,
) -> Result<ObjectRow, PgError> {
    let row = row_of(
        work,
        "insert into storage.objects as o
            (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
        values ($1, $2, $3::uuid, $4, $5, $6::jsonb, $7::jsonb)
        on conflict (bucket_id, name) do update
        set owner = excluded.owner,
            owner_id = excluded.owner_id,
            version = excluded.version,
            metadata = excluded.metadata,
            user_metadata = excluded.user_metadata
        returning row_to_json(o)::text",
        &written.params(),
    )
    .await?;
    row.ok_or_else(|| PgError::Protocol("written row not returned".into()))
}

/// Where a row goes.
#[derive(Debug, Clone, Copy)]
pub struct ObjectDestination<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub version: &'a str,
}

/// Gives a row another name; whether there was one to be changed.
pub async fn rename(
    work: &mut Acting<'_>,
    bucket: &str,
    key: &str,
    to: &ObjectDestination<'_>,
) -> Result<Option<ObjectRow>, PgError> {
    row_of(
        work,
        "update storage.objects o
        set bucket_id = $3,
            name = $4,
            version = $5
        where bucket_id = $1 and name = $2
        returning row_to_json(o)::text",
        &[Some(bucket), Some(key), Some(to.bucket), Some(to.key), Some(to.version)],
    )
    .await
}

/// Removes those of these that may be removed, and gives them.
pub async fn delete(
    work: &mut Acting<'_>,
    bucket: &str,
    keys: &[String],
) -> Result<Vec<ObjectRow>, PgError> {
    let keys = array(keys.iter().map(String::as_str));
    rows_of(
        work,
        "delete from storage.objects o
        where bucket_id = $1 and name = any ($2::text[])
        returning row_to_json(o)::text",
        &[Some(bucket), Some(&keys)],
    )
    .await
}

/// So many names of a bucket behind this one, of objects as old as this moment or older, where they
/// are to be seen.
pub async fn names_behind(
    work: &mut Acting<'_>,
    (bucket, after): (&str, &str),
    most: u32,
    until: &str,
) -> Result<Vec<String>, PgError> {
    let most = most.to_string();
    rows_of(
        work,
        "select to_json(name)::text
        from storage.objects
        where bucket_id = $1 and name > $2 and created_at <= $4::timestamptz
        order by name
        limit $3::bigint",
        &[Some(bucket), Some(after), Some(&most), Some(until)],
    )
    .await
}
