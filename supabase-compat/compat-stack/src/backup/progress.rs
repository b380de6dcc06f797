//! Measures the progress of a backup by the bytes read, and cancels a running backup.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use compat_console::BackupProgress;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio_util::sync::CancellationToken;

/// Counts the bytes read, and fails once the backup is cancelled.
pub(super) struct CountedReader<'a, R> {
    from: R,
    progress: &'a BackupProgress,
}

impl<'a, R> CountedReader<'a, R> {
    pub fn new(from: R, progress: &'a BackupProgress) -> Self {
        Self { from, progress }
    }
}

impl<R: Read> Read for CountedReader<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.progress.cancelled().is_cancelled() {
            return Err(io::Error::other("it was cancelled"));
        }
        let count = self.from.read(into)?;
        self.progress.add(count as u64);
        Ok(count)
    }
}

/// The process of a running dump, which a cancellation must end: while `pg_dump` waits for a lock
/// it writes nothing, so the thread that reads its output would wait, too.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningDump(Arc<Mutex<Option<u32>>>);

impl RunningDump {
    /// Stores the process id, and ends the process at once if the backup was cancelled before.
    pub fn begin(&self, process: u32, cancelled: &CancellationToken) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(process);
        if cancelled.is_cancelled() {
            self.kill();
        }
    }

    pub fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Waits for the work, and ends the process if the token is cancelled meanwhile.
    pub async fn end_when<T>(
        &self,
        cancelled: &CancellationToken,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            done = &mut work => return done,
            () = cancelled.cancelled() => self.kill(),
        }
        work.await
    }

    fn kill(&self) {
        // The lock is held, so that `end` cannot release the process id before the signal is sent.
        let process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = process.and_then(|id| i32::try_from(id).ok())
            && let Err(error) = kill(Pid::from_raw(id), Signal::SIGTERM)
        {
            tracing::warn!(%error, "cannot end pg_dump");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelled_progress_reads_no_further() {
        let progress = BackupProgress::default();
        let mut reader = CountedReader::new(&b"abcdef"[..], &progress);
        let mut three = [0; 3];
        assert_eq!(reader.read(&mut three).expect("bytes"), 3);
        progress.cancelled().cancel();
        assert!(reader.read(&mut three).is_err());
        assert_eq!(progress.bytes(), 3);
    }
}
