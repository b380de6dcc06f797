//! Settings of the log ring.

use super::reader::Reader;
use super::storage::size;

/// The smallest size of the ring.
const SMALLEST: u64 = 1 << 20;

/// The settings of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    /// `LOG_MAX_SIZE`: the most bytes of the ring; without it, no log is kept.
    pub max_size: Option<u64>,
}

/// Reads the settings of the log.
pub(super) fn read(reader: &mut Reader) -> LogSettings {
    let mut max_size = 64 << 20;
    reader.over_with(&mut max_size, &["LOG_MAX_SIZE"], "log.max_size", |text| match size(text) {
        Ok(size) if size == 0 || size >= SMALLEST => Ok(size),
        _ => Err("0, or a size from 1MiB"),
    });
    LogSettings { max_size: Some(max_size).filter(|size| *size > 0) }
}
