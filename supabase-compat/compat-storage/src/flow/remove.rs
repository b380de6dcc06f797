//! Removing objects: the rows first, as the caller; their bytes once nobody can find them.

use crate::error::StorageError;
use crate::flow::put::discard;
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;
use crate::store;

/// Removes an object.
///
/// # Errors
/// [`StorageError::NoSuchKey`] when there is none the caller may remove.
pub async fn one(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    key: &str,
) -> Result<(), StorageError> {
    let deleted = many(state, context, bucket, &[key.to_owned()]).await?;
    if deleted.is_empty() { Err(StorageError::NoSuchKey) } else { Ok(()) }
}

/// Removes those of these that the caller may remove, and gives them.
///
/// # Errors
/// What the database refuses; nothing is removed then.
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

/// Which of these are there still, for somebody who wished them gone.
pub async fn find_remaining(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    keys: &[String],
) -> Result<Vec<String>, StorageError> {
    let db = state.own_turn(context);
    let mut work = db.begin();
    let remaining_names = store::object::find_names(&mut work, bucket, keys).await?;
    work.commit().await?;
    Ok(remaining_names)
}
