//! Gives a copied cluster an identity of its own, as `initdb` and `pg_createsubscriber` do.
//!
//! The system identifier tells clusters apart, for example where their write-ahead logs are kept
//! in one archive. It is in `pg_control` and in the first page of each file of the write-ahead log
//! (`ControlFileData` in `catalog/pg_control.h`, `XLogLongPageHeaderData` in
//! `access/xlog_internal.h`). The start of these structures is the same from PostgreSQL 14 to 18.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crc::{CRC_32_ISCSI, Crc};
use rand::Rng as _;

use super::error::EmbeddedError;

/// The checksum of `pg_control`.
static CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// Places in `pg_control`, in bytes.
mod control {
    use std::ops::Range;

    pub const SYSTEM_IDENTIFIER: Range<usize> = 0..8;
    pub const STATE: Range<usize> = 16..20;
    pub const CHECKPOINT: Range<usize> = 32..40;
    pub const TIMELINE: Range<usize> = 48..52;
    /// Where the checksum may be; the size of the structure depends on the version.
    pub const CHECKSUM: Range<usize> = 256..508;
    /// `DB_SHUTDOWNED`: no recovery is needed.
    pub const SHUT_DOWN: u32 = 1;
    /// The length of the nonce for passwords of unknown roles, which precedes the checksum.
    pub const NONCE: usize = 32;
}

/// Where the first page of a file of the write-ahead log has the system identifier, in bytes.
const IDENTIFIER_IN_WAL: u64 = 24;
/// The size of a file of the write-ahead log that `initdb` chooses, in bytes.
const WAL_SEGMENT: u64 = 16 << 20;

/// The content of `pg_control` that this module needs.
struct ControlFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Where the checksum is.
    checksum: usize,
}

/// The file of the write-ahead log that a cluster needs for its next start.
///
/// # Errors
/// The cluster was not shut down cleanly, or `pg_control` cannot be read.
pub(super) fn last_wal_file(data: &Path) -> Result<PathBuf, EmbeddedError> {
    let control = ControlFile::read(data)?;
    if control.number::<4>(control::STATE) != u64::from(control::SHUT_DOWN) {
        let error = io::Error::new(ErrorKind::InvalidData, "the server was not shut down");
        return Err(EmbeddedError::file(&control.path)(error));
    }
    Ok(data.join("pg_wal").join(control.wal_file()))
}

/// Gives the cluster a new system identifier and a new nonce. No server may run on it.
///
/// # Errors
/// A file cannot be read or written, or has another layout.
pub(super) fn renew(data: &Path) -> Result<(), EmbeddedError> {
    let mut control = ControlFile::read(data)?;
    let wal = data.join("pg_wal").join(control.wal_file());
    let identifier = new_identifier().to_le_bytes();
    let outcome = replace_identifier_in_wal(&wal, control.identifier(), &identifier);
    outcome.map_err(EmbeddedError::file(&wal))?;
    control.bytes[control::SYSTEM_IDENTIFIER].copy_from_slice(&identifier);
    // Alignment may put up to three unused bytes before the checksum; they may have any value.
    let nonce = control.checksum - control::NONCE..control.checksum;
    fill_randomly(&mut control.bytes[nonce]);
    control.write()
}

impl ControlFile {
    fn read(data: &Path) -> Result<Self, EmbeddedError> {
        let path = data.join("global/pg_control");
        let bytes = fs::read(&path).map_err(EmbeddedError::file(&path))?;
        let checksum_at = |place: &usize| {
            let stored = bytes.get(*place..place + 4);
            stored.is_some_and(|stored| stored == CRC32C.checksum(&bytes[..*place]).to_le_bytes())
        };
        let Some(checksum) = control::CHECKSUM.step_by(4).find(checksum_at) else {
            let error = io::Error::new(ErrorKind::InvalidData, "its checksum is wrong");
            return Err(EmbeddedError::file(&path)(error));
        };
        Ok(Self { path, bytes, checksum })
    }

    fn identifier(&self) -> &[u8] {
        &self.bytes[control::SYSTEM_IDENTIFIER]
    }

    /// A little-endian number of `SIZE` bytes.
    fn number<const SIZE: usize>(&self, place: std::ops::Range<usize>) -> u64 {
        self.bytes[place].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// The name of the file of the write-ahead log that contains the last checkpoint.
    fn wal_file(&self) -> String {
        let segment = self.number::<8>(control::CHECKPOINT) / WAL_SEGMENT;
        let (high, low) = (segment >> 8, segment & 0xff);
        format!("{:08X}{high:08X}{low:08X}", self.number::<4>(control::TIMELINE))
    }

    fn write(mut self) -> Result<(), EmbeddedError> {
        let checksum = CRC32C.checksum(&self.bytes[..self.checksum]).to_le_bytes();
        self.bytes[self.checksum..self.checksum + 4].copy_from_slice(&checksum);
        // In place, so that the file keeps its owner.
        let file = OpenOptions::new().write(true).open(&self.path);
        file.and_then(|file| file.write_all_at(&self.bytes, 0))
            .map_err(EmbeddedError::file(&self.path))
    }
}

/// Replaces the identifier in the first page of a file of the write-ahead log.
fn replace_identifier_in_wal(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut header = [0; IDENTIFIER_IN_WAL as usize + 8];
    file.read_exact(&mut header)?;
    if &header[IDENTIFIER_IN_WAL as usize..] != old {
        return Err(io::Error::new(ErrorKind::InvalidData, "it belongs to another cluster"));
    }
    file.write_all_at(new, IDENTIFIER_IN_WAL)
}

#[expect(clippy::disallowed_methods, reason = "the nonce is a secret, and no test depends on it")]
fn fill_randomly(bytes: &mut [u8]) {
    rand::rng().fill_bytes(bytes);
}

/// A system identifier as `initdb` makes it: seconds, microseconds and the process.
#[expect(clippy::disallowed_methods, reason = "it must differ from that of every other cluster")]
fn new_identifier() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let process = u64::from(std::process::id()) & 0xfff;
    now.as_secs() << 32 | u64::from(now.subsec_micros()) << 12 | process
}
