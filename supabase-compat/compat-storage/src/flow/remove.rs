//! Removing objects: the rows first, as the caller, then their content.

use crate::error::StorageError;
use crate::flow::put::discard;
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;
use crate::store;

/// Removes an object.
///
/// # Errors
/// [`StorageError::NoSuchKey`] if there is no object that the caller may remove.
pub async fn one(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    key: &str,
) -> Result<(), StorageError> {
    let deleted = many(state, context, bucket, &[key.to_owned()]).await?;
    if deleted.is_empty() { Err(StorageError::NoSuchKey) } else { Ok(()) }
}

/// Removes the objects that the caller may remove; returns their rows.
///
/// # Errors
/// Errors of the database; no object is removed then.
pub async fn many(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    keys: &[String],
) -> Result<Vec<ObjectRow>, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let deleted = store::object::delete(&mut work, bucket, keys).await?;
    work.commit().await?;
    let places: Vec<_> = deleted.iter().filter_map(ObjectRow::place).collect();
    discard(state, &places).await;
    Ok(deleted)
}

/// The keys that still exist, checked under the service role.
pub async fn find_remaining(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    keys: &[String],
) -> Result<Vec<String>, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let remaining_names = store::object::find_names(&mut work, bucket, keys).await?;
    work.commit().await?;
    Ok(remaining_names)
}
