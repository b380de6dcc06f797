//! `storage.tus_uploads` and the parts received.
//!
//! A writer holds a lease, so that there is one writer at a time across all processes. What a writer
//! changes before the object exists names the lease's holder, so that a writer that lost the lease
//! changes nothing. Leases use the database's clock, which all processes share.

use chrono::{DateTime, Utc};
use compat_pg::{Acting, PgError};
use serde::Deserialize;
use uuid::Uuid;

use super::{perform, row_of, rows_of};
use crate::bytes::{Part, StoredContent};

/// A resumable upload.
#[derive(Debug, Clone, Deserialize)]
pub struct Upload {
    pub version: Uuid,
    pub bucket_id: String,
    pub key: String,
    pub length: Option<u64>,
    /// The number of bytes received.
    pub received: u64,
    pub upsert: bool,
    pub owner_id: Option<String>,
    pub metadata: String,
    pub is_done: bool,
    pub expires_at: DateTime<Utc>,
}

/// Inserts an upload.
pub async fn insert(work: &mut Acting<'_>, upload: &Upload) -> Result<(), PgError> {
    let version = upload.version.to_string();
    let length = upload.length.map(|length| length.to_string());
    let (upsert, expires_at) = (upload.upsert.to_string(), upload.expires_at.to_rfc3339());
    perform(
        work,
        "insert into storage.tus_uploads
            (version, bucket_id, key, length, upsert, owner_id, metadata, expires_at)
        values ($1::uuid, $2, $3, $4::bigint, $5::boolean, $6, $7, $8::timestamptz)",
        &[
            Some(&version),
            Some(&upload.bucket_id),
            Some(&upload.key),
            length.as_deref(),
            Some(&upsert),
            upload.owner_id.as_deref(),
            Some(&upload.metadata),
            Some(&expires_at),
        ],
    )
    .await
}

/// The upload with this version.
pub async fn find(work: &mut Acting<'_>, version: Uuid) -> Result<Option<Upload>, PgError> {
    row_of(
        work,
        "select row_to_json(u)::text from storage.tus_uploads u where version = $1::uuid",
        &[Some(&version.to_string())],
    )
    .await
}

/// Takes or renews the lease for `writer`; none if another writer holds it.
pub async fn take(
    work: &mut Acting<'_>,
    version: Uuid,
    writer: Uuid,
    seconds: u32,
) -> Result<Option<Upload>, PgError> {
    row_of(
        work,
        "update storage.tus_uploads u
        set writer = $2::uuid,
            writer_until = clock_timestamp() + make_interval(secs => $3::integer)
        where version = $1::uuid
            and (writer is null or writer = $2::uuid or writer_until < clock_timestamp())
        returning row_to_json(u)::text",
        &[Some(&version.to_string()), Some(&writer.to_string()), Some(&seconds.to_string())],
    )
    .await
}

/// Releases the lease.
pub async fn release(work: &mut Acting<'_>, version: Uuid, writer: Uuid) -> Result<(), PgError> {
    perform(
        work,
        "update storage.tus_uploads
        set writer = null, writer_until = null
        where version = $1::uuid and writer = $2::uuid",
        &[Some(&version.to_string()), Some(&writer.to_string())],
    )
    .await
}

/// Sets the deferred length of an upload, once; false if another writer holds the lease by now.
pub async fn set_length(
    work: &mut Acting<'_>,
    version: Uuid,
    writer: Uuid,
    length: u64,
) -> Result<bool, PgError> {
    let set: Option<u64> = row_of(
        work,
        "update storage.tus_uploads
        set length = $3::bigint
        where version = $1::uuid and writer = $2::uuid and length is null
        returning to_json(length)::text",
        &[Some(&version.to_string()), Some(&writer.to_string()), Some(&length.to_string())],
    )
    .await?;
    Ok(set.is_some())
}

/// The number of the next part.
pub async fn next_number(work: &mut Acting<'_>, version: Uuid) -> Result<u32, PgError> {
    let number: Option<u32> = row_of(
        work,
        "select to_json(coalesce(max(number), 0) + 1)::text
        from storage.tus_parts
        where version = $1::uuid",
        &[Some(&version.to_string())],
    )
    .await?;
    Ok(number.unwrap_or(1))
}

/// Records a stored part; false if another writer holds the lease by now.
pub async fn add_part(
    work: &mut Acting<'_>,
    version: Uuid,
    writer: Uuid,
    part: &Part,
) -> Result<bool, PgError> {
    let (number, size) = (part.number.to_string(), part.stored.size.to_string());
    // `counted` is empty for a writer that lost the lease, and then no part is written either.
    let added: Option<u32> = row_of(
        work,
        "with counted as (
            update storage.tus_uploads
            set received = received + $4::bigint
            where version = $1::uuid and writer = $2::uuid
            returning version
        )
        insert into storage.tus_parts (version, number, size, etag)
        select version, $3::integer, $4::bigint, $5
        from counted
        returning to_json(number)::text",
        &[
            Some(&version.to_string()),
            Some(&writer.to_string()),
            Some(&number),
            Some(&size),
            Some(&part.stored.etag),
        ],
    )
    .await?;
    Ok(added.is_some())
}

/// The parts in their order.
pub async fn parts(work: &mut Acting<'_>, version: Uuid) -> Result<Vec<Part>, PgError> {
    #[derive(Deserialize)]
    struct Row {
        number: u32,
        size: u64,
        etag: String,
    }
    let rows: Vec<Row> = rows_of(
        work,
        "select row_to_json(p)::text
        from storage.tus_parts p
        where version = $1::uuid
        order by number",
        &[Some(&version.to_string())],
    )
    .await?;
    let part = |row: Row| Part {
        number: row.number,
        stored: StoredContent { size: row.size, etag: row.etag },
    };
    Ok(rows.into_iter().map(part).collect())
}

/// Marks an upload as done and deletes the rows of its parts. It names no lease: the object exists
/// by now, whoever assembled it, and no request can add to a complete upload.
pub async fn finish(work: &mut Acting<'_>, version: Uuid) -> Result<(), PgError> {
    perform(
        work,
        "with gone as (delete from storage.tus_parts where version = $1::uuid)
        update storage.tus_uploads
        set is_done = true, writer = null, writer_until = null
        where version = $1::uuid",
        &[Some(&version.to_string())],
    )
    .await
}

/// Deletes an upload for the writer that terminates it; false if another writer holds the lease by
/// now.
pub async fn delete_held(
    work: &mut Acting<'_>,
    version: Uuid,
    writer: Uuid,
) -> Result<bool, PgError> {
    let deleted: Option<Uuid> = row_of(
        work,
        "delete from storage.tus_uploads
        where version = $1::uuid and writer = $2::uuid
        returning to_json(version)::text",
        &[Some(&version.to_string()), Some(&writer.to_string())],
    )
    .await?;
    Ok(deleted.is_some())
}

/// Deletes an expired upload.
pub async fn delete(work: &mut Acting<'_>, version: Uuid) -> Result<(), PgError> {
    perform(
        work,
        "delete from storage.tus_uploads where version = $1::uuid",
        &[Some(&version.to_string())],
    )
    .await
}

/// Up to `most` expired uploads that no writer holds.
pub async fn expired(
    work: &mut Acting<'_>,
    now: DateTime<Utc>,
    most: u32,
) -> Result<Vec<Uuid>, PgError> {
    rows_of(
        work,
        "select to_json(version)::text
        from storage.tus_uploads
        where expires_at < $1::timestamptz
            and (writer is null or writer_until < clock_timestamp())
        order by expires_at
        limit $2::bigint",
        &[Some(&now.to_rfc3339()), Some(&most.to_string())],
    )
    .await
}
