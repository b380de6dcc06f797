//! Putting an object: in one request, in parts, or as a copy of another.
//!
//! First the caller's write is tried in the database and rolled back, so that row security decides.
//! Then the content is stored under a new version. Then the row names this version, and the content
//! of the previous version is removed. A failure in between leaves the previous object intact.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::bytes::{ByteStream, ObjectLocation, StoredContent};
use crate::error::StorageError;
use crate::model::key::check_key;
use crate::model::media_type::is_taken;
use crate::model::object::Metadata;
use crate::model::{Bucket, ObjectRow, RequestContext};
use crate::state::State;
use crate::store;
use crate::store::object::ObjectWrite;

/// The object to be put: its key, metadata and owner.
#[derive(Debug, Clone, Default)]
pub struct PutRequest {
    pub bucket: String,
    pub key: String,
    /// Whether the put may replace an existing object.
    pub upsert: bool,
    /// The `Content-Type` header of responses.
    pub content_type: String,
    /// The `Cache-Control` header of responses.
    pub cache_control: String,
    /// The `X-Robots-Tag` header of responses.
    pub robots: Option<String>,
    /// The user metadata: a JSON object.
    pub user_metadata: Option<Value>,
    /// The subject of the owner.
    pub owner: Option<String>,
    /// The content's length, if the client announced it.
    pub length: Option<u64>,
}

/// A put that passed authorization.
#[derive(Debug, Clone)]
pub struct AdmittedPut {
    pub put: PutRequest,
    /// The maximum size of the content in bytes.
    pub limit: u64,
}

impl AdmittedPut {
    /// The location of the content.
    pub fn place(&self, version: Uuid) -> ObjectLocation {
        ObjectLocation { bucket: self.put.bucket.clone(), key: self.put.key.clone(), version }
    }
}

/// Checks the bucket's limits and row security for a put.
pub async fn may_put(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
) -> Result<AdmittedPut, StorageError> {
    check_key(&put.key)?;
    let limit = limit_of(state, context, &put).await?;
    if put.length.is_some_and(|length| length > limit) {
        return Err(StorageError::TooLarge);
    }
    try_write(state, context, &put).await?;
    Ok(AdmittedPut { put, limit })
}

/// Writes the row for stored content and removes the content that the row named before. On failure
/// the new content is removed instead, unless the outcome of the commit is unknown.
///
/// # Errors
/// [`StorageError::KeyExists`] if a concurrent put was first, [`StorageError::NoSuchBucket`] if the
/// bucket is gone, and other errors of the database.
pub async fn settle(
    state: &State,
    context: &RequestContext,
    admitted: &AdmittedPut,
    version: Uuid,
    stored: &StoredContent,
) -> Result<ObjectRow, StorageError> {
    let put = &admitted.put;
    let metadata = Metadata {
        x_robots_tag: put.robots.clone(),
        ..Metadata::of(stored, &put.content_type, &put.cache_control, state.now())
    };
    let metadata = json!(metadata).to_string();
    let place = admitted.place(version);
    let (user_metadata, version) = (text_of(put.user_metadata.as_ref()), version.to_string());
    let object_write = object_write(put, &version, &metadata, user_metadata.as_deref());
    match write_row(state, context, put.upsert, &object_write).await {
        Ok((row, before)) => {
            let old = before.as_ref().and_then(ObjectRow::place).filter(|old| *old != place);
            discard(state, old.as_slice()).await;
            Ok(row)
        }
        Err(WriteError::Refused(refusal)) => {
            discard(state, &[place]).await;
            Err(refusal)
        }
        // If the commit went through, the row names these bytes; if not, the sweep removes them.
        Err(WriteError::Unknown(refusal)) => Err(refusal),
    }
}

/// Puts an object from a request body.
///
/// # Errors
/// Those of [`may_put`], of the content store, and of [`settle`].
pub async fn put(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
    content: ByteStream,
) -> Result<ObjectRow, StorageError> {
    let admitted = may_put(state, context, put).await?;
    store_and_settle(state, context, &admitted, content).await
}

/// Stores the content and writes the row of a put that was authorized in another way.
///
/// # Errors
/// Those of the content store, and of [`settle`].
pub async fn store_and_settle(
    state: &State,
    context: &RequestContext,
    admitted: &AdmittedPut,
    content: ByteStream,
) -> Result<ObjectRow, StorageError> {
    let version = state.uuid();
    let place = admitted.place(version);
    let stored = state.bytes.write(&place, content, admitted.limit).await?;
    settle(state, context, admitted, version, &stored).await
}

/// Checks the bucket's media types; returns the maximum size in bytes.
pub(super) async fn limit_of(
    state: &State,
    context: &RequestContext,
    put: &PutRequest,
) -> Result<u64, StorageError> {
    let bucket = bucket_of(state, context, &put.bucket).await?;
    if !is_taken(bucket.allowed_mime_types.as_deref(), &put.content_type) {
        return Err(StorageError::MediaType(put.content_type.clone()));
    }
    let most = state.config.file_size_limit;
    Ok(bucket.file_size_limit.map_or(most, |limit| limit.min(most)))
}

/// Loads the bucket under the service role: its limits are no secret from a caller with the right
/// to write.
pub(super) async fn bucket_of(
    state: &State,
    context: &RequestContext,
    id: &str,
) -> Result<Bucket, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let bucket = store::bucket::find(&mut work, id).await?;
    work.commit().await?;
    bucket.ok_or(StorageError::NoSuchBucket)
}

/// Tries the write as the caller and rolls it back. A new object needs the right to insert; an
/// upsert also needs the rights to select and update.
pub(super) async fn try_write(
    state: &State,
    context: &RequestContext,
    put: &PutRequest,
) -> Result<(), StorageError> {
    let mut known = json!({"mimetype": put.content_type});
    if let Some(length) = put.length {
        known["contentLength"] = length.into();
    }
    let known = known.to_string();
    let user_metadata = text_of(put.user_metadata.as_ref());
    let object_write = object_write(put, "1", &known, user_metadata.as_deref());
    let db = state.db(context);
    let mut work = db.begin();
    let answer = match put.upsert {
        false => store::object::insert(&mut work, &object_write).await,
        true => store::object::upsert(&mut work, &object_write).await.map(drop),
    };
    work.rollback().await?;
    Ok(answer?)
}

/// Why a row was not written.
enum WriteError {
    Refused(StorageError),
    /// The connection was lost during the commit.
    Unknown(StorageError),
}

impl From<compat_pg::PgError> for WriteError {
    fn from(error: compat_pg::PgError) -> Self {
        Self::Refused(error.into())
    }
}

/// Writes the row; returns it and the row that it replaced.
async fn write_row(
    state: &State,
    context: &RequestContext,
    upsert: bool,
    object_write: &ObjectWrite<'_>,
) -> Result<(ObjectRow, Option<ObjectRow>), WriteError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    store::object::lock(&mut work, object_write.bucket, object_write.key).await?;
    let before =
        store::object::find_to_change(&mut work, object_write.bucket, object_write.key).await?;
    match before {
        // A concurrent request settled the same upload; its content must not be removed.
        Some(row) if row.version.as_deref() == Some(object_write.version) => {
            return Ok((row, None));
        }
        Some(_) if !upsert => return Err(WriteError::Refused(StorageError::KeyExists)),
        _ => {}
    }
    let row = store::object::upsert(&mut work, object_write).await?;
    match work.commit().await {
        Ok(()) => Ok((row, before)),
        Err(error) if error.is_unavailable() => Err(WriteError::Unknown(error.into())),
        Err(error) => Err(error.into()),
    }
}

/// Removes content that no row names any more. The sweep finds what cannot be removed here.
pub(super) async fn discard(state: &State, places: &[ObjectLocation]) {
    places.iter().for_each(|place| state.cache.forget(&place.bucket, &place.key));
    if places.is_empty() {
        return;
    }
    if let Err(error) = state.bytes.remove(places).await {
        tracing::warn!(%error, count = places.len(), "cannot remove orphans; the sweep will");
    }
}

fn object_write<'a>(
    put: &'a PutRequest,
    version: &'a str,
    metadata: &'a str,
    user_metadata: Option<&'a str>,
) -> ObjectWrite<'a> {
    let owner_id = put.owner.as_deref();
    ObjectWrite {
        bucket: &put.bucket,
        key: &put.key,
        owner: owner_id.filter(|owner| Uuid::parse_str(owner).is_ok()),
        owner_id,
        version,
        metadata,
        user_metadata,
    }
}

fn text_of(value: Option<&Value>) -> Option<String> {
    value.map(Value::to_string)
}
