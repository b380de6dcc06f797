//! The renderer: caches results, renders concurrent identical requests once, shares permits fairly
//! between clients, bounds memory and time, and works off the async threads.

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

/// The unit of the memory semaphore in bytes.
const PIECE: u64 = 1 << 10;

/// The limits of the renderer. They bound the cost of pictures from untrusted sources.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum number of pixels of a source.
    pub pixels: u64,
    /// The maximum size of a source in bytes.
    pub bytes: u64,
    /// The memory of all renderings together in bytes; a picture that alone needs more is rejected.
    pub memory: u64,
    /// The maximum number of concurrent renderings.
    pub workers: usize,
    /// The maximum number of requests waiting for a permit; one client may hold a quarter of them.
    pub waiting: usize,
    /// The maximum waiting time of a request in total.
    pub time_limit: Duration,
    /// The maximum time for one picture, including reading its source.
    pub work: Duration,
    /// The size of the result cache in bytes.
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
            time_limit: Duration::from_secs(20),
            work: Duration::from_secs(15),
            cache_bytes: 32 << 20,
        }
    }
}

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The renderer rejected the picture or the request.
    #[error(transparent)]
    Refused(#[from] ImageRefusal),
    /// The source's content is missing.
    #[error("the source is missing")]
    Missing,
    /// The source's content could not be read; the reader has logged the cause.
    #[error("the source could not be read")]
    Unread,
}

/// Renders pictures. Clones share limits, cache and permits.
#[derive(Clone)]
pub struct Renderer(Arc<Shared>);

struct Shared {
    limits: Limits,
    result_cache: ResultCache,
    workers: FairSemaphore,
    memory: Arc<Semaphore>,
    /// The total memory, in units of [`PIECE`].
    pieces: u32,
    /// The pending results by key, so that identical requests render once.
    pending: Mutex<HashMap<RenderKey, Arc<PendingResult>>>,
}

/// A result that requests wait for.
struct PendingResult {
    is_taken: AtomicBool,
    done: watch::Sender<Option<Result<Picture, RenderError>>>,
}

/// A request that waits for a pending result.
struct Waiter<'a> {
    shared: &'a Shared,
    key: &'a RenderKey,
    pending: Arc<PendingResult>,
}

impl Renderer {
    /// Creates a renderer with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let pieces = u32::try_from(limits.memory / PIECE).unwrap_or(u32::MAX);
        Self(Arc::new(Shared {
            result_cache: ResultCache::new(limits.cache_bytes),
            workers: FairSemaphore::new(compat_fair_semaphore::Limits {
                permits: limits.workers,
                // One client cannot hold the last permit.
                per_client: limits.workers.saturating_sub(1),
                waiting: limits.waiting,
                waiting_per_client: limits.waiting.div_ceil(4),
                reserve: None,
            }),
            memory: Arc::new(Semaphore::new(pieces as usize)),
            pieces,
            pending: Mutex::default(),
            limits,
        }))
    }

    /// The renderer's limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Returns the requested picture: from the cache, from a concurrent identical request, or
    /// rendered now from what `read` returns, under a permit of the client.
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
                // A finished result takes precedence over a permit, which another picture can use.
                biased;
                done = waiter.pending.wait() => done,
                permit = self.0.workers.acquire(client) => {
                    let permit = permit.map_err(|QueueFull| ImageRefusal::TooMany)?;
                    if waiter.pending.is_still_to_be_taken() {
                        let job = Job { shared: Arc::clone(&self.0), transform, permit };
                        // A task of its own, because other requests may wait for the result when
                        // this one ends early.
                        tokio::spawn(job.run(key.clone(), Arc::clone(&waiter.pending), read()));
                    } else {
                        drop(permit);
                    }
                    waiter.pending.wait().await
                }
            }
        };
        let done = timeout(self.0.limits.time_limit, waiting).await;
        done.unwrap_or(Err(ImageRefusal::TimedOut.into()))
    }
}

impl Shared {
    fn join<'a>(&'a self, key: &'a RenderKey) -> Waiter<'a> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = pending.entry(key.clone()).or_insert_with(|| {
            Arc::new(PendingResult {
                is_taken: AtomicBool::new(false),
                done: watch::Sender::new(None),
            })
        });
        Waiter { shared: self, key, pending: Arc::clone(pending) }
    }

    /// Removes a pending result if the map still holds this one and at most `holders` references to
    /// it exist; a later request may have added a new one under the same key.
    fn leave(&self, key: &RenderKey, this: &Arc<PendingResult>, holders: usize) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = pending.get(key).is_some_and(|known| Arc::ptr_eq(known, this));
        if is_this && Arc::strong_count(this) <= holders {
            pending.remove(key);
        }
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        // Two references, the map's and ours, mean that no other request waits and no job runs.
        self.shared.leave(self.key, &self.pending, 2);
    }
}

impl PendingResult {
    async fn wait(&self) -> Result<Picture, RenderError> {
        let mut done = self.done.subscribe();
        let done = done.wait_for(Option::is_some).await;
        done.ok().and_then(|done| done.clone()).unwrap_or(Err(RenderError::Unread))
    }

    fn is_still_to_be_taken(&self) -> bool {
        !self.is_taken.swap(true, Ordering::Relaxed)
    }
}

/// The rendering of one picture.
struct Job {
    shared: Arc<Shared>,
    transform: Transform,
    permit: Permit,
}

impl Job {
    /// Renders the picture for all waiting requests, even if they end early.
    async fn run(
        self,
        key: RenderKey,
        pending: Arc<PendingResult>,
        read: impl Future<Output = Result<Bytes, RenderError>> + Send,
    ) {
        let shared = Arc::clone(&self.shared);
        let cancel_flag = CancelFlag::default();
        // Another job may have finished between the first cache lookup and the permit.
        let done = match shared.result_cache.get(&key) {
            Some(known) => known.map_err(RenderError::Refused),
            None => {
                let work = self.work(key.webp, read, cancel_flag.clone());
                timeout(shared.limits.work, work)
                    .await
                    .unwrap_or(Err(ImageRefusal::TimedOut.into()))
            }
        };
        // A blocking thread may still work: it frees its permit and memory when it checks the flag.
        cancel_flag.give();
        if let Some(known) = cacheable(&done) {
            shared.result_cache.put(key.clone(), known);
        }
        shared.leave(&key, &pending, usize::MAX);
        pending.done.send_replace(Some(done));
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
        // A request for more memory than the total would wait forever.
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

/// The part of a result that would be the same next time.
fn cacheable(done: &Result<Picture, RenderError>) -> Option<RenderResult> {
    match done {
        Ok(picture) => Some(Ok(picture.clone())),
        Err(RenderError::Refused(refusal)) if refusal.is_final() => Some(Err(*refusal)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
