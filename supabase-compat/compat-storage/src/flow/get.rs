//! Reading an object: authorization, and the content of its current version.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;

use crate::bytes::cache::{CacheFill, CachedObject, LONGEST};
use crate::bytes::{BytesError, ReadRange, stream_of};
use crate::error::StorageError;
use crate::model::key::check_key;
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;
use crate::store;

/// The authorization under which an object is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The bucket is public.
    Public,
    /// Row security lets the caller see it.
    Caller,
    /// The bucket is public, or row security lets the caller see the object.
    Either,
    /// The request carries a token that somebody with read access signed.
    Signed,
}

/// The part of an object's content that a request needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadSpec {
    /// No content.
    Nothing,
    Whole,
    Part(Range<u64>),
}

/// An object that the caller may read, with the requested part of its content.
pub struct Download {
    pub row: Arc<ObjectRow>,
    pub want: ReadSpec,
    pub reading: Option<ReadRange>,
}

/// Loads an object that the caller may read.
///
/// # Errors
/// [`StorageError::NoSuchBucket`], [`StorageError::NoSuchKey`].
pub async fn may_get(
    state: &State,
    context: &RequestContext,
    access: Access,
    bucket: &str,
    key: &str,
) -> Result<ObjectRow, StorageError> {
    check_key(key)?;
    if access == Access::Caller {
        return as_caller(state, context, bucket, key).await;
    }
    let db = state.service_db(context);
    let mut work = db.begin();
    let row = store::object::find_in_bucket(&mut work, bucket, key).await?;
    work.commit().await?;
    let row = row.ok_or(StorageError::NoSuchBucket)?;
    match access {
        Access::Public if !row.public => Err(StorageError::NoSuchBucket),
        Access::Either if !row.public => as_caller(state, context, bucket, key).await,
        _ => row.object.ok_or(StorageError::NoSuchKey),
    }
}

/// Opens the part of an object that `want` selects. If the object is overwritten in between, the
/// new version is opened, so that a reader never sees a gap between two versions.
///
/// # Errors
/// Those of [`may_get`] and of the content store.
pub async fn get(
    state: &State,
    context: &RequestContext,
    access: Access,
    (bucket, key): (&str, &str),
    want: impl Fn(&ObjectRow) -> Result<ReadSpec, StorageError>,
) -> Result<Download, StorageError> {
    // The cache holds only objects of public buckets.
    if matches!(access, Access::Public | Access::Either)
        && let Some(cached) = state.cache.get(bucket, key)
    {
        let want = want(&cached.facts)?;
        let reading = reading_of(&cached.content, &want)?;
        return Ok(Download { row: Arc::clone(&cached.facts), want, reading });
    }
    let is_public = access == Access::Public;
    let ticket = is_public.then(|| state.cache.ticket(bucket, key)).flatten();
    let mut row = may_get(state, context, access, bucket, key).await?;
    for _ in 0..TRIES {
        let spec = want(&row)?;
        match open(state, &row, &spec).await {
            Err(BytesError::Missing) => {
                let now = may_get(state, context, access, bucket, key).await?;
                if now.version == row.version {
                    return Err(StorageError::NoContent);
                }
                row = now;
            }
            opened => {
                let (row, mut reading) = (Arc::new(row), opened?);
                if let (Some(ticket), ReadSpec::Whole) = (&ticket, &spec)
                    && let Some(read) = reading.take()
                {
                    reading = Some(keep(state, ticket, &row, read).await?);
                }
                return Ok(Download { row, want: spec, reading });
            }
        }
    }
    Err(StorageError::NoContent)
}

/// The requested part of a cached content.
fn reading_of(content: &Bytes, want: &ReadSpec) -> Result<Option<ReadRange>, BytesError> {
    let size = content.len() as u64;
    let range = match want {
        ReadSpec::Nothing => return Ok(None),
        ReadSpec::Whole => 0..size,
        ReadSpec::Part(range) => range.clone(),
    };
    if range.start > range.end || range.end > size {
        return Err(BytesError::OutOfRange(size));
    }
    let at = |byte| usize::try_from(byte).unwrap_or_default();
    Ok(Some(ReadRange { size, content: stream_of(content.slice(at(range.start)..at(range.end))) }))
}

/// Puts a small content into the cache.
async fn keep(
    state: &State,
    ticket: &CacheFill,
    row: &Arc<ObjectRow>,
    reading: ReadRange,
) -> Result<ReadRange, BytesError> {
    let ReadRange { size, content } = reading;
    if size > LONGEST as u64 {
        return Ok(ReadRange { size, content });
    }
    let pieces: Vec<Bytes> = content.try_collect().await.map_err(BytesError::Failed)?;
    let content = Bytes::from(pieces.concat());
    let cached = CachedObject { facts: Arc::clone(row), content: content.clone() };
    state.cache.keep(ticket, &row.bucket_id, &row.name, cached);
    Ok(ReadRange { size, content: stream_of(content) })
}

/// How often a read retries with a newer version.
const TRIES: u32 = 4;

async fn open(
    state: &State,
    row: &ObjectRow,
    want: &ReadSpec,
) -> Result<Option<ReadRange>, BytesError> {
    let range = match want {
        ReadSpec::Nothing => return Ok(None),
        ReadSpec::Whole => None,
        ReadSpec::Part(range) => Some(range.clone()),
    };
    let place = row.place().ok_or(BytesError::Missing)?;
    state.bytes.read(&place, range).await.map(Some)
}

async fn as_caller(
    state: &State,
    context: &RequestContext,
    bucket: &str,
    key: &str,
) -> Result<ObjectRow, StorageError> {
    let db = state.db(context);
    let mut work = db.begin();
    let object = store::object::find(&mut work, bucket, key).await?;
    work.commit().await?;
    object.ok_or(StorageError::NoSuchKey)
}
