//! Multipart uploads of the S3 protocol.
//!
//! Each request checks again whether the caller may put the object. Parts are stored under the
//! version that the object will have; the last request creates the object, as any other put does,
//! and may be repeated.

use std::ops::Range;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::bytes::{ByteStream, ObjectLocation, Part, StoredContent};
use crate::error::StorageError;
use crate::error::s3::S3Refusal;
use crate::flow::put::{AdmittedPut, PutRequest, may_put, settle};
use crate::model::{ObjectRow, RequestContext};
use crate::s3::document;
use crate::state::State;
use crate::store;
use crate::store::multipart::{self as rows, Upload};
pub use crate::store::multipart::{ListedUpload, Page};

/// The maximum number of parts of an upload.
const MOST_PARTS: u32 = 10_000;

/// The upload that a request names, and its object.
#[derive(Debug, Clone, Copy)]
pub struct UploadTarget<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub id: &'a str,
}

/// Begins an upload; returns its id.
///
/// # Errors
/// The reasons why the object may not be put.
pub async fn begin(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
) -> Result<String, StorageError> {
    let AdmittedPut { put, .. } = may_put(state, context, put).await?;
    let upload = Upload {
        id: state.uuid().simple().to_string(),
        version: state.uuid().to_string(),
        metadata: Some(json!({
            "mimetype": put.content_type,
            "cacheControl": put.cache_control,
        })),
        bucket_id: put.bucket,
        key: put.key,
        owner_id: put.owner,
        user_metadata: put.user_metadata,
    };
    let db = state.service_db(context);
    let mut work = db.begin();
    rows::insert(&mut work, &upload).await?;
    work.commit().await?;
    Ok(upload.id)
}

/// Writes a part; replaces an earlier part with the same number.
///
/// # Errors
/// [`S3Refusal::NoSuchUpload`], [`StorageError::TooLarge`] if the parts exceed the object's limit.
pub async fn write_part(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
    number: u32,
    length: Option<u64>,
    content: ByteStream,
) -> Result<StoredContent, StorageError> {
    let (upload, admitted) = open(state, context, named).await?;
    let db = state.service_db(context);
    let mut work = db.begin();
    let other_bytes = rows::size_of_others(&mut work, &upload.id, number).await?;
    work.commit().await?;
    let room = admitted.limit.saturating_sub(other_bytes);
    if length.is_some_and(|length| length > room) {
        return Err(StorageError::TooLarge);
    }
    let place = place_of(&upload)?;
    let stored = state.bytes.write_part(&place, number, content, room).await?;
    let mut work = db.begin();
    let is_recorded =
        rows::put_part(&mut work, &upload, (number, stored.size, &stored.etag)).await?;
    work.commit().await?;
    if is_recorded { Ok(stored) } else { Err(S3Refusal::NoSuchUpload.into()) }
}

/// Writes a part from a range of another object, or from the whole object.
///
/// # Errors
/// Those of [`write_part`], and [`StorageError::NoContent`].
pub async fn copy_part(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
    number: u32,
    (source, piece): (&ObjectRow, Range<u64>),
) -> Result<StoredContent, StorageError> {
    let place = source.place().ok_or(StorageError::NoContent)?;
    let length = piece.end - piece.start;
    // An empty object is read whole because an empty range is invalid.
    let piece = Some(piece).filter(|_| length > 0);
    let reading = state.bytes.read(&place, piece).await?;
    write_part(state, context, named, number, Some(length), reading.content).await
}

/// Creates the object from these parts.
///
/// # Errors
/// [`S3Refusal::NoSuchUpload`], [`S3Refusal::InvalidPart`], [`StorageError::TooLarge`], and those
/// of a put.
pub async fn complete(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
    listed_parts: &[document::Part],
    upsert: bool,
) -> Result<ObjectRow, StorageError> {
    let (upload, mut admitted) = open(state, context, named).await?;
    admitted.put.upsert = upsert;
    // An earlier request may have written the row although its response did not reach the client.
    let row = match settled(state, context, &upload).await? {
        Some(row) => row,
        None => {
            let parts = chosen(state, context, &upload, listed_parts).await?;
            let size = parts.iter().map(|part| part.stored.size).sum::<u64>();
            if size > admitted.limit {
                return Err(StorageError::TooLarge);
            }
            let place = place_of(&upload)?;
            let stored = state.bytes.finish_parts(&place, &parts).await?;
            settle(state, context, &admitted, place.version, &stored).await?
        }
    };
    clear(state, context, &upload).await?;
    Ok(row)
}

/// Aborts an upload.
///
/// # Errors
/// [`S3Refusal::NoSuchUpload`], and the reasons why the object may not be put.
pub async fn abort(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
) -> Result<(), StorageError> {
    let (upload, _) = open(state, context, named).await?;
    clear(state, context, &upload).await
}

/// Aborts all uploads to a bucket.
pub async fn abandon(
    state: &State,
    context: &RequestContext,
    bucket: &str,
) -> Result<(), StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let uploads = rows::of_bucket(&mut work, bucket).await?;
    work.commit().await?;
    for upload in &uploads {
        clear(state, context, upload).await?;
    }
    Ok(())
}

/// The parts after a number, at most one more than `most`.
///
/// # Errors
/// [`S3Refusal::NoSuchUpload`], and the reasons why the object may not be put.
pub async fn parts(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
    after: u32,
    most: u32,
) -> Result<Vec<rows::Part>, StorageError> {
    let (upload, _) = open(state, context, named).await?;
    let db = state.service_db(context);
    let mut work = db.begin();
    let parts = rows::parts(&mut work, &upload.id, after, most + 1).await?;
    work.commit().await?;
    Ok(parts)
}

/// The active uploads that the caller can see.
///
/// # Errors
/// [`StorageError::NoSuchBucket`].
pub async fn list(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    page: &Page<'_>,
) -> Result<Vec<ListedUpload>, StorageError> {
    super::bucket::must_exist(state, context, bucket).await?;
    let db = state.db(context);
    let mut work = db.begin();
    let listed = rows::list(&mut work, bucket, page).await?;
    work.commit().await?;
    Ok(listed)
}

/// Loads an upload and checks that the caller may put its object.
async fn open(
    state: &State,
    context: &RequestContext,
    named: UploadTarget<'_>,
) -> Result<(Upload, AdmittedPut), StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let upload = rows::find(&mut work, named.id).await?;
    work.commit().await?;
    let is_named = |upload: &Upload| upload.bucket_id == named.bucket && upload.key == named.key;
    let upload = upload.filter(is_named).ok_or(S3Refusal::NoSuchUpload)?;
    let admitted = may_put(state, context, put_of(&upload)).await?;
    Ok((upload, admitted))
}

fn put_of(upload: &Upload) -> PutRequest {
    let known = |name: &str| {
        let known = upload.metadata.as_ref().and_then(|known| known.get(name));
        known.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    PutRequest {
        bucket: upload.bucket_id.clone(),
        key: upload.key.clone(),
        upsert: true,
        content_type: known("mimetype"),
        cache_control: known("cacheControl"),
        user_metadata: upload.user_metadata.clone(),
        owner: upload.owner_id.clone(),
        ..PutRequest::default()
    }
}

fn place_of(upload: &Upload) -> Result<ObjectLocation, StorageError> {
    let version: Uuid = upload.version.parse().map_err(StorageError::internal)?;
    Ok(ObjectLocation { bucket: upload.bucket_id.clone(), key: upload.key.clone(), version })
}

/// The object, if its row already names this upload's version: an earlier request wrote the row but
/// could not respond.
async fn settled(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<Option<ObjectRow>, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let row = store::object::find(&mut work, &upload.bucket_id, &upload.key).await?;
    work.commit().await?;
    Ok(row.filter(|row| row.version.as_deref() == Some(&upload.version)))
}

/// The stored parts that the client named.
async fn chosen(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
    listed_parts: &[document::Part],
) -> Result<Vec<Part>, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let stored_parts = rows::parts(&mut work, &upload.id, 0, MOST_PARTS).await?;
    work.commit().await?;
    let part = |listed_parts: &document::Part| {
        let stored_part =
            stored_parts.binary_search_by_key(&listed_parts.number, |part| part.part_number);
        let part = stored_part.ok().and_then(|at| stored_parts.get(at));
        let part = part.filter(|part| part.etag.trim_matches('"') == listed_parts.etag);
        let part = part.ok_or(S3Refusal::InvalidPart)?;
        let stored = StoredContent { size: part.size, etag: part.etag.clone() };
        Ok(Part { number: part.part_number, stored })
    };
    listed_parts.iter().map(part).collect()
}

/// Deletes the row first: the sweep finds parts that remain.
async fn clear(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<(), StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    rows::delete(&mut work, &upload.id).await?;
    work.commit().await?;
    if let Err(error) = state.bytes.abandon_parts(place_of(upload)?.version).await {
        tracing::warn!(%error, "cannot remove upload parts; the sweep will");
    }
    Ok(())
}
