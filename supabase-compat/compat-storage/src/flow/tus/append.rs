//! Continuing an upload.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    UploadAuthorization, UploadStatus, admit, find, finish, lease::Lease, place_of, put_of,
};
use crate::bytes::{ByteStream, BytesError, Part};
use crate::error::StorageError;
use crate::flow::put::AdmittedPut;
use crate::model::RequestContext;
use crate::state::State;
use crate::store::tus::{self, Upload};
use crate::tus::{TusRefusal, UploadId};

/// The size of a part in bytes: a process that dies loses at most this much.
const PART: u64 = 16 << 20;
/// The longest time for which a part is filled.
const PART_TIME: Duration = Duration::from_secs(3);
/// How long a client may keep an upload open without sending anything.
const SILENCE: Duration = Duration::from_secs(60);

/// The headers of an append request.
#[derive(Debug, Clone, Copy)]
pub struct AppendRequest {
    /// The offset of the first byte.
    pub offset: u64,
    /// The total length of a deferred-length upload, if this request announces it.
    pub length: Option<u64>,
    /// The length of the request body, if it is announced.
    pub coming: Option<u64>,
}

/// Appends to an upload; the last byte creates the object.
///
/// # Errors
/// [`TusRefusal::Locked`], [`TusRefusal::Offset`], [`TusRefusal::SizeExceeded`], the reasons why
/// the object may not be put, and write errors. The bytes received before the error are kept.
pub async fn append(
    state: &State,
    context: &RequestContext,
    authorization: UploadAuthorization<'_>,
    id: &UploadId,
    append: AppendRequest,
    content: ByteStream,
) -> Result<UploadStatus, StorageError> {
    let upload = find(state, context, id).await?;
    if upload.is_done {
        let at_end = Some(append.offset) == upload.length;
        return if at_end { Ok(UploadStatus::of(upload)) } else { Err(TusRefusal::Offset.into()) };
    }
    let length = upload.length.or(append.length);
    let admitted =
        admit(state, context, authorization, put_of(&Upload { length, ..upload })?).await?;
    let lease = Lease::take(state, context, id.version).await?;
    let work = under_lease(state, context, &lease, &admitted, append, content);
    let outcome = lease.keep(state, context, work).await;
    lease.release(state, context).await;
    outcome.map(UploadStatus::of)
}

async fn under_lease(
    state: &State,
    context: &RequestContext,
    lease: &Lease,
    admitted: &AdmittedPut,
    append: AppendRequest,
    content: ByteStream,
) -> Result<Upload, StorageError> {
    // The upload was loaded before the lease was taken; another request may have written meanwhile.
    let mut upload = lease.upload.clone();
    check(&upload, append)?;
    if let (None, Some(length)) = (upload.length, append.length) {
        if length > admitted.limit {
            return Err(TusRefusal::MaximumExceeded.into());
        }
        // In tus a deferred length is announced once: from here on `check` rejects a different one.
        let db = state.service_db(context);
        let mut work = db.begin();
        if !tus::set_length(&mut work, upload.version, lease.writer, length).await? {
            return Err(TusRefusal::Locked.into());
        }
        work.commit().await?;
        upload.length = Some(length);
    }
    receive(state, context, lease, &mut upload, admitted.limit, content).await?;
    if upload.length == Some(upload.received) && !upload.is_done {
        upload = finish::finish(state, context, &upload, admitted).await?;
    }
    Ok(upload)
}

/// Checks the request against the state of the upload.
fn check(upload: &Upload, append: AppendRequest) -> Result<(), TusRefusal> {
    if upload.received != append.offset {
        return Err(TusRefusal::Offset);
    }
    if append.length.is_some_and(|stated| upload.length.is_some_and(|known| known != stated)) {
        return Err(TusRefusal::Header("upload-length"));
    }
    let length = upload.length.or(append.length);
    let end = append.coming.and_then(|coming| append.offset.checked_add(coming));
    if append.length.is_some_and(|length| length < append.offset) {
        return Err(TusRefusal::Header("upload-length"));
    }
    match (end, length) {
        (Some(end), Some(length)) if end > length => Err(TusRefusal::SizeExceeded),
        _ => Ok(()),
    }
}

/// Writes the body part by part and records each part.
async fn receive(
    state: &State,
    context: &RequestContext,
    lease: &Lease,
    upload: &mut Upload,
    limit: u64,
    content: ByteStream,
) -> Result<(), StorageError> {
    let place = place_of(upload);
    let source = Arc::new(BodySource::of(content));
    let mut number = next_number(state, context, upload).await?;
    while source.wait().await {
        let (most, refusal) = match upload.length {
            Some(length) => (length, TusRefusal::SizeExceeded),
            None => (limit, TusRefusal::MaximumExceeded),
        };
        let room = most.saturating_sub(upload.received);
        let result = state.bytes.write_part(&place, number, source.part(), room).await;
        let stored = match result {
            Err(BytesError::TooLong(_)) => return Err(refusal.into()),
            result => result?,
        };
        // Each part is recorded in a transaction of its own: a process that dies loses one part.
        let part = Part { number, stored };
        let db = state.service_db(context);
        let mut work = db.begin();
        if !tus::add_part(&mut work, upload.version, lease.writer, &part).await? {
            // The lease ended and another request took it, which continues from the last recorded
            // part.
            return Err(TusRefusal::Locked.into());
        }
        work.commit().await?;
        upload.received += part.stored.size;
        number += 1;
    }
    match source.is_broken.load(Ordering::Acquire) {
        true => Err(StorageError::BrokenOff),
        false => Ok(()),
    }
}

async fn next_number(
    state: &State,
    context: &RequestContext,
    upload: &Upload,
) -> Result<u32, StorageError> {
    let db = state.service_db(context);
    let mut work = db.begin();
    let number = tus::next_number(&mut work, upload.version).await?;
    work.commit().await?;
    Ok(number)
}

/// The request body, split into parts. If the body breaks off, the current part ends normally with
/// the bytes that arrived.
struct BodySource {
    inner: Mutex<Inner>,
    is_broken: AtomicBool,
    /// Bytes read of the current part.
    read: AtomicU64,
}

struct Inner {
    content: ByteStream,
    /// Bytes that arrived and belong to no part yet.
    waiting: Option<Bytes>,
    is_over: bool,
}

impl BodySource {
    fn of(content: ByteStream) -> Self {
        let inner = Mutex::new(Inner { content, waiting: None, is_over: false });
        Self { inner, is_broken: AtomicBool::new(false), read: AtomicU64::new(0) }
    }

    /// Waits for more bytes; false at the end. A client that is silent for too long counts as
    /// broken off.
    async fn wait(&self) -> bool {
        let mut inner = self.inner.lock().await;
        while inner.waiting.is_none() && !inner.is_over {
            let next = timeout(SILENCE, inner.content.next()).await;
            self.take(&mut inner, next.unwrap_or_else(|late| Some(Err(late.into()))));
        }
        inner.waiting.is_some()
    }

    fn take(&self, inner: &mut Inner, next: Option<Result<Bytes, crate::bytes::Cause>>) {
        match next {
            Some(Ok(bytes)) if bytes.is_empty() => {}
            Some(Ok(bytes)) => inner.waiting = Some(bytes),
            None => inner.is_over = true,
            Some(Err(cause)) => {
                tracing::debug!(cause, "upload broke off");
                self.is_broken.store(true, Ordering::Release);
                inner.is_over = true;
            }
        }
    }

    /// The next part: limited in size and in time.
    fn part(self: &Arc<Self>) -> ByteStream {
        self.read.store(0, Ordering::Release);
        let until = Instant::now() + PART_TIME;
        stream::unfold(Arc::clone(self), move |source| async move {
            let bytes = source.next(until).await?;
            Some((Ok(bytes), source))
        })
        .boxed()
    }

    async fn next(&self, until: Instant) -> Option<Bytes> {
        if self.read.load(Ordering::Acquire) >= PART {
            return None;
        }
        let mut inner = self.inner.lock().await;
        while inner.waiting.is_none() && !inner.is_over {
            let next = timeout_at(until, inner.content.next()).await.ok()?;
            self.take(&mut inner, next);
        }
        let bytes = inner.waiting.take()?;
        self.read.fetch_add(bytes.len() as u64, Ordering::AcqRel);
        Some(bytes)
    }
}
