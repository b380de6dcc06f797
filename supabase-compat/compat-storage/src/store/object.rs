//! `storage.objects`.

use compat_pg::{Acting, PgError};
use serde::Deserialize;

use super::{array, perform, row_of, rows_of};
use crate::model::ObjectRow;

/// The values of a row to be written.
#[derive(Debug, Clone, Copy)]
pub struct ObjectWrite<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    /// The subject, if it is a UUID.
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

/// An object, and whether its bucket is public.
#[derive(Debug, Deserialize)]
pub struct ObjectWithBucket {
    pub public: bool,
    pub object: Option<ObjectRow>,
}

/// The object, if the role can see it.
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

/// Like [`find`], and locks the row until the transaction ends.
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

/// The object and whether its bucket is public; none if the bucket does not exist.
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

/// The names among `keys` that the role can see.
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

/// Takes the advisory lock on a key. It must be taken before any row lock.
pub async fn lock(work: &mut Acting<'_>, bucket: &str, key: &str) -> Result<(), PgError> {
    perform(
        work,
        "select pg_advisory_xact_lock(hashtextextended($1::text || '/' || $2::text, 0))",
        &[Some(bucket), Some(key)],
    )
    .await
}

/// Inserts a row.
pub async fn insert(work: &mut Acting<'_>, object_write: &ObjectWrite<'_>) -> Result<(), PgError> {
    perform(
        work,
        "insert into storage.objects
            (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
        values ($1, $2, $3::uuid, $4, $5, $6::jsonb, $7::jsonb)",
        &object_write.params(),
    )
    .await
}

/// Inserts a row or replaces the existing one.
pub async fn upsert(
    work: &mut Acting<'_>,
    object_write: &ObjectWrite<'_>,
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
        &object_write.params(),
    )
    .await?;
    row.ok_or_else(|| PgError::Protocol("written row not returned".into()))
}

/// The new location of a row.
#[derive(Debug, Clone, Copy)]
pub struct ObjectDestination<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub version: &'a str,
}

/// Renames a row; none if there was no row to change.
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

/// Deletes the rows that the role may delete; returns them.
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

/// Up to `most` names after `after`, of objects created at `until` or before, which the role can
/// see.
pub async fn names_after(
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
