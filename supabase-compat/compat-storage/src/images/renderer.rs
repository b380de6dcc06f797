//! The work as a whole: what is kept is given out, the same is rendered once, permits are
//! shared, memory and time are bounded, and all of it happens off the async threads.

use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use compat_fair_semaphore::{FairSemaphore, Permit, QueueFull};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::result_cache::{RenderKey, RenderResult, ResultCache};
use super::{CancelFlag, ImageRefusal, Picture, Rendering, Transform};

/// Memory is shared out in pieces of this many bytes.
const PIECE: u64 = 1 << 10;

/// Bounds of the work. Each is a promise about what strangers' pictures can cost.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Pixels of the largest source.
    pub pixels: u64,
    /// Bytes of the largest source.
    pub bytes: u64,
    /// Bytes all work together takes at most; what alone would take more is refused.
    pub memory: u64,
    /// Pictures rendered at once.
    pub workers: usize,
    /// Requests that wait for a permit, a quarter of them one client's.
    pub waiting: usize,
    /// How long a request waits in all.
    pub patience: Duration,
    /// How long one picture may take, its reading with it.
    pub work: Duration,
    /// Bytes of results that are kept.
    pub cache_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pixels: 50_000_000,
            bytes: 25 << 20,
            memory: 256 << 20,
            workers: std::thread::available_parallelism().map_or(2, usize::from),
            waiting: 256,
            patience: Duration::from_secs(20),
            work: Duration::from_secs(15),
            cache_bytes: 32 << 20,
        }
    }
}

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// It was refused.
    #[error(transparent)]
    Refused(#[from] ImageRefusal),
    /// The source's bytes are not there.
    #[error("the source is missing")]
    Missing,
    /// The source's bytes could not be read; whoever tried has logged why.
    #[error("the source could not be read")]
    Unread,
}

/// Renders pictures. Clones share everything.
#[derive(Clone)]
pub struct Renderer(Arc<Shared>);

struct Shared {
    limits: Limits,
    result_cache: ResultCache,
    workers: FairSemaphore,
    memory: Arc<Semaphore>,
    /// All there is of it, in pieces.
    pieces: u32,
    /// What is waited for or worked at, so that the same is rendered once.
    wanted: Mutex<HashMap<RenderKey, Arc<PendingResult>>>,
}

/// A result that somebody waits for.
struct PendingResult {
    taken: AtomicBool,
    done: watch::Sender<Option<Result<Picture, RenderError>>>,
}

/// A request among those that wait for the same result.
struct Waiter<'a> {
    shared: &'a Shared,
    key: &'a RenderKey,
    wanted: Arc<PendingResult>,
}

impl Renderer {
    /// A renderer within these bounds.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let pieces = u32::try_from(limits.memory / PIECE).unwrap_or(u32::MAX);
        Self(Arc::new(Shared {
            result_cache: ResultCache::new(limits.cache_bytes),
            workers: FairSemaphore::new(compat_fair_semaphore::Limits {
                permits: limits.workers,
                // Another client finds one free.
                per_client: limits.workers.saturating_sub(1),
                waiting: limits.waiting,
                waiting_per_client: limits.waiting.div_ceil(4),
                reserve: None,
            }),
            memory: Arc::new(Semaphore::new(pieces as usize)),
            pieces,
            wanted: Mutex::default(),
            limits,
        }))
    }

    /// The bounds.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The picture that is wished for: a kept one, one that somebody else has just made, or one
    /// made now of what `read` gives, under a permit of the client.
    pub async fn render<F>(
        &self,
        key: &RenderKey,
        transform: Transform,
        client: IpAddr,
        read: impl FnOnce() -> F,
    ) -> Result<Picture, RenderError>
    where
        F: Future<Output = Result<Bytes, RenderError>> + Send + 'static,
    {
        if let Some(known) = self.0.result_cache.get(key) {
            return known.map_err(RenderError::Refused);
        }
        let waiter = self.0.join(key);
        let waiting = async {
            tokio::select! {
                // A result that is there wins over a permit, which another picture can use.
                biased;
                done = waiter.wanted.wait() => done,
                permit = self.0.workers.acquire(client) => {
                    let permit = permit.map_err(|QueueFull| ImageRefusal::TooMany)?;
                    if waiter.wanted.is_still_to_be_taken() {
                        let job = Job { shared: Arc::clone(&self.0), transform, permit };
                        // Others may wait for the result when this request ends early.
                        tokio::spawn(job.run(key.clone(), Arc::clone(&waiter.wanted), read()));
                    } else {
                        drop(permit);
                    }
                    waiter.wanted.wait().await
                }
            }
        };
        let done = timeout(self.0.limits.patience, waiting).await;
        done.unwrap_or(Err(ImageRefusal::TimedOut.into()))
    }
}

impl Shared {
    fn join<'a>(&'a self, key: &'a RenderKey) -> Waiter<'a> {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = wanted.entry(key.clone()).or_insert_with(|| {
            Arc::new(PendingResult {
                taken: AtomicBool::new(false),
                done: watch::Sender::new(None),
            })
        });
        Waiter { shared: self, key, wanted: Arc::clone(wanted) }
    }

    /// Takes a wish off the list if it is this one, which may be wished anew.
    fn leave(&self, key: &RenderKey, this: &Arc<PendingResult>, holders: usize) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = wanted.get(key).is_some_and(|known| Arc::ptr_eq(known, this));
        if is_this && Arc::strong_count(this) <= holders {
            wanted.remove(key);
        }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        // The list's and ours: nobody else waits and nobody works at it.
        self.shared.leave(self.key, &self.wanted, 2);
    }
}

impl PendingResult {
    async fn wait(&self) -> Result<Picture, RenderError> {
        let mut done = self.done.subscribe();
        let done = done.wait_for(Option::is_some).await;
        done.ok().and_then(|done| done.clone()).unwrap_or(Err(RenderError::Unread))
    }

    fn is_still_to_be_taken(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }
}

/// The making of one picture.
struct Job {
    shared: Arc<Shared>,
    transform: Transform,
    permit: Permit,
}

impl Job {
    /// Makes the picture for everybody who waits for it, even when those who do go away.
    async fn run(
        self,
        key: RenderKey,
        wanted: Arc<PendingResult>,
        read: impl Future<Output = Result<Bytes, RenderError>> + Send,
    ) {
        let shared = Arc::clone(&self.shared);
        let cancel_flag = CancelFlag::default();
        // Somebody may have made it between our first look and our permit.
        let done = match shared.result_cache.get(&key) {
            Some(known) => known.map_err(RenderError::Refused),
            None => {
                let work = self.work(key.webp, read, cancel_flag.clone());
                timeout(shared.limits.work, work)
                    .await
                    .unwrap_or(Err(ImageRefusal::TimedOut.into()))
            }
        };
        // Whatever is still at it: its permit and its memory come back when it has looked.
        cancel_flag.give();
        if let Some(known) = cacheable(&done) {
            shared.result_cache.put(key.clone(), known);
        }
        shared.leave(&key, &wanted, usize::MAX);
        wanted.done.send_replace(Some(done));
    }

    async fn work(
        self,
        webp: bool,
        read: impl Future<Output = Result<Bytes, RenderError>> + Send,
        cancel_flag: CancelFlag,
    ) -> Result<Picture, RenderError> {
        let bytes = read.await?;
        let span = tracing::Span::current();
        let done = spawn_blocking(move || {
            span.in_scope(|| {
                let done = self.render(&bytes, webp, &cancel_flag);
                drop(self.permit);
                done
            })
        });
        done.await
            .unwrap_or_else(|panic| {
                tracing::warn!(%panic, "picture decoder panicked");
                Err(ImageRefusal::Source)
            })
            .map_err(RenderError::Refused)
    }

    fn render(
        &self,
        bytes: &[u8],
        webp: bool,
        cancel_flag: &CancelFlag,
    ) -> Result<Picture, ImageRefusal> {
        let limits = &self.shared.limits;
        let rendering = Rendering::of(bytes, &self.transform, webp, limits.pixels, cancel_flag)?;
        let memory = rendering.memory() + bytes.len() as u64;
        // More than there is would be waited for without end.
        let pieces = u32::try_from(memory.div_ceil(PIECE)).ok();
        let pieces = pieces.filter(|pieces| *pieces <= self.shared.pieces);
        let pieces = pieces.ok_or(ImageRefusal::Resolution)?;
        let memory = Arc::clone(&self.shared.memory).acquire_many_owned(pieces);
        let _memory = Handle::current().block_on(memory).map_err(|_| ImageRefusal::TimedOut)?;
        if cancel_flag.is_given() {
            return Err(ImageRefusal::TimedOut);
        }
        rendering.run()
    }
}

/// What will be the same the next time.
fn cacheable(done: &Result<Picture, RenderError>) -> Option<RenderResult> {
    match done {
        Ok(picture) => Some(Ok(picture.clone())),
        Err(RenderError::Refused(refusal)) if refusal.is_final() => Some(Err(*refusal)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
