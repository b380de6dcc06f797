//! A sign to work on another thread that nobody waits for it any more.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use webpx::{Stop, StopReason};

/// Stops the work that looks at it. Clones are the same sign.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Gives the sign.
    pub fn give(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was given.
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

/// Bytes that can no longer be read once the sign is given.
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
        // In pieces, so that the sign is looked for between them.
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

/// Bytes that are read between two looks.
const PIECE: usize = 16 << 10;
