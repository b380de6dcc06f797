//! Where a text of SQL runs that an agent wrote: bounded in time, rows and bytes, and where it is to read
//! only, in a read-only transaction that it cannot leave.
//!
//! How it reads only: the statements run one by one by the extended protocol, which takes one statement
//! at a time, in a transaction that began as `read only`. Before each of them a statement of ours runs. It
//! fails when the transaction is not the read-only one any more, and it takes a snapshot: PostgreSQL lets
//! no transaction become writable that has one. At the end everything is taken back.
//!
//! It does not know who asks, and does not choose the login. Time and bytes are [`Session`]'s, as is the
//! refusal of a superuser.

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
use crate::roles::lost_a_race;
use crate::session::{Session, SessionDb, SessionError, SessionMessage, SessionRow, SessionRules};
use crate::{DatabaseError, OwnerDb, PgError};

/// The name of sessions in the server's list, unless they are given another.
const APPLICATION: &str = "supabase-compat mcp";

/// Tells whether the transaction still reads only, and takes a snapshot in it.
const GUARD: &str = "select pg_catalog.current_setting('transaction_read_only')";

/// Where texts log in. Cheap to clone.
#[derive(Clone)]
pub struct SqlLogin {
    sessions: SessionDb,
    /// The name of its sessions in the server's list.
    application: Arc<str>,
}

/// How much a text of SQL may take.
#[derive(Debug, Clone, Copy)]
pub struct SqlLimits {
    /// From the free connection to the last row.
    pub time: Duration,
    /// Rows of one result; further ones are left out.
    pub rows: usize,
    /// Bytes of one result, as the server sends them.
    pub bytes: usize,
}

/// The result of a text of SQL.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlRows {
    /// Rows of the last statement that gave any, as JSON.
    pub rows: Vec<Map<String, Value>>,
    /// Whether there were more.
    pub is_cut: bool,
}

/// Why a text of SQL has no result.
#[derive(Debug, Error)]
pub enum SqlError {
    /// The server refused a statement.
    #[error("{}", in_words(.0))]
    Refused(Box<DatabaseError>),
    /// A statement ended the read-only transaction, or would have.
    #[error("the statement would leave the read-only transaction; nothing was changed")]
    Leaves,
    /// A text ended with its transaction open, so that the server took it back.
    #[error("the text leaves a transaction open, so nothing was changed; end it with COMMIT")]
    StaysOpen,
    /// Parameters belong to one statement.
    #[error("parameters are for one statement, and the text has several")]
    Parameters,
    /// A migration ends the transaction that it is applied in.
    #[error("a migration runs in a transaction of its own; leave out COMMIT, ROLLBACK and END")]
    EndsTransaction,
    /// There is no statement in it.
    #[error("there is no statement in the text")]
    Empty,
    /// It did not end in time; the server has stopped it.
    #[error("the statement took longer than {} s and was stopped", .0.as_secs())]
    TooLong(Duration),
    /// The result is larger than it may be.
    #[error("the result is larger than {} kB; ask for fewer columns or rows", .0 / 1024)]
    TooLarge(usize),
    /// The text begins a copy, which needs another program.
    #[error("COPY is not possible here; use psql")]
    Copy,
    /// The login is a superuser.
    #[error(
        "statements do not run as {0}, which is a superuser; name a login without superuser rights in \
         MCP_DATABASE_URL"
    )]
    Superuser(String),
    /// The database, or the way to it.
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
    /// Texts run on connections of `sessions`.
    pub fn new(sessions: SessionDb) -> Self {
        Self { sessions, application: APPLICATION.into() }
    }

    /// The same, with another name of its sessions in the server's list.
    #[must_use]
    pub fn named(self, application: &str) -> Self {
        Self { application: application.into(), ..self }
    }

    /// Runs a text of SQL that may change nothing.
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

    /// Runs a text of SQL, all of it or nothing.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed, unless the text itself ends transactions.
    pub async fn write(&self, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
        some_statements(text)?;
        let mut session = self.open(limits).await?;
        batch(&mut session, text, limits).await
    }

    /// Applies a migration and writes it down in the project's ledger, or does nothing at all.
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
        // What the text has set for its session must not meet the ledger.
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

/// The ledger of the official CLI, made where it is not there.
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

/// Fails where the transaction is not the read-only one any more.
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
    // One more, which tells that there are more.
    session.query_with(text, parameters, Some(limits.rows.saturating_add(1))).await?;
    rows(session, limits).await
}

/// Runs a text of one or several statements; outside of a block it is one transaction.
async fn batch(session: &mut Session, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
    session.query(text).await?;
    rows(session, limits).await
}

/// The rows of the last statement that gave any.
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

/// Makes the login `supabase_read_only_user`, which hosted projects have, able to read everything; only a
/// superuser can.
///
/// # Errors
/// The database refuses it.
pub async fn ensure_reader(owner: &OwnerDb) -> Result<(), PgError> {
    let mut work = owner.begin().await?;
    sqlx::raw_sql(include_str!("../sql/reader.sql")).execute(&mut *work).await?;
    work.commit().await
}

/// Makes the login `console_writer`, which changes rows for an administrator on a server whose `postgres` is
/// a superuser, and gives it its rights on what is there; only a superuser can.
///
/// # Errors
/// The database refuses it.
pub async fn ensure_console_writer(owner: &OwnerDb) -> Result<(), PgError> {
    let make = async || {
        let mut work = owner.begin().await?;
        sqlx::raw_sql(include_str!("../sql/console_writer.sql")).execute(&mut *work).await?;
        work.commit().await
    };
    let mut attempts = 0;
    loop {
        match make().await {
            // Roles belong to the cluster, and another process may make the same.
            Err(error) if lost_a_race(&error) && attempts < 10 => attempts += 1,
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_transaction_are_known_by_their_words() {
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
