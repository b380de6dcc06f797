//! Imports the rows of a file into a table, in one transaction: all of them or none, however many
//! there are.
//!
//! Rows arrive in batches, each copied after a savepoint. If the server refuses a batch, its rows
//! are copied again in smaller parts until each refused row is found: `COPY` names the row and
//! column that it could not read, but not the row that violates a check made after the last row
//! (foreign keys).
//!
//! This module does not know the file's format.

use std::ops::Range;

use super::{SqlError, SqlLimits, SqlLogin, batch};
use crate::session::{ErrorReport, Session, SessionError};

/// The most refused rows that are recorded. With one more the import is aborted: the problem is
/// then not in single rows.
const MOST_REFUSED: usize = 1_000;
/// The most rows after a refused one that are copied together again; longer parts are halved, so
/// that a file without a good row is not sent over and over.
const PART: usize = 256;
/// Classes of SQLSTATE that are not about a row: connection, transaction, resources, intervention,
/// system and internal errors.
const NOT_OF_A_ROW: [&str; 8] = ["08", "25", "40", "53", "57", "58", "F0", "XX"];

/// The table and columns into which the cells are imported.
#[derive(Debug, Clone)]
pub struct ImportTarget {
    /// The table's schema.
    pub schema: String,
    /// The table's name.
    pub table: String,
    /// The columns, in the order of the cells.
    pub columns: Vec<String>,
}

/// Where a row is in its file. Both numbers are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPlace {
    /// The number of the row.
    pub row: u64,
    /// The number of its line: a cell may hold several lines, and a heading is one.
    pub line: u64,
}

/// A row that was refused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRow {
    /// Where it is.
    pub place: RowPlace,
    /// The column that caused the refusal, if known.
    pub column: Option<String>,
    /// SQLSTATE.
    pub code: String,
    /// The server's message.
    pub message: String,
    /// The server's detail.
    pub detail: Option<String>,
}

/// Rows that are copied together, in the text format of `COPY`.
#[derive(Debug, Default)]
pub struct RowBatch {
    data: Vec<u8>,
    /// The end offset of each row in `data`.
    ends: Vec<usize>,
    places: Vec<RowPlace>,
}

impl RowBatch {
    /// Adds a row: its cells, `None` for null.
    pub fn push<'a>(&mut self, place: RowPlace, cells: impl Iterator<Item = Option<&'a [u8]>>) {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                self.data.push(b'\t');
            }
            match cell {
                Some(text) => write_text(&mut self.data, text),
                None => self.data.extend_from_slice(b"\\N"),
            }
        }
        self.data.push(b'\n');
        self.ends.push(self.data.len());
        self.places.push(place);
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// The size of all rows in bytes.
    pub fn size(&self) -> usize {
        self.data.len()
    }

    /// Removes all rows but keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.data.clear();
        self.ends.clear();
        self.places.clear();
    }

    fn part(&self, rows: &Range<usize>) -> &[u8] {
        let end = |at: usize| if at == 0 { 0 } else { self.ends[at - 1] };
        &self.data[end(rows.start)..end(rows.end)]
    }
}

/// Writes a value in the text format of `COPY` (PostgreSQL, "COPY", File Formats).
fn write_text(out: &mut Vec<u8>, text: &[u8]) {
    for byte in text {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            other => out.push(*other),
        }
    }
}

/// An import in progress. If it is dropped before its end, nothing is changed.
#[derive(Debug)]
pub struct RowImport {
    session: Session,
    limits: SqlLimits,
    target: ImportTarget,
    statement: String,
    copied: u64,
    refused_rows: Vec<RefusedRow>,
    is_cut: bool,
}

impl SqlLogin {
    /// Begins an import.
    ///
    /// # Errors
    /// See [`SqlError`]: there is no such table or column, or the login may not add rows to it.
    pub async fn begin_import(
        &self,
        target: ImportTarget,
        limits: SqlLimits,
    ) -> Result<RowImport, SqlError> {
        let mut session = self.open(limits).await?;
        // Notices are turned off: a trigger that raises one for each row would fill the
        // connection's buffer, which is not read while rows are sent.
        batch(&mut session, "set client_min_messages = error; begin", limits).await?;
        let statement = statement_for(&target);
        let (copied, refused_rows) = (0, Vec::new());
        let mut import =
            RowImport { session, limits, target, statement, copied, refused_rows, is_cut: false };
        // The first copy has no rows, so that a problem with the table is reported once, before any
        // row.
        import.session.copy_in(&import.statement, &[]).await?;
        Ok(import)
    }
}

fn statement_for(target: &ImportTarget) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let columns: Vec<String> = target.columns.iter().map(|name| quoted(name)).collect();
    format!(
        "savepoint rows; copy {}.{} ({}) from stdin; release savepoint rows",
        quoted(&target.schema),
        quoted(&target.table),
        columns.join(", ")
    )
}

impl RowImport {
    /// Copies rows, and records refused ones up to a limit.
    ///
    /// # Errors
    /// See [`SqlError`]: a failure that no row has caused.
    pub async fn add(&mut self, rows: &RowBatch) -> Result<(), SqlError> {
        let mut waiting: Vec<_> = std::iter::once(0..rows.rows()).collect();
        while let Some(part) = waiting.pop() {
            if part.is_empty() || self.is_cut {
                continue;
            }
            match self.session.copy_in(&self.statement, rows.part(&part)).await {
                Ok(count) => self.copied += count,
                Err(SessionError::Refused(report)) if is_of_a_row(&report) => {
                    self.take_back().await?;
                    self.narrow(rows, part, &report, &mut waiting);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Records a row that the caller refused itself.
    pub fn refuse(&mut self, row: RefusedRow) {
        match self.refused_rows.len() < MOST_REFUSED {
            true => self.refused_rows.push(row),
            false => self.is_cut = true,
        }
    }

    /// Rows that were refused so far, in the order of the file.
    pub fn refused_rows(&self) -> &[RefusedRow] {
        &self.refused_rows
    }

    /// Whether too many rows were refused, so that the rest of the file need not be read.
    pub fn is_given_up(&self) -> bool {
        self.is_cut
    }

    /// Commits the copied rows; returns their number, and the refused rows. Deferred constraints
    /// are checked here.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed.
    pub async fn commit(mut self) -> Result<(u64, Vec<RefusedRow>), SqlError> {
        batch(&mut self.session, "commit", self.limits).await?;
        Ok((self.copied, self.refused_rows))
    }

    /// Rolls the import back; returns the refused rows.
    ///
    /// # Errors
    /// The connection was lost; nothing has changed.
    pub async fn roll_back(mut self) -> Result<Vec<RefusedRow>, SqlError> {
        batch(&mut self.session, "rollback", self.limits).await?;
        Ok(self.refused_rows)
    }

    async fn take_back(&mut self) -> Result<(), SqlError> {
        let text = "rollback to savepoint rows; release savepoint rows";
        batch(&mut self.session, text, self.limits).await.map(|_| ())
    }

    /// Queues the possibly good rows of a refused part for the next attempts, in the order of the
    /// file.
    fn narrow(
        &mut self,
        rows: &RowBatch,
        part: Range<usize>,
        report: &ErrorReport,
        waiting: &mut Vec<Range<usize>>,
    ) {
        let place = place_in(report, &self.target);
        let named = place.row.filter(|row| (1..=part.len()).contains(row));
        let bad = match (named, part.len()) {
            (Some(row), _) => part.start + row - 1,
            (None, 1) => part.start,
            (None, length) => {
                let middle = part.start + length / 2;
                waiting.extend([middle..part.end, part.start..middle]);
                return;
            }
        };
        if part.start < bad {
            // Refused rows are reported in the order of the file, and the rows before this one may
            // contain some.
            waiting.extend([bad..part.end, part.start..bad]);
            return;
        }
        self.refuse(RefusedRow {
            place: rows.places[bad],
            column: place.column,
            code: report.code().to_owned(),
            message: report.message().to_owned(),
            detail: report.field(b'D').map(str::to_owned),
        });
        let mut rest = bad + 1..part.end;
        while rest.len() > PART {
            let middle = rest.start + rest.len() / 2;
            waiting.push(middle..rest.end);
            rest.end = middle;
        }
        waiting.push(rest);
    }
}

fn is_of_a_row(report: &ErrorReport) -> bool {
    !NOT_OF_A_ROW.iter().any(|class| report.code().starts_with(class))
}

#[derive(Debug, Default, PartialEq, Eq)]
struct ReportedPlace {
    /// Counted from 1.
    row: Option<usize>,
    column: Option<String>,
}

/// Parses the position from the server's context line, such as `COPY songs, line 3, column price:
/// "x"`. It may be in another language, and after the lines of called functions.
fn place_in(report: &ErrorReport, target: &ImportTarget) -> ReportedPlace {
    let named = report.field(b'c').map(str::to_owned);
    let prefix = format!("COPY {}, ", target.table);
    let context = report.field(b'W').unwrap_or_default();
    // A value may contain line breaks and a text that looks like this prefix: the first such line
    // is the server's.
    let Some(at) = context.lines().find_map(|line| line.strip_prefix(&prefix)) else {
        return ReportedPlace { row: None, column: named };
    };
    let digits: String = at
        .chars()
        .skip_while(|character| !character.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let behind = at.split_once(", ").and_then(|(_, rest)| rest.split_once(' '));
    let column = behind.and_then(|(_, rest)| {
        let is_named = |name: &&String| rest.starts_with(&format!("{name}: "));
        target.columns.iter().filter(is_named).max_by_key(|name| name.len()).cloned()
    });
    ReportedPlace { row: digits.parse().ok(), column: named.or(column) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> ImportTarget {
        let columns = ["price", "a, line 9", "price: x"].map(str::to_owned).to_vec();
        ImportTarget { schema: "s\"x".to_owned(), table: "a, line 7".to_owned(), columns }
    }

    fn reported(context: &str) -> (Option<usize>, Option<String>) {
        let fields = vec![(b'W', context.to_owned())];
        let place = place_in(&ErrorReport { fields, length: 0 }, &target());
        (place.row, place.column)
    }

    #[test]
    fn place_is_read_from_the_servers_context() {
        let column = |name: &str| Some(name.to_owned());
        assert_eq!(reported("COPY a, line 7, line 3"), (Some(3), None));
        assert_eq!(
            reported("COPY a, line 7, line 12, column price: \"1, column x\""),
            (Some(12), column("price"))
        );
        assert_eq!(
            reported("COPY a, line 7, ligne 2, colonne a, line 9: null"),
            (Some(2), column("a, line 9"))
        );
        assert_eq!(
            reported("COPY a, line 7, line 1, column price: x: \"y\""),
            (Some(1), column("price: x"))
        );
        assert_eq!(
            reported("PL/pgSQL function f() line 3 at RAISE\nCOPY a, line 7, line 5: \"x\""),
            (Some(5), None)
        );
        assert_eq!(reported("SQL statement \"select 1\""), (None, None));
    }

    #[test]
    fn rows_are_written_as_copy_reads_them() {
        let mut rows = RowBatch::default();
        let place = RowPlace { row: 1, line: 2 };
        let cells: [Option<&[u8]>; 4] = [Some(b"a\tb\\N"), None, Some(b""), Some(b"x\r\ny")];
        rows.push(place, cells.into_iter());
        rows.push(place, [Some(&b"z"[..])].into_iter());
        assert_eq!(rows.part(&(0..1)), b"a\\tb\\\\N\t\\N\t\tx\\r\\ny\n");
        assert_eq!(rows.part(&(1..2)), b"z\n");
        assert_eq!((rows.rows(), rows.size()), (2, 21));
    }

    #[test]
    fn import_statement_quotes_all_names() {
        assert_eq!(
            statement_for(&target()),
            "savepoint rows; copy \"s\"\"x\".\"a, line 7\" (\"price\", \"a, line 9\", \"price: x\") \
             from stdin; release savepoint rows"
        );
    }
}
