//! Reading an object: who may, and the bytes of the version that counts.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;

use crate::bytes::cache::{CacheFill, CachedObject, LONGEST};
use crate::bytes::{BytesError, ReadRange, whole};
use crate::error::StorageError;
use crate::model::key::check_key;
use crate::model::{ObjectRow, RequestContext};
use crate::state::State;
use crate::store;

/// By which right an object is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The bucket is public.
    Public,
    /// Row security lets the caller see it.
    Caller,
    /// One of the two.
    Either,
    /// Somebody who could see it has signed for it.
    Signed,
}

/// What is wanted of an object's bytes once its row is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadSpec {
    /// None of them.
    Nothing,
    Whole,
    Part(Range<u64>),
}

/// An object that may be read, with as much of its bytes as was wanted.
pub struct Download {
    pub row: Arc<ObjectRow>,
    pub want: ReadSpec,
    pub reading: Option<ReadRange>,
}

/// The object, where it may be read.
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
    let db = state.own_turn(context);
    let mut work = db.begin();
    let seen = store::object::find_in_bucket(&mut work, bucket, key).await?;
    work.commit().await?;
    let seen = seen.ok_or(StorageError::NoSuchBucket)?;
    match access {
        Access::Public if !seen.public => Err(StorageError::NoSuchBucket),
        Access::Either if !seen.public => as_caller(state, context, bucket, key).await,
        _ => seen.object.ok_or(StorageError::NoSuchKey),
    }
}

/// The object with the bytes `want` asks for. One that was put anew in between is looked for
/// again, so that nobody meets a gap between two versions.
///
/// # Errors
/// Those of [`may_get`] and of the store of bytes.
pub async fn get(
    state: &State,
    context: &RequestContext,
    access: Access,
    (bucket, key): (&str, &str),
    want: impl Fn(&ObjectRow) -> Result<ReadSpec, StorageError>,
) -> Result<Download, StorageError> {
    // What is kept is public.
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
        let wanted = want(&row)?;
        match open(state, &row, &wanted).await {
            Err(BytesError::Missing) => {
                let now = may_get(state, context, access, bucket, key).await?;
                if now.version == row.version {
                    return Err(StorageError::NoContent);
                }
                row = now;
            }
            opened => {
                let (row, mut reading) = (Arc::new(row), opened?);
                if let (Some(ticket), ReadSpec::Whole) = (&ticket, &wanted)
                    && let Some(read) = reading.take()
                {
                    reading = Some(keep(state, ticket, &row, read).await?);
                }
                return Ok(Download { row, want: wanted, reading });
            }
        }
    }
    Err(StorageError::NoContent)
}

/// What of a kept content is wanted.
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
    Ok(Some(ReadRange { size, content: whole(content.slice(at(range.start)..at(range.end))) }))
}

/// Keeps a short content for whoever asks next.
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
    Ok(ReadRange { size, content: whole(content) })
}

/// Versions that may come and go while one is looked for.
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
