//! `storage.s3_multipart_uploads` and their parts, written under the service role; row security on
//! objects decides who may upload.

use chrono::{DateTime, Utc};
use compat_pg::{Acting, PgError};
use serde::Deserialize;
use serde_json::Value;

use super::{perform, row_of, rows_of};

/// A multipart upload.
#[derive(Debug, Clone, Deserialize)]
pub struct Upload {
    pub id: String,
    pub bucket_id: String,
    pub key: String,
    /// The version the object will have.
    pub version: String,
    pub owner_id: Option<String>,
    pub user_metadata: Option<Value>,
    /// `mimetype` and `cacheControl` of the object.
    pub metadata: Option<Value>,
}

/// A stored part.
#[derive(Debug, Clone, Deserialize)]
pub struct Part {
    pub part_number: u32,
    pub size: u64,
    /// The entity tag with its quotes.
    pub etag: String,
    pub created_at: DateTime<Utc>,
}

/// Inserts an upload.
pub async fn insert(work: &mut Acting<'_>, upload: &Upload) -> Result<(), PgError> {
    let (user, own) = (text_of(&upload.user_metadata), text_of(&upload.metadata));
    perform(
        work,
        "insert into storage.s3_multipart_uploads
            (id, upload_signature, bucket_id, key, version, owner_id, user_metadata, metadata)
        values ($1, '', $2, $3, $4, $5, $6::jsonb, $7::jsonb)",
        &[
            Some(&upload.id),
            Some(&upload.bucket_id),
            Some(&upload.key),
            Some(&upload.version),
            upload.owner_id.as_deref(),
            user.as_deref(),
            own.as_deref(),
        ],
    )
    .await
}

/// The upload with this id.
pub async fn find(work: &mut Acting<'_>, id: &str) -> Result<Option<Upload>, PgError> {
    row_of(
        work,
        "select row_to_json(u)::text from storage.s3_multipart_uploads u where id = $1",
        &[Some(id)],
    )
    .await
}

/// All uploads to a bucket.
pub async fn of_bucket(work: &mut Acting<'_>, bucket: &str) -> Result<Vec<Upload>, PgError> {
    rows_of(
        work,
        "select row_to_json(u)::text from storage.s3_multipart_uploads u where bucket_id = $1",
        &[Some(bucket)],
    )
    .await
}

/// The total size in bytes of all parts except the one with this number.
pub async fn size_of_others(work: &mut Acting<'_>, id: &str, number: u32) -> Result<u64, PgError> {
    let size: Option<u64> = row_of(
        work,
        "select to_json(coalesce(sum(size), 0))::text
        from storage.s3_multipart_uploads_parts
        where upload_id = $1 and part_number <> $2::integer",
        &[Some(id), Some(&number.to_string())],
    )
    .await?;
    Ok(size.unwrap_or_default())
}

/// Records a part; replaces an earlier part with the same number. False if the upload is over.
pub async fn put_part(
    work: &mut Acting<'_>,
    upload: &Upload,
    part: (u32, u64, &str),
) -> Result<bool, PgError> {
    let (number, size, etag) = (part.0.to_string(), part.1.to_string(), part.2);
    // Under the lock the sum below counts every part, and the upload cannot end in between.
    let locked: Option<String> = row_of(
        work,
        "select to_json(id)::text from storage.s3_multipart_uploads where id = $1 for update",
        &[Some(&upload.id)],
    )
    .await?;
    if locked.is_none() {
        return Ok(false);
    }
    perform(
        work,
        "delete from storage.s3_multipart_uploads_parts
        where upload_id = $1 and part_number = $2::integer",
        &[Some(&upload.id), Some(&number)],
    )
    .await?;
    perform(
        work,
        "insert into storage.s3_multipart_uploads_parts
            (upload_id, size, part_number, bucket_id, key, etag, owner_id, version)
        values ($1, $2::bigint, $3::integer, $4, $5, $6, $7, $8)",
        &[
            Some(&upload.id),
            Some(&size),
            Some(&number),
            Some(&upload.bucket_id),
            Some(&upload.key),
            Some(etag),
            upload.owner_id.as_deref(),
            Some(&upload.version),
        ],
    )
    .await?;
    perform(
        work,
        "update storage.s3_multipart_uploads
        set in_progress_size = (
            select coalesce(sum(size), 0)
            from storage.s3_multipart_uploads_parts
            where upload_id = $1
        )
        where id = $1",
        &[Some(&upload.id)],
    )
    .await?;
    Ok(true)
}

/// The parts after a number, in their order.
pub async fn parts(
    work: &mut Acting<'_>,
    id: &str,
    after: u32,
    most: u32,
) -> Result<Vec<Part>, PgError> {
    rows_of(
        work,
        "select row_to_json(p)::text
        from storage.s3_multipart_uploads_parts p
        where upload_id = $1 and part_number > $2::integer
        order by part_number
        limit $3::bigint",
        &[Some(id), Some(&after.to_string()), Some(&most.to_string())],
    )
    .await
}

/// Deletes an upload; false if there was none.
pub async fn delete(work: &mut Acting<'_>, id: &str) -> Result<bool, PgError> {
    let deleted: Option<String> = row_of(
        work,
        "delete from storage.s3_multipart_uploads where id = $1 returning to_json(id)::text",
        &[Some(id)],
    )
    .await?;
    Ok(deleted.is_some())
}

/// An upload in a page, or the common prefix of several uploads up to the delimiter.
#[derive(Debug, Clone, Deserialize)]
pub struct ListedUpload {
    pub key: String,
    /// None for a common prefix.
    pub id: Option<String>,
    pub created_at: Option<DateTime<Utc>>,
}

/// The selection of a page of uploads.
#[derive(Debug, Clone, Default)]
pub struct Page<'a> {
    pub prefix: &'a str,
    pub delimiter: &'a str,
    pub after_key: &'a str,
    pub after_id: &'a str,
    pub most: u32,
}

/// The uploads that the role can see, by key.
pub async fn list(
    work: &mut Acting<'_>,
    bucket: &str,
    page: &Page<'_>,
) -> Result<Vec<ListedUpload>, PgError> {
    rows_of(
        work,
        "select row_to_json(l)::text
        from storage.list_multipart_uploads_with_delimiter(
            $1, $2, $3, $4::integer, $5, $6
        ) l",
        &[
            Some(bucket),
            Some(page.prefix),
            Some(page.delimiter),
            Some(&page.most.to_string()),
            Some(page.after_key),
            Some(page.after_id),
        ],
    )
    .await
}

fn text_of(value: &Option<Value>) -> Option<String> {
    value.as_ref().map(Value::to_string)
}
