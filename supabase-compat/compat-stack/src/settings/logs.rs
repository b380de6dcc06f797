//! Settings of the log's ring.

use super::reader::Reader;
use super::storage::size;

/// The ring is no smaller than this.
const SMALLEST: u64 = 1 << 20;

/// How the log is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    /// `LOG_MAX_SIZE`: the most bytes of the ring; none keeps no log.
    pub max_size: Option<u64>,
}

/// Reads them.
pub(super) fn read(reader: &mut Reader) -> LogSettings {
    let mut max_size = 64 << 20;
    reader.over_with(&mut max_size, &["LOG_MAX_SIZE"], "log.max_size", |text| match size(text) {
        Ok(size) if size == 0 || size >= SMALLEST => Ok(size),
        _ => Err("0, or a size from 1MiB"),
    });
    LogSettings { max_size: Some(max_size).filter(|size| *size > 0) }
}
