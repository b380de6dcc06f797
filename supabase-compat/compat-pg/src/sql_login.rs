//! Runs SQL that an agent wrote: limited in time, rows and bytes, and for reading only, in a
//! read-only transaction that it cannot leave.
//!
//! How reading is enforced: the statements run one by one with the extended protocol, which takes
//! one statement at a time, in a transaction that began as `read only`. Before each of them a guard
//! statement runs. It fails if the transaction is no longer the read-only one, and it takes a
//! snapshot: PostgreSQL does not let a transaction with a snapshot become writable. At the end
//! everything is rolled back.
//!
//! This module does not know the caller, and does not choose the login. [`Session`] limits time and
//! bytes and refuses a superuser.

mod row_import;
mod statement_results;
mod value;

pub use row_import::{ImportTarget, RefusedRow, RowBatch, RowImport, RowPlace};
pub use statement_results::{SqlAccess, SqlColumn, SqlResult};

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::project::{SqlStatement, first_words, statements};
use crate::roles::is_concurrent_change;
use crate::session::{Session, SessionDb, SessionError, SessionMessage, SessionRow, SessionRules};
use crate::{DatabaseError, OwnerDb, PgError};

/// The default `application_name` of the sessions.
const APPLICATION: &str = "supabase-compat mcp";

/// Reports whether the transaction is still read-only, and takes a snapshot in it.
const GUARD: &str = "select pg_catalog.current_setting('transaction_read_only')";

/// A login as which SQL texts run. Cheap to clone.
#[derive(Clone)]
pub struct SqlLogin {
    sessions: SessionDb,
    /// The `application_name` of its sessions.
    application: Arc<str>,
}

/// The limits of an SQL text.
#[derive(Debug, Clone, Copy)]
pub struct SqlLimits {
    /// The timeout, from the acquired connection to the last row.
    pub time: Duration,
    /// The most rows of one result; further ones are left out.
    pub rows: usize,
    /// The most bytes of one result, as the server sends them.
    pub bytes: usize,
}

/// The result of an SQL text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlRows {
    /// The rows of the last statement that returned any, as JSON.
    pub rows: Vec<Map<String, Value>>,
    /// Whether there were more.
    pub is_cut: bool,
}

/// Why an SQL text failed.
#[derive(Debug, Error)]
pub enum SqlError {
    /// The server refused a statement.
    #[error("{}", in_words(.0))]
    Refused(Box<DatabaseError>),
    /// A statement ended the read-only transaction, or would have.
    #[error("the statement would leave the read-only transaction; nothing was changed")]
    Leaves,
    /// The text ended with an open transaction, which the server rolled back.
    #[error("the text leaves a transaction open, so nothing was changed; end it with COMMIT")]
    StaysOpen,
    /// There are parameters, but more than one statement.
    #[error("parameters are for one statement, and the text has several")]
    Parameters,
    /// A migration would end the transaction in which it is applied.
    #[error("a migration runs in a transaction of its own; leave out COMMIT, ROLLBACK and END")]
    EndsTransaction,
    /// The text contains no statement.
    #[error("there is no statement in the text")]
    Empty,
    /// The text did not end in time; the server has stopped it.
    #[error("the statement took longer than {} s and was stopped", .0.as_secs())]
    TooLong(Duration),
    /// The result exceeds the limit.
    #[error("the result is larger than {} kB; ask for fewer columns or rows", .0 / 1024)]
    TooLarge(usize),
    /// The text contains a `copy`, which needs a client program.
    #[error("COPY is not possible here; use psql")]
    Copy,
    /// The login is a superuser.
    #[error(
        "statements do not run as {0}, which is a superuser; name a login without superuser rights in \
         MCP_DATABASE_URL"
    )]
    Superuser(String),
    /// The database failed or cannot be reached.
    #[error(transparent)]
    Database(#[from] PgError),
}

fn in_words(refusal: &DatabaseError) -> String {
    let mut text = format!("{}: {}", refusal.code, refusal.message);
    for (name, more) in [("DETAIL", &refusal.detail), ("HINT", &refusal.hint)] {
        if let Some(more) = more {
            text.push_str(&format!("\n{name}: {more}"));
        }
    }
    if let Some(position) = refusal.position {
        text.push_str(&format!("\nat character {position}"));
    }
    text
}

impl From<SessionError> for SqlError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Refused(report) => Self::Refused(Box::new((*report).into())),
            SessionError::TooLarge { limit, .. } => Self::TooLarge(limit),
            SessionError::TooLong(time) => Self::TooLong(time),
            SessionError::Superuser(login) => Self::Superuser(login),
            SessionError::Database(error) => Self::Database(error),
        }
    }
}

impl SqlLogin {
    /// Creates a login whose texts run on connections of `sessions`.
    pub fn new(sessions: SessionDb) -> Self {
        Self { sessions, application: APPLICATION.into() }
    }

    /// The same login with another `application_name` for its sessions.
    #[must_use]
    pub fn named(self, application: &str) -> Self {
        Self { application: application.into(), ..self }
    }

    /// Runs an SQL text that may change nothing.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed.
    pub async fn read(&self, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
        let parts = some_statements(text)?;
        let mut session = self.open(limits).await?;
        batch(&mut session, "begin transaction read only", limits).await?;
        let mut last = SqlRows::default();
        for part in parts {
            if ends_transaction(&first_words(part.text)) {
                return Err(SqlError::Leaves);
            }
            guard(&mut session, limits).await?;
            let result = statement(&mut session, part.text, &[], limits).await?;
            if !result.rows.is_empty() {
                last = result;
            }
        }
        Ok(last)
    }

    /// Runs an SQL text, all of it or nothing.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed, unless the text itself ends transactions.
    pub async fn write(&self, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
        some_statements(text)?;
        let mut session = self.open(limits).await?;
        batch(&mut session, text, limits).await
    }

    /// Applies a migration and records it in the project's ledger, or does nothing at all.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn migrate(
        &self,
        (version, name): (&str, &str),
        text: &str,
        limits: SqlLimits,
    ) -> Result<(), SqlError> {
        let parts: Vec<&str> = some_statements(text)?.into_iter().map(|part| part.text).collect();
        if parts.iter().any(|part| ends_transaction(&first_words(part))) {
            return Err(SqlError::EndsTransaction);
        }
        let entry = [version.to_owned(), name.to_owned(), Value::from(parts).to_string()];
        let mut session = self.open(limits).await?;
        batch(&mut session, LEDGER, limits).await?;
        batch(&mut session, "begin", limits).await?;
        batch(&mut session, text, limits).await?;
        if !session.is_in_block() {
            return Err(SqlError::EndsTransaction);
        }
        // Settings that the text made must not affect the ledger entry.
        batch(&mut session, "reset role; reset search_path", limits).await?;
        statement(&mut session, ENTRY, &entry.map(Some), limits).await?;
        batch(&mut session, "commit", limits).await?;
        Ok(())
    }

    async fn open(&self, limits: SqlLimits) -> Result<Session, SqlError> {
        let application = self.application.as_ref().to_owned();
        let rules = SessionRules { application, time: limits.time, bytes: limits.bytes };
        Ok(self.sessions.open(&rules).await?)
    }
}

fn some_statements(text: &str) -> Result<Vec<SqlStatement<'_>>, SqlError> {
    let parts = statements(text);
    if parts.is_empty() { Err(SqlError::Empty) } else { Ok(parts) }
}

/// Creates the ledger of the official CLI, if it is missing.
const LEDGER: &str = "set client_min_messages = warning;
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
    alter table supabase_migrations.schema_migrations
        add column if not exists statements text[], add column if not exists name text;
    reset client_min_messages";

const ENTRY: &str = "insert into supabase_migrations.schema_migrations (version, name, statements)
    select $1::text, $2::text, array(select pg_catalog.jsonb_array_elements_text($3::jsonb))";

/// Whether a statement ends the transaction it runs in.
fn ends_transaction(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words {
        ["rollback", "to", ..] | ["rollback", _, "to", ..] => false,
        ["commit" | "end" | "abort" | "rollback", ..] | ["prepare", "transaction", ..] => true,
        _ => false,
    }
}

/// Fails if the transaction is no longer the read-only one.
async fn guard(session: &mut Session, limits: SqlLimits) -> Result<(), SqlError> {
    let known = statement(session, GUARD, &[], limits).await?;
    let reads = known.rows.first().and_then(|row| row.get("current_setting"));
    match reads.and_then(Value::as_str) {
        Some("on") if session.is_in_block() => Ok(()),
        _ => Err(SqlError::Leaves),
    }
}

/// Runs one statement; the protocol refuses several.
async fn statement(
    session: &mut Session,
    text: &str,
    parameters: &[Option<String>],
    limits: SqlLimits,
) -> Result<SqlRows, SqlError> {
    // One more row shows that there are more.
    session.query_with(text, parameters, Some(limits.rows.saturating_add(1))).await?;
    rows(session, limits).await
}

/// Runs a text of one or several statements; outside a transaction block it is one transaction.
async fn batch(session: &mut Session, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
    session.query(text).await?;
    rows(session, limits).await
}

/// The rows of the last statement that returned any.
async fn rows(session: &mut Session, limits: SqlLimits) -> Result<SqlRows, SqlError> {
    let (mut last, mut current, mut columns) = (SqlRows::default(), SqlRows::default(), Vec::new());
    while let Some(message) = session.next().await? {
        match message {
            SessionMessage::Columns(described) => columns = value::columns(described),
            SessionMessage::Row(row) if current.rows.len() < limits.rows => {
                current.rows.push(object_of(&columns, &row));
            }
            SessionMessage::Row(_) => {
                current.is_cut = true;
                session.reset_size();
            }
            SessionMessage::Copy => return Err(SqlError::Copy),
            SessionMessage::Done { .. } => {
                let done = std::mem::take(&mut current);
                if !done.rows.is_empty() {
                    last = done;
                }
                session.reset_size();
            }
        }
    }
    Ok(last)
}

fn object_of(columns: &[(String, value::Kind)], row: &SessionRow) -> Map<String, Value> {
    let json = |((name, kind), value): (&(String, value::Kind), Option<&[u8]>)| {
        let value = value.map_or(Value::Null, |text| kind.json(&String::from_utf8_lossy(text)));
        (name.clone(), value)
    };
    columns.iter().zip(row.values()).map(json).collect()
}

/// Creates the login `supabase_read_only_user`, which hosted projects have, and lets it read
/// everything. Only a superuser can do that.
///
/// # Errors
/// The database refuses a statement.
pub async fn ensure_reader(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::raw_sql(include_str!("../sql/reader.sql")).execute(&mut *work).await?;
    work.commit().await
}

/// Creates the login `console_writer`, which changes rows for an administrator on a server whose
/// `postgres` is a superuser, and grants it its rights on existing objects. Only a superuser can do
/// that.
///
/// # Errors
/// The database refuses a statement.
pub async fn ensure_console_writer(owner: &OwnerDb) -> Result<(), PgError> {
    let make = async || {
        let mut work = owner.begin().await?;
        sqlx::raw_sql(include_str!("../sql/console_writer.sql")).execute(&mut *work).await?;
        work.commit().await
    };
    let mut attempts = 0;
    loop {
        match make().await {
            // Roles belong to the cluster, so another process may create the same role
            // concurrently.
            Err(error) if is_concurrent_change(&error) && attempts < 10 => attempts += 1,
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_ending_statements_are_recognised() {
        for (text, ends) in [
            ("commit", true),
            ("/* x */ COMMIT and chain", true),
            ("End", true),
            ("abort", true),
            ("rollback", true),
            ("rollback work", true),
            ("prepare transaction 'x'", true),
            ("rollback to savepoint x", false),
            ("rollback work to x", false),
            ("prepare x as select 1", false),
            ("select 1", false),
        ] {
            assert_eq!(ends_transaction(&first_words(text)), ends, "{text}");
        }
    }
}
