//! Operations on buckets.

use uuid::Uuid;

use crate::error::StorageError;
use crate::flow::put::{bucket_of, discard};
use crate::model::bucket::{BucketChange, BucketPage, NewBucket};
use crate::model::key::check_bucket_name;
use crate::model::{Bucket, ObjectRow, RequestContext};
use crate::state::State;
use crate::store;

/// The buckets that the caller can see.
pub async fn list(
    state: &State,
    context: &RequestContext,
    page: &BucketPage,
) -> Result<Vec<Bucket>, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let buckets = store::bucket::list(&mut work, page).await?;
    work.commit().await?;
    Ok(buckets)
}

/// A bucket that the caller can see.
///
/// # Errors
/// [`StorageError::NoSuchBucket`].
pub async fn get(
    state: &State,
    context: &RequestContext,
    id: &str,
) -> Result<Bucket, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let bucket = store::bucket::find(&mut work, id).await?;
    work.commit().await?;
    bucket.ok_or(StorageError::NoSuchBucket)
}

/// Creates a bucket that belongs to the caller.
///
/// # Errors
/// [`StorageError::InvalidBucketName`], [`StorageError::BucketExists`],
/// [`StorageError::TooLarge`] for a limit beyond the service's, and row security.
pub async fn create(
    state: &State,
    context: &RequestContext,
    bucket: &NewBucket,
) -> Result<(), StorageError> {
    check_bucket_name(&bucket.name)?;
    check_bucket_name(&bucket.id)?;
    check_limit(state, bucket.limits.file_size_limit)?;
    let owner_id = context.subject();
    let owner = owner_id.filter(|owner| Uuid::parse_str(owner).is_ok());
    let db = state.db(context);
    let mut work = db.begin();
    store::bucket::insert(&mut work, bucket, owner, owner_id).await?;
    Ok(work.commit().await?)
}

/// Changes the visibility and the limits of a bucket.
///
/// # Errors
/// [`StorageError::NoSuchBucket`], [`StorageError::TooLarge`], and row security.
pub async fn change(
    state: &State,
    context: &RequestContext,
    id: &str,
    change: &BucketChange,
) -> Result<(), StorageError> {
    check_limit(state, change.file_size_limit.flatten())?;
    let db = state.db(context);
    let mut work = db.begin();
    if !store::bucket::update(&mut work, id, change).await? {
        return Err(StorageError::NoSuchBucket);
    }
    work.commit().await?;
    state.cache.forget_bucket(id);
    Ok(())
}

/// Removes an empty bucket and aborts its multipart uploads, as AWS does.
///
/// # Errors
/// [`StorageError::NoSuchBucket`], [`StorageError::BucketNotEmpty`].
pub async fn delete(state: &State, context: &RequestContext, id: &str) -> Result<(), StorageError> {
    get(state, context, id).await?;
    // Counted under the service role: objects that the caller cannot see count too.
    let own = state.service_db(context);
    let mut work = own.begin();
    let filled = store::bucket::count_objects(&mut work, id, 0).await? > 0;
    work.commit().await?;
    if filled {
        return Err(StorageError::BucketNotEmpty);
    }
    let deleted = match delete_row(state, context, id).await? {
        // The foreign key error reaches only a caller with the right to delete the bucket.
        Removal::Referred => {
            super::multipart::abandon(state, context, id).await?;
            delete_row(state, context, id).await?
        }
        deleted => deleted,
    };
    match deleted {
        Removal::Done => Ok(()),
        Removal::NoRow => Err(StorageError::NoSuchBucket),
        // An object was created meanwhile, or a resumable upload is active.
        Removal::Referred => Err(StorageError::BucketNotEmpty),
    }
}

/// The outcome of deleting a bucket's row.
enum Removal {
    Done,
    NoRow,
    Referred,
}

async fn delete_row(
    state: &State,
    context: &RequestContext,
    id: &str,
) -> Result<Removal, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let deleted = match store::bucket::delete(&mut work, id).await {
        Err(error) if error.code() == Some("23503") => return Ok(Removal::Referred),
        deleted => deleted?,
    };
    work.commit().await?;
    Ok(if deleted { Removal::Done } else { Removal::NoRow })
}

/// Removes the objects that are in a bucket now and that the caller may remove.
///
/// # Errors
/// [`StorageError::NoSuchBucket`], [`StorageError::TooManyToEmpty`].
pub async fn empty(state: &State, context: &RequestContext, id: &str) -> Result<(), StorageError> {
    get(state, context, id).await?;
    let db = state.db(context);
    let most = state.config.empty_bucket_max;
    let mut work = db.begin();
    let count = store::bucket::count_objects(&mut work, id, most).await?;
    // Objects created after this time stay, so the loop ends even while uploads continue.
    let until = store::moment(&mut work).await?;
    work.commit().await?;
    if count > most {
        let text =
            format!("Unable to empty the bucket because it contains more than {most} objects");
        return Err(StorageError::TooManyToEmpty(text));
    }
    let mut after = String::new();
    loop {
        let mut work = db.begin();
        let names = store::object::names_after(&mut work, (id, &after), BATCH, &until).await?;
        let deleted = store::object::delete(&mut work, id, &names).await?;
        work.commit().await?;
        let places: Vec<_> = deleted.iter().filter_map(ObjectRow::place).collect();
        discard(state, &places).await;
        // Row security may protect some of the names, so the next page starts after the last name
        // read.
        let Some(last) = names.into_iter().next_back() else { return Ok(()) };
        after = last;
    }
}

/// Checks that a bucket exists, even if the caller cannot see it.
///
/// # Errors
/// [`StorageError::NoSuchBucket`].
pub async fn must_exist(
    state: &State,
    context: &RequestContext,
    id: &str,
) -> Result<(), StorageError> {
    bucket_of(state, context, id).await.map(drop)
}

/// Objects removed in one transaction.
const BATCH: u32 = 500;

/// A bucket's limit must not exceed the service's limit.
fn check_limit(state: &State, limit: Option<u64>) -> Result<(), StorageError> {
    let fits = limit.is_none_or(|limit| limit <= state.config.file_size_limit);
    if fits { Ok(()) } else { Err(StorageError::TooLarge) }
}
