//! A small pool of threads that read and write pieces of files.
//!
//! The runtime creates a thread whenever none is free, and an allocator keeps memory for every
//! thread that ever existed. The frequent work, one task for each piece of a large object, runs
//! here instead.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread;

use flume::{Receiver, Sender};
use tokio::sync::oneshot;

use crate::bytes::BytesError;
use crate::bytes::disk::storage_error;

/// Enough for a disk with high latency.
const THREADS: usize = 16;

type IoTask = Box<dyn FnOnce() + Send>;

/// The threads, which are started by the first piece and end with the last clone. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct IoPool(Arc<OnceLock<Sender<IoTask>>>);

impl IoPool {
    /// Runs work on a piece, which blocks on the disk only.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, BytesError> {
        let (done, completion) = oneshot::channel();
        let waiting = self.sender(start)?.send(Box::new(move || {
            let _ = done.send(work());
        }));
        let moved = match waiting {
            Ok(()) => completion.await.map_err(|_| "file thread ended before its work"),
            Err(_) => Err("no file thread is running"),
        };
        moved.map_err(|cause| BytesError::Failed(cause.into()))?.map_err(storage_error)
    }

    /// The channel to the threads. A start that fails is not kept: the next piece tries again.
    fn sender(
        &self,
        start: impl FnOnce() -> io::Result<Sender<IoTask>>,
    ) -> Result<&Sender<IoTask>, BytesError> {
        if let Some(sender) = self.0.get() {
            return Ok(sender);
        }
        let sender = start().map_err(|error| BytesError::Failed(Box::new(error)))?;
        // Of two starts at once one is kept. The threads of the other end with its channel.
        Ok(self.0.get_or_init(|| sender))
    }
}

/// Starts the threads; fails only if none of them starts.
fn start() -> io::Result<Sender<IoTask>> {
    let (sender, receiver) = flume::unbounded();
    let mut outcome = Ok(());
    let mut started = 0;
    for _ in 0..THREADS {
        let receiver = receiver.clone();
        let thread = thread::Builder::new().name("files".to_owned());
        match thread.spawn(move || work_off(&receiver)) {
            Ok(_) => started += 1,
            Err(error) => {
                tracing::error!(%error, "cannot start a file thread");
                outcome = Err(error);
            }
        }
    }
    if started == 0 {
        outcome?;
    }
    Ok(sender)
}

/// Runs tasks until the channel closes. A task that panics drops its reply, and the thread
/// continues.
fn work_off(waiting: &Receiver<IoTask>) {
    for work in waiting {
        let _ = catch_unwind(AssertUnwindSafe(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn panicking_task_fails_alone() {
        let io_pool = IoPool::default();
        for _ in 0..2 * THREADS {
            let moved = io_pool.run(|| -> io::Result<()> { panic!("on purpose") }).await;
            assert!(matches!(moved, Err(BytesError::Failed(_))), "{moved:?}");
        }
        assert_eq!(io_pool.run(|| Ok(7)).await.expect("moved"), 7);
    }

    #[tokio::test]
    async fn failed_start_is_tried_again() {
        let io_pool = IoPool::default();
        let failed = io_pool.sender(|| Err(io::ErrorKind::WouldBlock.into())).map(|_| ());
        assert!(matches!(failed, Err(BytesError::Failed(_))), "{failed:?}");
        assert_eq!(io_pool.run(|| Ok(7)).await.expect("moved"), 7);
    }

    #[tokio::test]
    async fn io_pool_returns_disk_errors() {
        let missing = || Err::<(), _>(io::ErrorKind::NotFound.into());
        assert!(matches!(IoPool::default().run(missing).await, Err(BytesError::Missing)));
    }
}
