//! Reads catalogue rows: a column that is missing or has another type is our error, not a panic.

use compat_pg::PgError;
use compat_pg::Row;
use tokio_postgres::types::FromSql;

/// A column's value.
pub(super) fn get<'r, T: FromSql<'r>>(row: &'r Row, column: &str) -> Result<T, PgError> {
    row.try_get(column)
}

/// A text column.
pub(super) fn text(row: &Row, column: &str) -> Result<String, PgError> {
    get(row, column)
}

/// A text array column.
pub(super) fn texts(row: &Row, column: &str) -> Result<Vec<String>, PgError> {
    get(row, column)
}
