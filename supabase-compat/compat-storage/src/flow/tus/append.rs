//! Going on with an upload.

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

/// Bytes after which what arrived is counted: so much a process that dies may lose.
const PART: u64 = 16 << 20;
/// The same by time.
const PART_TIME: Duration = Duration::from_secs(3);
/// How long somebody may hold an upload without sending anything.
const SILENCE: Duration = Duration::from_secs(60);

/// What is said of the bytes that come.
#[derive(Debug, Clone, Copy)]
pub struct AppendRequest {
    /// Where they go on.
    pub offset: u64,
    /// How long the upload will be, where that was not said before.
    pub length: Option<u64>,
    /// How many they are, where that is said.
    pub coming: Option<u64>,
}

/// Goes on with an upload; its last byte makes the object.
///
/// # Errors
/// [`TusRefusal::Locked`], [`TusRefusal::Offset`], [`TusRefusal::SizeExceeded`], why it may not be
/// put, and what stops a write. What arrived before is kept.
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
    // The caller looked before the lease was taken; somebody else may have written meanwhile.
    let mut upload = lease.upload.clone();
    check(&upload, append)?;
    if let (None, Some(length)) = (upload.length, append.length) {
        if length > admitted.limit {
            return Err(TusRefusal::MaximumExceeded.into());
        }
        // tus has a deferred length said once: `check` refuses another one from here on.
        let db = state.own_turn(context);
        let mut work = db.begin();
        tus::set_length(&mut work, upload.version, length).await?;
        work.commit().await?;
        upload.length = Some(length);
    }
    receive(state, context, lease, &mut upload, admitted.limit, content).await?;
    if upload.length == Some(upload.received) && !upload.is_done {
        upload = finish::finish(state, context, &upload, admitted).await?;
    }
    Ok(upload)
}

/// Whether what is said fits the upload as it stands.
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

/// Writes what comes, part by part, and counts each.
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
        let written = state.bytes.write_part(&place, number, source.part(), room).await;
        let stored = match written {
            Err(BytesError::TooLong(_)) => return Err(refusal.into()),
            written => written?,
        };
        // Each part is counted by a transaction of its own: a process that dies loses one part.
        let part = Part { number, stored };
        let db = state.own_turn(context);
        let mut work = db.begin();
        if !tus::add_part(&mut work, upload.version, lease.writer, &part).await? {
            // The lease ended and somebody else has it, who goes on from what was counted.
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
    let db = state.own_turn(context);
    let mut work = db.begin();
    let number = tus::next_number(&mut work, upload.version).await?;
    work.commit().await?;
    Ok(number)
}

/// The request's body, handed out in parts. Where it breaks off, the part ends well with what
/// arrived.
struct BodySource {
    inner: Mutex<Inner>,
    is_broken: AtomicBool,
    /// Bytes of the part being read.
    read: AtomicU64,
}

struct Inner {
    content: ByteStream,
    /// What came and is not given yet.
    waiting: Option<Bytes>,
    is_over: bool,
}

impl BodySource {
    fn of(content: ByteStream) -> Self {
        let inner = Mutex::new(Inner { content, waiting: None, is_over: false });
        Self { inner, is_broken: AtomicBool::new(false), read: AtomicU64::new(0) }
    }

    /// Whether there is more. Who sends nothing for long has broken off.
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

    /// The next part: so many bytes, or what comes within its time.
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
