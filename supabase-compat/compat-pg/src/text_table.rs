//! The rows of a statement as text, for display.

use sqlx::{Column as _, PgConnection, Row as _, SqlSafeStr, ValueRef as _};

use crate::{OwnerDb, PgError};

/// Columns and rows, with each value in PostgreSQL's text form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTable {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Values in the order of the columns; `None` for null.
    pub rows: Vec<Vec<Option<String>>>,
}

impl OwnerDb {
    /// Runs a fixed statement and returns its rows. If there are no rows, there are no columns
    /// either.
    ///
    /// # Errors
    /// [`PgError::Database`] when the server refuses it.
    pub async fn read_text(&self, statement: &'static str) -> Result<TextTable, PgError> {
        let mut work = self.connection().await?;
        read(&mut work, statement).await
    }
}

/// Runs statements and returns the rows of all of them, under the columns of the last one.
pub(crate) async fn read(
    session: &mut PgConnection,
    statements: impl SqlSafeStr + Send,
) -> Result<TextTable, PgError> {
    // In the simple protocol every value arrives as text.
    let rows = sqlx::raw_sql(statements).fetch_all(&mut *session).await?;
    let columns = rows.last().map(|row| row.columns().iter().map(|one| one.name().to_owned()));
    let columns = columns.map(Iterator::collect).unwrap_or_default();
    let mut table = TextTable { columns, rows: Vec::with_capacity(rows.len()) };
    for row in &rows {
        let mut values = Vec::with_capacity(row.len());
        for index in 0..row.len() {
            let value = row.try_get_raw(index)?;
            values.push(match value.is_null() {
                true => None,
                false => Some(value.as_str().map_err(PgError::Protocol)?.to_owned()),
            });
        }
        table.rows.push(values);
    }
    Ok(table)
}
