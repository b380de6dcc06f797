//! Runs work on files off the async threads, and maps its errors.

use std::io::{self, ErrorKind};

use tokio::task::spawn_blocking;

use super::BytesError;

/// Whether the error means that the path does not exist.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Runs work on files on a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, BytesError> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(storage_error),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down.
        Err(error) => Err(BytesError::Failed(error.into())),
    }
}

pub(super) fn storage_error(error: io::Error) -> BytesError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => BytesError::Missing,
        ErrorKind::InvalidFilename => BytesError::KeyTooLong,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            BytesError::Full(error.into())
        }
        _ => BytesError::Failed(error.into()),
    }
}
