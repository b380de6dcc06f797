//! A flag that cancels work on another thread when no request waits for its result any more.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use webpx::{Stop, StopReason};

/// Cancels the work that checks it. Clones share one flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Sets the flag.
    pub fn give(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Stop for CancelFlag {
    fn check(&self) -> Result<(), StopReason> {
        if self.is_given() { Err(StopReason::TimedOut) } else { Ok(()) }
    }
}

/// A reader that fails once the flag is set.
pub(super) struct CancellableReader<'a> {
    bytes: Cursor<&'a [u8]>,
    cancel_flag: CancelFlag,
}

impl<'a> CancellableReader<'a> {
    pub fn new(bytes: &'a [u8], cancel_flag: CancelFlag) -> Self {
        Self { bytes: Cursor::new(bytes), cancel_flag }
    }

    fn check(&self) -> io::Result<()> {
        if self.cancel_flag.is_given() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

impl Read for CancellableReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        self.bytes.read(buffer)
    }
}

impl BufRead for CancellableReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        // Returns small pieces, so that the flag is checked between them.
        let left = self.bytes.fill_buf()?;
        Ok(&left[..left.len().min(PIECE)])
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
    }
}

impl Seek for CancellableReader<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(position)
    }
}

/// The number of bytes between two checks of the flag.
const PIECE: usize = 16 << 10;
