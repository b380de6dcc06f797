//! Parses the records of a CSV file (RFC 4180) from chunks as they arrive, with the place at which
//! each begins.
//!
//! This module knows nothing of tables, and holds one record at a time.

use compat_pg::RowPlace;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The initial capacity for a record, in bytes and in cells.
const BYTES: usize = 16 * 1024;
const CELLS: usize = 64;
/// The most bytes and cells of a record; no table has as many columns.
const LONGEST_RECORD: usize = 16 * 1024 * 1024;
const MOST_CELLS: usize = 4_096;

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CsvError {
    #[error("The row that begins in line {0} is too large.")]
    RecordTooLarge(u64),
    #[error("A quotation mark is missing: the row that begins in line {0} does not end.")]
    OpenQuote(u64),
}

/// A parsed record.
pub(crate) struct CsvRecord<'a> {
    pub place: RowPlace,
    bytes: &'a [u8],
    ends: &'a [usize],
}

impl<'a> CsvRecord<'a> {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of a cell; empty if the record is shorter.
    pub(crate) fn cell(&self, at: usize) -> &'a [u8] {
        let start = if at == 0 { Some(&0) } else { self.ends.get(at - 1) };
        let range = start.zip(self.ends.get(at)).map(|(start, end)| *start..*end);
        range.and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }
}

/// Parses the records after the heading.
pub(crate) struct CsvRows {
    reader: Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    filled: usize,
    cells: usize,
    /// The number of line breaks read, and whether the last byte was one.
    breaks: u64,
    is_at_break: bool,
    /// The number of records that are not blank, without the heading.
    rows: u64,
    is_behind_heading: bool,
}

/// The parts of the buffers that a record uses.
struct RecordSize {
    place: RowPlace,
    bytes: usize,
    cells: usize,
}

impl CsvRows {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            bytes: vec![0; BYTES],
            ends: vec![0; CELLS],
            filled: 0,
            cells: 0,
            breaks: 0,
            is_at_break: false,
            rows: 0,
            is_behind_heading: false,
        }
    }

    /// Parses a chunk up to the end of a record; returns the number of bytes read, and the record
    /// if it is complete.
    pub(crate) fn read(
        &mut self,
        piece: &[u8],
    ) -> Result<(usize, Option<CsvRecord<'_>>), CsvError> {
        let mut length = 0;
        while length < piece.len() {
            let (read, record) = self.step(&piece[length..])?;
            length += read;
            if let Some(size) = record {
                return Ok((length, Some(self.record(&size))));
            }
        }
        Ok((length, None))
    }

    /// The last record, if no line break ends it.
    pub(crate) fn finish(&mut self) -> Result<Option<CsvRecord<'_>>, CsvError> {
        let line = self.open_line();
        let record = loop {
            // Inside of quotation marks, a line break is text and ends nothing.
            let before = self.filled;
            let (read, record) = self.step(b"\n")?;
            match (read, record) {
                (0, _) => {}
                (_, None) if self.filled > before => return Err(CsvError::OpenQuote(line)),
                (_, record) => break record,
            }
        };
        Ok(record.map(|size| self.record(&size)))
    }

    fn record(&self, size: &RecordSize) -> CsvRecord<'_> {
        CsvRecord {
            place: size.place,
            bytes: &self.bytes[..size.bytes],
            ends: &self.ends[..size.cells],
        }
    }

    /// Parses until a record ends, the input ends, or the buffers are full, and then enlarges them.
    fn step(&mut self, input: &[u8]) -> Result<(usize, Option<RecordSize>), CsvError> {
        let (bytes, ends) = (&mut self.bytes[self.filled..], &mut self.ends[self.cells..]);
        let (result, read, written, ended) = self.reader.read_record(input, bytes, ends);
        let consumed = &input[..read];
        self.filled += written;
        self.cells += ended;
        self.breaks += consumed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.is_at_break = consumed.last().map_or(self.is_at_break, |byte| *byte == b'\n');
        let record = match result {
            ReadRecordResult::OutputFull if self.bytes.len() >= LONGEST_RECORD => {
                return Err(CsvError::RecordTooLarge(self.open_line()));
            }
            ReadRecordResult::OutputEndsFull if self.ends.len() >= MOST_CELLS => {
                return Err(CsvError::RecordTooLarge(self.open_line()));
            }
            ReadRecordResult::OutputFull => {
                self.bytes.resize(self.bytes.len() * 2, 0);
                None
            }
            ReadRecordResult::OutputEndsFull => {
                self.ends.resize(self.ends.len() * 2, 0);
                None
            }
            ReadRecordResult::InputEmpty | ReadRecordResult::End => None,
            ReadRecordResult::Record => self.end_record(),
        };
        Ok((read, record))
    }

    /// Ends a record; none if it is the heading, or blank.
    fn end_record(&mut self) -> Option<RecordSize> {
        let line = self.line();
        let (bytes, cells) = (std::mem::take(&mut self.filled), std::mem::take(&mut self.cells));
        let is_blank = self.bytes[..bytes].iter().all(u8::is_ascii_whitespace);
        if is_blank || !std::mem::replace(&mut self.is_behind_heading, true) {
            return None;
        }
        self.rows += 1;
        Some(RecordSize { place: RowPlace { row: self.rows, line }, bytes, cells })
    }

    /// The line in which the last record begins; the record may end with a line break.
    fn line(&self) -> u64 {
        self.open_line().saturating_sub(u64::from(self.is_at_break))
    }

    /// The line in which the unfinished record begins.
    fn open_line(&self) -> u64 {
        let inside = self.bytes[..self.filled].iter().filter(|byte| **byte == b'\n').count();
        (self.breaks + 1).saturating_sub(inside as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (u64, u64, Vec<String>);

    /// The rows of a file that arrives in chunks of this size.
    fn rows(text: &[u8], size: usize) -> Result<Vec<Row>, CsvError> {
        let mut reader = CsvRows::new(b',');
        let mut rows = Vec::new();
        let row = |record: CsvRecord<'_>| {
            let cell = |at| String::from_utf8_lossy(record.cell(at)).into_owned();
            (record.place.row, record.place.line, (0..record.len()).map(cell).collect())
        };
        for mut piece in text.chunks(size) {
            while !piece.is_empty() {
                let (length, record) = reader.read(piece)?;
                rows.extend(record.map(row));
                piece = &piece[length..];
            }
        }
        rows.extend(reader.finish()?.map(row));
        Ok(rows)
    }

    #[test]
    fn records_are_read_whatever_the_pieces() {
        let text =
            b"name,note\r\n\r\n\"a \"\"b\"\"\",\"two\r\nlines\"\r\n , \r\n5\" c\nd,,e".as_slice();
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let expected: Vec<Row> = vec![
            (1, 3, cells(&["a \"b\"", "two\r\nlines"])),
            (2, 6, cells(&["5\" c"])),
            (3, 7, cells(&["d", "", "e"])),
        ];
        for size in 1..=text.len() {
            assert_eq!(rows(text, size), Ok(expected.clone()), "pieces of {size}");
        }
        assert_eq!(rows(b"name\n", 9), Ok(vec![]));
        assert_eq!(rows(b"", 9), Ok(vec![]));
    }

    #[test]
    fn long_records_are_read_up_to_a_limit() {
        let wide = format!("name\n{}\n", vec!["x"; 1_000].join(","));
        assert_eq!(rows(wide.as_bytes(), 100).map(|rows| rows[0].2.len()), Ok(1_000));
        let long = format!("name\n\n{}\n", "x".repeat(LONGEST_RECORD + 1));
        assert_eq!(rows(long.as_bytes(), 1 << 16), Err(CsvError::RecordTooLarge(3)));
        let cells = format!("name\n{}\n", ",".repeat(2 * MOST_CELLS));
        assert_eq!(rows(cells.as_bytes(), 1 << 16), Err(CsvError::RecordTooLarge(2)));
    }

    #[test]
    fn open_quotation_mark_is_refused() {
        assert_eq!(rows(b"name\na\n\"b\nc\n", 3), Err(CsvError::OpenQuote(3)));
    }
}
