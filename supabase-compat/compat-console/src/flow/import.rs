//! Imports a CSV file into a table in one transaction: all of its rows, or none. The file is read
//! as it arrives; only a batch of rows is held in memory.

pub(crate) mod csv_rows;

use std::time::Duration;

use bytes::Bytes;
use compat_pg::{ImportTarget, RefusedRow, RowBatch, RowImport, SqlLimits};
use futures_util::{Stream, StreamExt as _};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::model::{ImportOutcome, Operator};
use crate::state::ConsoleState;
use csv_rows::{CsvRecord, CsvRows};

/// Time limit of an import, including its upload.
const LONGEST_TIME: Duration = Duration::from_secs(2 * 60 * 60);
/// The largest file, in bytes.
const LARGEST_FILE: u64 = 4 * 1024 * 1024 * 1024;
/// The bytes and rows of a batch.
const BATCH_BYTES: usize = 1024 * 1024;
const BATCH_ROWS: usize = 10_000;
/// The most columns of a table (PostgreSQL, "Limits").
const MOST_COLUMNS: usize = 1_600;

/// The mapping from the cells of a file to the columns of a table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportOrder {
    /// The id by which the import can be cancelled.
    pub id: Option<Uuid>,
    pub schema: String,
    pub table: String,
    /// One entry for each cell of the heading; none for a cell that is left out.
    pub columns: Vec<Option<ImportColumn>>,
    pub delimiter: char,
    /// Whether refused rows are skipped; otherwise one of them rolls the import back.
    #[serde(default)]
    pub skips_refused: bool,
}

/// A column, and its value for an empty cell.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportColumn {
    pub name: String,
    /// Whether an empty cell is an empty text rather than null.
    #[serde(default)]
    pub keeps_empty: bool,
}

/// Imports a file. If the browser disconnects, the import is rolled back.
pub(crate) async fn run(
    state: &ConsoleState,
    operator: &Operator,
    order: ImportOrder,
    file: impl Stream<Item = Result<Bytes, ConsoleError>>,
    disconnect: CancellationToken,
) -> Result<ImportOutcome, ConsoleError> {
    let permit = state.importers().try_acquire().map_err(|_| ConsoleError::Busy)?;
    let id = order.id.unwrap_or_else(|| state.config().environment.entropy.uuid());
    let running = state.begin_statement(id, operator.id)?;
    let cancelled = running.cancelled.clone();
    let outcome = tokio::select! {
        outcome = import(state, operator, order, file) => outcome,
        () = cancelled.cancelled() => Err(ConsoleError::Cancelled),
        () = disconnect.cancelled() => Err(ConsoleError::Cancelled),
    };
    drop(permit);
    outcome
}

async fn import(
    state: &ConsoleState,
    operator: &Operator,
    order: ImportOrder,
    file: impl Stream<Item = Result<Bytes, ConsoleError>>,
) -> Result<ImportOutcome, ConsoleError> {
    let mut rows = CsvRows::new(checked(&order)?);
    let login = state.login(operator.role).await?;
    let limits = SqlLimits { time: LONGEST_TIME, rows: 1, bytes: 64 * 1024 };
    let target = ImportTarget {
        schema: order.schema.clone(),
        table: order.table.clone(),
        columns: order.columns.iter().flatten().map(|column| column.name.clone()).collect(),
    };
    let mut work =
        Work { order, rows: login.begin_import(target, limits).await?, batch: RowBatch::default() };
    let (mut file, mut size) = (std::pin::pin!(file), 0);
    while let Some(piece) = file.next().await {
        let piece = piece?;
        size += piece.len() as u64;
        if size > LARGEST_FILE {
            return Err(ConsoleError::TooLarge);
        }
        // The rest of the file is still read, because browsers read no answer before they have sent
        // all of it.
        if !work.is_over() {
            work.read(&mut rows, &piece).await?;
        }
    }
    if !work.is_over() {
        if let Some(record) = rows.finish()? {
            work.take(&record);
        }
        work.copy().await?;
    }
    work.end().await
}

/// Validates an import and returns its delimiter.
fn checked(order: &ImportOrder) -> Result<u8, ConsoleError> {
    let invalid = |text: &str| Err(ConsoleError::InvalidRequest(text.to_owned()));
    let names: Vec<&str> =
        order.columns.iter().flatten().map(|column| column.name.as_str()).collect();
    if names.is_empty() {
        return invalid("no cell becomes a column");
    }
    if order.columns.len() > MOST_COLUMNS {
        return invalid("there are too many columns");
    }
    let all = [order.schema.as_str(), order.table.as_str()];
    if names.iter().chain(&all).any(|name| name.is_empty() || name.contains('\0')) {
        return invalid("a name is none");
    }
    match order.delimiter {
        ',' | ';' | '\t' | '|' => Ok(order.delimiter as u8),
        _ => invalid("cells are divided by a comma, a semicolon, a tab or a bar"),
    }
}

/// A running import with its current batch.
struct Work {
    order: ImportOrder,
    rows: RowImport,
    batch: RowBatch,
}

impl Work {
    async fn read(&mut self, rows: &mut CsvRows, mut piece: &[u8]) -> Result<(), ConsoleError> {
        while !piece.is_empty() {
            let (length, record) = rows.read(piece)?;
            piece = &piece[length..];
            if let Some(record) = record {
                self.take(&record);
            }
            if self.batch.size() >= BATCH_BYTES || self.batch.rows() >= BATCH_ROWS {
                self.copy().await?;
            }
        }
        Ok(())
    }

    fn take(&mut self, record: &CsvRecord<'_>) {
        let columns = &self.order.columns;
        if (columns.len()..record.len()).any(|at| !record.cell(at).is_empty()) {
            // A row that is cut at a stray delimiter would be worse than a refusal.
            return self.rows.refuse(RefusedRow {
                place: record.place,
                column: None,
                code: "22P04".to_owned(),
                message: format!(
                    "{} cells, of which the heading names {}",
                    record.len(),
                    columns.len()
                ),
                detail: None,
            });
        }
        let cells = columns.iter().enumerate().filter_map(|(at, column)| {
            let cell = record.cell(at);
            column.as_ref().map(|column| (!cell.is_empty() || column.keeps_empty).then_some(cell))
        });
        self.batch.push(record.place, cells);
    }

    async fn copy(&mut self) -> Result<(), ConsoleError> {
        if self.batch.rows() > 0 {
            self.rows.add(&self.batch).await?;
            self.batch.clear();
        }
        Ok(())
    }

    /// Whether the rest of the file cannot change the outcome.
    fn is_over(&self) -> bool {
        self.rows.is_given_up()
    }

    async fn end(self) -> Result<ImportOutcome, ConsoleError> {
        let is_cut = self.rows.is_given_up();
        let keeps = !is_cut && (self.order.skips_refused || self.rows.refused_rows().is_empty());
        let (imported, mut refused_rows) = match keeps {
            true => self.rows.commit().await?,
            false => (0, self.rows.roll_back().await?),
        };
        // Rows that never reached a batch were refused earlier than those of the batch.
        refused_rows.sort_by_key(|row| row.place.row);
        Ok(ImportOutcome { imported, refused: refused_rows, is_cut })
    }
}
