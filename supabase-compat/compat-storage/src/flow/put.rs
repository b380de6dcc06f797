//! Putting an object, however it comes: in one request, in parts, as a copy of another.
//!
//! First the database is asked by the write itself, as the caller, and the write is taken back.
//! Then the bytes are stored under a version nobody knows. Then the row names it, and then the
//! bytes it named before are removed. Whatever stops in between leaves what was there before.

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

/// What is to be put, and under which name.
#[derive(Debug, Clone, Default)]
pub struct PutRequest {
    pub bucket: String,
    pub key: String,
    /// Whether it may take the place of another.
    pub upsert: bool,
    /// `Content-Type` of its answers.
    pub content_type: String,
    /// `Cache-Control` of its answers.
    pub cache_control: String,
    /// `X-Robots-Tag` of its answers.
    pub robots: Option<String>,
    /// What the caller keeps with it: a JSON object.
    pub user_metadata: Option<Value>,
    /// The subject it will belong to.
    pub owner: Option<String>,
    /// Its length, where it was said beforehand.
    pub length: Option<u64>,
}

/// A put that may be done.
#[derive(Debug, Clone)]
pub struct AdmittedPut {
    pub put: PutRequest,
    /// Bytes it may have at most.
    pub limit: u64,
}

impl AdmittedPut {
    /// Where its bytes go.
    pub fn place(&self, version: Uuid) -> ObjectLocation {
        ObjectLocation { bucket: self.put.bucket.clone(), key: self.put.key.clone(), version }
    }
}

/// Whether this may be put: by the bucket's limits, and by row security.
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

/// The bytes are there: their row is written, and what it named before is removed. On failure the
/// bytes are removed instead, unless nobody knows whether the row was written.
///
/// # Errors
/// [`StorageError::KeyExists`] when somebody else was faster, [`StorageError::NoSuchBucket`] when
/// the bucket is gone, and whatever the database refuses.
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
    let written = written(put, &version, &metadata, user_metadata.as_deref());
    match write_row(state, context, put.upsert, &written).await {
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

/// Puts what arrives.
///
/// # Errors
/// Those of [`may_put`], of the store of bytes, and of [`settle`].
pub async fn put(
    state: &State,
    context: &RequestContext,
    put: PutRequest,
    content: ByteStream,
) -> Result<ObjectRow, StorageError> {
    let admitted = may_put(state, context, put).await?;
    store_and_settle(state, context, &admitted, content).await
}

/// The second and third part of [`put`], for what was admitted in another way.
///
/// # Errors
/// Those of the store of bytes, and of [`settle`].
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

/// Bytes this bucket takes at most, once it takes the type.
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

/// The bucket, whoever asks: its limits are nobody's secret once one may write.
pub(super) async fn bucket_of(
    state: &State,
    context: &RequestContext,
    id: &str,
) -> Result<Bucket, StorageError> {
    let db = state.own_turn(context);
    let mut work = db.begin();
    let bucket = store::bucket::find(&mut work, id).await?;
    work.commit().await?;
    bucket.ok_or(StorageError::NoSuchBucket)
}

/// The write itself, as the caller, taken back. A new object needs the right to insert; one that
/// may take another's place also those to see and to change it.
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
    let written = written(put, "1", &known, user_metadata.as_deref());
    let db = state.db(context);
    let mut work = db.begin();
    let answer = match put.upsert {
        false => store::object::insert(&mut work, &written).await,
        true => store::object::upsert(&mut work, &written).await.map(drop),
    };
    work.rollback().await?;
    Ok(answer?)
}

/// Why a row was not written.
enum WriteError {
    Refused(StorageError),
    /// The connection was lost over the commit.
    Unknown(StorageError),
}

impl From<compat_pg::PgError> for WriteError {
    fn from(error: compat_pg::PgError) -> Self {
        Self::Refused(error.into())
    }
}

/// The row, and the one whose place it took.
async fn write_row(
    state: &State,
    context: &RequestContext,
    upsert: bool,
    written: &ObjectWrite<'_>,
) -> Result<(ObjectRow, Option<ObjectRow>), WriteError> {
    let db = state.own_turn(context);
    let mut work = db.begin();
    store::object::lock(&mut work, written.bucket, written.key).await?;
    let before = store::object::find_to_change(&mut work, written.bucket, written.key).await?;
    match before {
        // Settled by somebody who did the same at the same time; its bytes must not be removed.
        Some(row) if row.version.as_deref() == Some(written.version) => return Ok((row, None)),
        Some(_) if !upsert => return Err(WriteError::Refused(StorageError::KeyExists)),
        _ => {}
    }
    let row = store::object::upsert(&mut work, written).await?;
    match work.commit().await {
        Ok(()) => Ok((row, before)),
        Err(error) if error.is_unavailable() => Err(WriteError::Unknown(error.into())),
        Err(error) => Err(error.into()),
    }
}

/// Removes bytes no row names any more. What stays behind is found by the sweep.
pub(super) async fn discard(state: &State, places: &[ObjectLocation]) {
    places.iter().for_each(|place| state.cache.forget(&place.bucket, &place.key));
    if places.is_empty() {
        return;
    }
    if let Err(error) = state.bytes.remove(places).await {
        tracing::warn!(%error, count = places.len(), "orphaned bytes stay until the sweep");
    }
}

fn written<'a>(
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
