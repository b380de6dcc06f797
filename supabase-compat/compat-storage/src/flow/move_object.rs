//! Moving an object: the content is copied to the new location, the row is renamed, then the old
//! content is removed.

use crate::bytes::{BytesError, ObjectLocation};
use crate::error::StorageError;
use crate::flow::put::{bucket_of, discard};
use crate::model::key::check_key;
use crate::model::media_type::is_taken;
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;
use crate::store;
use crate::store::object::ObjectDestination;

/// The source and the target of a move.
#[derive(Debug, Clone, Default)]
pub struct MoveRequest {
    pub bucket: String,
    pub key: String,
    pub to_bucket: String,
    pub to_key: String,
}

/// Moves an object that the caller may see and change.
///
/// # Errors
/// [`StorageError::NoSuchKey`], [`StorageError::ResourceExists`], and row security.
pub async fn move_object(
    state: &State,
    context: &RequestContext,
    moving: &MoveRequest,
) -> Result<(), StorageError> {
    check_key(&moving.to_key)?;
    if (&moving.bucket, &moving.key) == (&moving.to_bucket, &moving.to_key) {
        return may_move(state, context, moving).await.map(drop);
    }
    for _ in 0..TRIES {
        let source = may_move(state, context, moving).await?;
        fits(state, context, moving, &source).await?;
        let from = source.place().ok_or(BytesError::Missing)?;
        let to = ObjectLocation {
            bucket: moving.to_bucket.clone(),
            key: moving.to_key.clone(),
            version: state.uuid(),
        };
        match state.bytes.copy(&from, &to).await {
            // The object was overwritten in between, so the old content is gone.
            Err(BytesError::Missing) => continue,
            copied => copied?,
        }
        if settle(state, context, moving, &from, &to).await? {
            return Ok(());
        }
    }
    Err(StorageError::NoContent)
}

/// How often a move retries with a newer version.
const TRIES: u32 = 4;

/// Renames the row as the caller and rolls back: row security decides whether the move is allowed.
async fn may_move(
    state: &State,
    context: &RequestContext,
    moving: &MoveRequest,
) -> Result<ObjectRow, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let row = store::object::find(&mut work, &moving.bucket, &moving.key).await?;
    let source = row.ok_or(StorageError::NoSuchKey)?;
    let version = source.version.clone().unwrap_or_default();
    let to =
        ObjectDestination { bucket: &moving.to_bucket, key: &moving.to_key, version: &version };
    let renamed = store::object::rename(&mut work, &moving.bucket, &moving.key, &to).await;
    work.rollback().await?;
    // If the caller may see but not change the object, row security leaves no row to rename.
    let renamed = renamed.map_err(|error| already_exists(error.into()))?;
    renamed.ok_or(StorageError::NoSuchKey).map(|_| source)
}

/// Checks the size and type limits of the target bucket.
async fn fits(
    state: &State,
    context: &RequestContext,
    moving: &MoveRequest,
    source: &ObjectRow,
) -> Result<(), StorageError> {
    if moving.bucket == moving.to_bucket {
        return Ok(());
    }
    let (bucket, known) = (bucket_of(state, context, &moving.to_bucket).await?, source.known());
    let media_type = known.mimetype.as_deref().unwrap_or_default();
    if !is_taken(bucket.allowed_mime_types.as_deref(), media_type) {
        return Err(StorageError::MediaType(media_type.to_owned()));
    }
    match (bucket.file_size_limit, known.size) {
        (Some(limit), Some(size)) if size > limit => Err(StorageError::TooLarge),
        _ => Ok(()),
    }
}

/// Renames the row after the content was copied, unless the row has another version by now. Both
/// keys are locked in the order of their names, whatever the direction of the move, so that two
/// moves cannot deadlock.
async fn settle(
    state: &State,
    context: &RequestContext,
    moving: &MoveRequest,
    from: &ObjectLocation,
    to: &ObjectLocation,
) -> Result<bool, StorageError> {
    match rename(state, context, moving, from, to).await {
        Ok(true) => {
            discard(state, std::slice::from_ref(from)).await;
            Ok(true)
        }
        Ok(false) => {
            discard(state, std::slice::from_ref(to)).await;
            Ok(false)
        }
        // The outcome of the commit is unknown: the sweep removes the copy that no row names.
        Err(error) if error.is_unavailable() => Err(error.into()),
        Err(error) => {
            discard(state, std::slice::from_ref(to)).await;
            Err(already_exists(error.into()))
        }
    }
}

async fn rename(
    state: &State,
    context: &RequestContext,
    moving: &MoveRequest,
    from: &ObjectLocation,
    to: &ObjectLocation,
) -> Result<bool, compat_pg::PgError> {
    let mut places = [(&from.bucket, &from.key), (&to.bucket, &to.key)];
    places.sort_unstable();
    let db = state.service_db(context);
    let mut work = db.begin();
    for (bucket, key) in places {
        store::object::lock(&mut work, bucket, key).await?;
    }
    let source_row = store::object::find_to_change(&mut work, &moving.bucket, &moving.key).await?;
    if source_row.and_then(|row| row.place()).as_ref() != Some(from) {
        return Ok(false);
    }
    let version = to.version.to_string();
    let to = ObjectDestination { bucket: &to.bucket, key: &to.key, version: &version };
    store::object::rename(&mut work, &moving.bucket, &moving.key, &to).await?;
    work.commit().await?;
    Ok(true)
}

/// A move to an existing name has another error code than a put.
fn already_exists(error: StorageError) -> StorageError {
    match error {
        StorageError::KeyExists => StorageError::ResourceExists,
        other => other,
    }
}
