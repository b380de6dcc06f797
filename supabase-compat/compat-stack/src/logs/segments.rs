//! Reads the ring: entries by filter, the latest ones, and new ones as they are appended.
//!
//! It reads entries of every process. A broken line is skipped; a line without an end is left for
//! the next read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::LogEntry;

/// The ring's folder within a data folder.
pub fn logs_folder(data_dir: &Path) -> PathBuf {
    data_dir.join("logs")
}

/// Why the log could not be read.
pub type ReadError = io::Error;

/// A range of statuses to filter by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusRange(RangeInclusive<u16>);

impl std::str::FromStr for StatusRange {
    type Err = &'static str;

    /// `404`, `5xx`, or `400-499`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "a status such as 404, 5xx or 400-499";
        let number = |text: &str| text.parse::<u16>().ok().filter(|it| (100..=599).contains(it));
        let class = text.strip_suffix("xx").and_then(|digit| digit.parse::<u16>().ok());
        let range = match (class, text.split_once('-')) {
            (Some(class), _) => Some(class.saturating_mul(100)..=class.saturating_mul(100) + 99),
            (None, Some((from, to))) => number(from).zip(number(to)).map(|(from, to)| from..=to),
            (None, None) => number(text).map(|one| one..=one),
        };
        let range = range.filter(|range| *range.start() >= 100 && *range.end() <= 599);
        range.filter(|range| !range.is_empty()).map(Self).ok_or(EXPECTED)
    }
}

/// A filter for entries; a field that is none accepts all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// The service, as in [`LogEntry::service`].
    pub service: Option<String>,
    /// The name of a function.
    pub function: Option<String>,
    /// The earliest time of an entry.
    pub since: Option<DateTime<Utc>>,
    /// Requests that were answered with such a status.
    pub status: Option<StatusRange>,
    /// Requests whose path begins with this text.
    pub path: Option<String>,
    /// Requests of this account.
    pub user: Option<String>,
    /// Entries of this request.
    pub request_id: Option<String>,
    /// Whether only the output of functions is accepted.
    pub is_printed: bool,
}

impl LogFilter {
    /// Whether the filter accepts an entry.
    pub fn accepts(&self, entry: &LogEntry) -> bool {
        let is = |expected: &Option<String>, actual: Option<&str>| {
            expected.as_deref().is_none_or(|expected| actual == Some(expected))
        };
        is(&self.service, Some(&entry.service))
            && is(&self.function, entry.function.as_deref())
            && is(&self.user, entry.user.as_deref())
            && is(&self.request_id, entry.request_id.as_deref())
            && !(self.is_printed && (entry.is_request() || entry.function.is_none()))
            && self.since.is_none_or(|since| entry.time >= since)
            && self
                .status
                .as_ref()
                .is_none_or(|range| entry.status.is_some_and(|status| range.0.contains(&status)))
            && self.path.as_ref().is_none_or(|prefix| {
                entry.path.as_ref().is_some_and(|path| path.starts_with(prefix.as_str()))
            })
    }
}

/// A position in the ring, behind the last entry that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPosition {
    /// The number of the segment.
    pub segment: u64,
    /// The offset in the segment, in bytes.
    pub offset: u64,
}

/// The last `limit` entries that `filter` accepts, oldest first. `folder` is the one of
/// [`logs_folder`]; a missing folder has no entries.
///
/// # Errors
/// A segment cannot be read.
pub fn read_logs(
    folder: &Path,
    filter: &LogFilter,
    limit: usize,
) -> Result<Vec<LogEntry>, ReadError> {
    read_tail(folder, filter, limit).map(|(entries, _)| entries)
}

/// As [`read_logs`], with the position from which a [`Follower`] continues.
///
/// # Errors
/// As [`read_logs`].
pub fn read_tail(
    folder: &Path,
    filter: &LogFilter,
    limit: usize,
) -> Result<(Vec<LogEntry>, LogPosition), ReadError> {
    let (mut lines, mut end) = (VecDeque::new(), None);
    for number in numbers(folder)?.into_iter().rev() {
        let mut accepted = VecDeque::new();
        let place = LogPosition { segment: number, offset: 0 };
        if end.is_some() && is_older(folder, number, filter.since) {
            break;
        }
        let offset = read_segment(folder, place, |_, entry| {
            if filter.accepts(&entry) {
                accepted.push_back(entry);
                if accepted.len() > limit {
                    accepted.pop_front();
                }
            }
        })?;
        end = end.or(Some(LogPosition { segment: number, offset }));
        while lines.len() < limit
            && let Some(entry) = accepted.pop_back()
        {
            lines.push_front(entry);
        }
        if lines.len() >= limit {
            break;
        }
    }
    let mut entries = Vec::from(lines);
    // Processes that share the folder append their entries a few milliseconds late.
    entries.sort_by_key(|entry| entry.time);
    Ok((entries, end.unwrap_or_default()))
}

/// Visits every entry with its position, the newest segment first and each segment from its end,
/// until `visit` breaks off. At most one segment is held in memory. Entries before `since` may be
/// left out.
///
/// # Errors
/// As [`read_logs`].
pub fn visit_newest_first(
    folder: &Path,
    since: Option<DateTime<Utc>>,
    mut visit: impl FnMut(LogPosition, LogEntry) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    for number in numbers(folder)?.into_iter().rev() {
        if is_older(folder, number, since) {
            break;
        }
        let mut entries = Vec::new();
        let place = LogPosition { segment: number, offset: 0 };
        read_segment(folder, place, |place, entry| entries.push((place, entry)))?;
        for (place, entry) in entries.into_iter().rev() {
            if visit(place, entry).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads the entries that are appended after a position, across segments.
#[derive(Debug, Clone)]
pub struct Follower {
    folder: PathBuf,
    place: LogPosition,
}

impl Follower {
    /// A follower that continues from `place`.
    pub fn new(folder: &Path, place: LogPosition) -> Self {
        Self { folder: folder.to_owned(), place }
    }

    /// Visits the entries that were appended since the last call.
    ///
    /// # Errors
    /// As [`read_logs`].
    pub fn read(&mut self, mut visit: impl FnMut(LogEntry)) -> Result<(), ReadError> {
        // The segments are listed before they are read. A process that has begun a new segment no
        // longer appends to the previous one, so the last listed segment is left only at the next
        // call.
        let (listed, first) = (numbers(&self.folder)?, self.place.segment);
        for number in listed.into_iter().filter(|number| *number >= first) {
            if number > self.place.segment {
                self.place = LogPosition { segment: number, offset: 0 };
            }
            self.place.offset = read_segment(&self.folder, self.place, |_, entry| visit(entry))?;
        }
        Ok(())
    }
}

/// The segments of a folder, oldest first.
pub(super) fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut numbers: Vec<u64> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".jsonl")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    Ok(numbers)
}

pub(super) fn segment_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.jsonl"))
}

/// Whether everything in a segment was written before `since`.
fn is_older(folder: &Path, number: u64, since: Option<DateTime<Utc>>) -> bool {
    let Some(since) = since else { return false };
    let modified_at = std::fs::metadata(segment_path(folder, number)).and_then(|it| it.modified());
    modified_at.is_ok_and(|modified_at| DateTime::<Utc>::from(modified_at) < since)
}

/// Reads a segment from a position; returns the end of its last whole line. A segment that was
/// removed meanwhile counts as empty.
fn read_segment(
    folder: &Path,
    from: LogPosition,
    mut visit: impl FnMut(LogPosition, LogEntry),
) -> io::Result<u64> {
    let mut file = match File::open(segment_path(folder, from.segment)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(from.offset),
        Err(error) => return Err(error),
    };
    file.seek(SeekFrom::Start(from.offset))?;
    let (mut reader, mut line, mut place) = (BufReader::new(file), Vec::new(), from);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            return Ok(place.offset);
        }
        if let Ok(entry) = serde_json::from_slice(&line) {
            visit(place, entry);
        }
        place.offset += read;
    }
}
