//! Writes the ring: appends to the newest segment, begins another when it is full, and removes the
//! oldest.
//!
//! Several processes may share a folder. Every append is one write of whole lines at the end of the
//! file, which the operating system does not mix with those of other processes. A process that
//! finds a segment full creates the next one, or uses it if another process has created it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::segments::{numbers, segment_path};

/// The number of segments; the oldest is removed when the ring is full.
const SEGMENTS: u64 = 16;
/// The smallest size of a segment, which leaves room for a line.
const SMALLEST_SEGMENT: u64 = 64 * 1024;

/// The ring as one process writes it.
pub(super) struct Ring {
    folder: PathBuf,
    max_size: u64,
    segment_size: u64,
    open: Option<Segment>,
}

struct Segment {
    number: u64,
    file: File,
}

impl Ring {
    /// A ring of at most `max_size` bytes in `folder`, which is created at the first append.
    pub fn new(folder: &Path, max_size: u64) -> Self {
        let segment_size = (max_size / SEGMENTS).max(SMALLEST_SEGMENT);
        Self { folder: folder.to_owned(), max_size, segment_size, open: None }
    }

    /// The most bytes that one [`Self::append`] can write.
    pub fn largest_append(&self) -> usize {
        usize::try_from(self.segment_size).unwrap_or(usize::MAX)
    }

    /// Appends whole lines.
    ///
    /// # Errors
    /// The disk is full or the folder cannot be written; the next append opens the segment again.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let segment = match self.with_room(lines.len() as u64) {
            Ok(segment) => segment,
            Err(error) => {
                self.open = None;
                return Err(error);
            }
        };
        let result = segment.file.write_all(lines);
        if result.is_err() {
            self.open = None;
        }
        result
    }

    /// The segment to which so many bytes are appended.
    fn with_room(&mut self, bytes: u64) -> io::Result<&mut Segment> {
        if self.open.is_none() {
            let mut folder = fs::DirBuilder::new();
            folder.recursive(true).mode(0o700).create(&self.folder)?;
            let newest = numbers(&self.folder)?.last().copied().unwrap_or(1);
            self.open = Some(self.open_segment(newest)?);
            self.prune()?;
        }
        loop {
            let Some(segment) = &self.open else { return Err(io::ErrorKind::NotFound.into()) };
            let metadata = segment.file.metadata()?;
            let (is_removed, length) = (metadata.nlink() == 0, metadata.len());
            if !is_removed && (length == 0 || length + bytes <= self.segment_size) {
                break;
            }
            let newest = numbers(&self.folder)?.last().copied().unwrap_or_default();
            let next = if newest > segment.number { newest } else { segment.number + 1 };
            self.open = Some(self.open_segment(next)?);
            self.prune()?;
        }
        self.open.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Opens a segment. A line that a crash left unfinished gets a line end, so that the next line
    /// is read by itself. A line that another process is appending looks the same and gets an empty
    /// line after it, which readers skip.
    fn open_segment(&self, number: u64) -> io::Result<Segment> {
        let mut options = OpenOptions::new();
        let options = options.create(true).append(true).read(true).mode(0o600);
        let mut file = options.open(segment_path(&self.folder, number))?;
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                file.write_all(b"\n")?;
            }
        }
        Ok(Segment { number, file })
    }

    /// Removes the oldest segments until there is room for a full one.
    fn prune(&self) -> io::Result<()> {
        let current = self.open.as_ref().map_or(0, |segment| segment.number);
        let older: Vec<u64> =
            numbers(&self.folder)?.into_iter().filter(|number| *number < current).collect();
        let mut room = self.max_size.saturating_sub(self.segment_size);
        for number in older.into_iter().rev() {
            let path = segment_path(&self.folder, number);
            // Another process may have removed the segment meanwhile.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            match room.checked_sub(metadata.len()) {
                Some(left) => room = left,
                None => {
                    room = 0;
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
