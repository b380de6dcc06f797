//! Work on files: where it is done, and what its failures mean.

use std::io::{self, ErrorKind};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::BytesError;

/// Nothing of that name, or below a file.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Pieces of files that are moved at once: enough for a disk that is far away. An allocator keeps
/// memory for every thread there ever was.
static MOVERS: Semaphore = Semaphore::const_new(16);

/// Moving a piece of a file: work on files that waits for nothing but the disk.
pub(super) async fn moving<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, BytesError> {
    let turn = MOVERS.acquire().await;
    let moved = blocking(work).await;
    drop(turn);
    moved
}

/// Work on files, on a thread that may wait.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, BytesError> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(refused),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is going down.
        Err(error) => Err(BytesError::Failed(error.into())),
    }
}

pub(super) fn refused(error: io::Error) -> BytesError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => BytesError::Missing,
        ErrorKind::InvalidFilename => BytesError::KeyTooLong,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            BytesError::Full(error.into())
        }
        _ => BytesError::Failed(error.into()),
    }
}
