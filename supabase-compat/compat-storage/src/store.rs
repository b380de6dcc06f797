//! SQL, one file per table or aggregate. Every statement returns its rows as JSON and runs in the
//! transaction that the caller passes.

pub mod bucket;
pub mod keys;
pub mod list;
pub mod multipart;
pub mod object;
pub mod tus;

use compat_pg::{Acting, PgError, Statement};
use serde::de::DeserializeOwned;

/// Runs a statement whose first column is a row as JSON.
async fn rows_of<T: DeserializeOwned>(
    work: &mut Acting<'_>,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Vec<T>, PgError> {
    let rows = work.run(Statement { sql, params }).await?;
    let read = |row: &compat_pg::Row| {
        let text = row.bytes(0).unwrap_or_default();
        serde_json::from_slice(&text).map_err(|error| PgError::Protocol(error.into()))
    };
    rows.iter().map(read).collect()
}

/// Like [`rows_of`], for at most one row.
async fn row_of<T: DeserializeOwned>(
    work: &mut Acting<'_>,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Option<T>, PgError> {
    let rows = work.run(Statement { sql, params }).await?;
    let Some(text) = rows.first().and_then(|row| row.bytes(0)) else { return Ok(None) };
    serde_json::from_slice(&text).map(Some).map_err(|error| PgError::Protocol(error.into()))
}

/// Runs a statement and ignores its rows.
async fn perform(work: &mut Acting<'_>, sql: &str, params: &[Option<&str>]) -> Result<(), PgError> {
    work.run(Statement { sql, params }).await.map(drop)
}

/// The start time of this transaction, by the clock that also dates the rows.
pub async fn moment(work: &mut Acting<'_>) -> Result<String, PgError> {
    let moment = row_of(work, "select to_json(now())::text", &[]).await?;
    moment.ok_or_else(|| PgError::Protocol("transaction time not returned".into()))
}

/// A PostgreSQL array literal.
fn array<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |item: &str| format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""));
    let items: Vec<String> = items.into_iter().map(quoted).collect();
    format!("{{{}}}", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::array;

    #[test]
    fn array_literal_escapes_its_elements() {
        assert_eq!(array([]), "{}");
        assert_eq!(
            array(["a", "b,c", "d\"}", "e\\", "null", ""]),
            r#"{"a","b,c","d\"}","e\\","null",""}"#
        );
    }
}
