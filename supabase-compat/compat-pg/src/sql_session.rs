//! A session for a text of SQL that somebody outside wrote: bounded in time, rows and bytes, and where
//! it is to read only, one that cannot leave its read-only transaction.
//!
//! How it reads only: the statements run one by one by the extended protocol, which takes one statement
//! at a time, in a transaction that began as `read only`. Before each of them a statement of ours runs. It
//! fails when the transaction is not the read-only one any more, and it takes a snapshot: PostgreSQL lets
//! no transaction become writable that has one. At the end everything is taken back.
//!
//! It does not know who asks, and does not choose the login; it only refuses a superuser, whom a
//! read-only transaction does not keep from the files and programs of the server.

mod statement_results;
mod value;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::{DataRowBody, Header, Message, RowDescriptionBody};
use postgres_protocol::message::frontend;
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::acting::Connector;
use crate::acting::stream_takeover::Duplex;
use crate::project::{first_words, statements};
use crate::roles::lost_a_race;
use crate::{DatabaseError, OwnerDb, PgError, address};

/// What the buffer begins with.
const BUFFER: usize = 16 * 1024;
/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// What a server says of a transaction block that is open.
const IN_BLOCK: u8 = b'T';
/// The types of the messages that begin a copy (PostgreSQL, "Message Formats").
const COPIES: [u8; 3] = [b'G', b'H', b'W'];
/// Every result column as text.
const TEXT: [i16; 1] = [0];

/// Tells whether the transaction still reads only, and takes a snapshot in it.
const GUARD: &str = "select pg_catalog.current_setting('transaction_read_only')";

pub use statement_results::{SqlAccess, SqlColumn, SqlResult};

/// What sessions call themselves in the server's list, unless they are named.
const APPLICATION: &str = "supabase-compat mcp";

/// Where a session logs in.
#[derive(Clone)]
pub struct SqlLogin {
    connector: Arc<Connector>,
    /// The name of its sessions in the server's list.
    application: Arc<str>,
    /// Ends a session that does not end by itself.
    owner: OwnerDb,
}

/// How much a text of SQL may take.
#[derive(Debug, Clone, Copy)]
pub struct SqlLimits {
    /// From connecting to the last row.
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

impl SqlLogin {
    /// Reads the address without connecting. `owner` ends sessions that do not end by themselves.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn new(url: &str, owner: &OwnerDb) -> Result<Self, PgError> {
        let options = address::acting_options(url, None, CONNECT)?;
        Ok(Self {
            connector: Arc::new(Connector::new(options)?),
            application: APPLICATION.into(),
            owner: owner.clone(),
        })
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
        let reading = async {
            let mut session = SqlSession::open(self, limits).await?;
            let done = session.read(text).await;
            session.settle(done)
        };
        within(limits, reading).await
    }

    /// Runs a text of SQL, all of it or nothing.
    ///
    /// # Errors
    /// See [`SqlError`]; nothing has changed, unless the text itself ends transactions.
    pub async fn write(&self, text: &str, limits: SqlLimits) -> Result<SqlRows, SqlError> {
        if statements(text).is_empty() {
            return Err(SqlError::Empty);
        }
        let writing = async {
            let mut session = SqlSession::open(self, limits).await?;
            let done = session.batch(text).await;
            session.settle(done)
        };
        within(limits, writing).await
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
        let parts: Vec<&str> = statements(text).into_iter().map(|part| part.text).collect();
        if parts.is_empty() {
            return Err(SqlError::Empty);
        }
        if parts.iter().any(|part| ends_transaction(&first_words(part))) {
            return Err(SqlError::EndsTransaction);
        }
        let parts = Value::from(parts).to_string();
        let migrating = async {
            let mut session = SqlSession::open(self, limits).await?;
            let done = session.migrate(text, &[version, name, &parts]).await;
            session.settle(done)
        };
        within(limits, migrating).await
    }
}

async fn within<T>(
    limits: SqlLimits,
    work: impl Future<Output = Result<T, SqlError>>,
) -> Result<T, SqlError> {
    timeout(limits.time, work).await.unwrap_or(Err(SqlError::TooLong(limits.time)))
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

/// One session. Dropped while the server may still work for it, it is ended there.
struct SqlSession {
    stream: Box<dyn Duplex>,
    incoming: BytesMut,
    limits: SqlLimits,
    /// What the server last said of its transaction block.
    block: u8,
    /// Process and start of the server's side, once known.
    backend: Option<(i32, String)>,
    is_busy: bool,
    owner: OwnerDb,
}

impl SqlSession {
    async fn open(login: &SqlLogin, limits: SqlLimits) -> Result<Self, SqlError> {
        let signed_in = login.connector.open_session(&login.application).await?;
        let mut session = Self {
            stream: signed_in.stream,
            incoming: BytesMut::with_capacity(BUFFER),
            limits,
            block: b'I',
            backend: None,
            is_busy: true,
            owner: login.owner.clone(),
        };
        let known = session.call(IDENTITY, &[&login.application]).await?;
        let row = known.rows.into_iter().next().unwrap_or_default();
        let text =
            |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let pid = row.get("pid").and_then(Value::as_i64).and_then(|pid| i32::try_from(pid).ok());
        session.backend = pid.map(|pid| (pid, text("start")));
        if row.get("is_superuser").and_then(Value::as_bool) != Some(false) {
            return Err(SqlError::Superuser(text("login")));
        }
        Ok(session)
    }

    /// Idle again, the server's side ends with the stream.
    fn settle<T>(&mut self, done: Result<T, SqlError>) -> Result<T, SqlError> {
        self.is_busy &= !matches!(done, Ok(_) | Err(SqlError::Refused(_)));
        done
    }

    async fn read(&mut self, text: &str) -> Result<SqlRows, SqlError> {
        let parts = statements(text);
        if parts.is_empty() {
            return Err(SqlError::Empty);
        }
        self.batch("begin transaction read only").await?;
        let mut last = SqlRows::default();
        for part in parts {
            if ends_transaction(&first_words(part.text)) {
                return Err(SqlError::Leaves);
            }
            self.guard().await?;
            let result = self.statement(part.text).await?;
            if !result.rows.is_empty() {
                last = result;
            }
        }
        Ok(last)
    }

    async fn migrate(&mut self, text: &str, entry: &[&str]) -> Result<(), SqlError> {
        self.batch(LEDGER).await?;
        self.batch("begin").await?;
        self.batch(text).await?;
        if self.block != IN_BLOCK {
            return Err(SqlError::EndsTransaction);
        }
        // What the text has set for its session must not meet the ledger.
        self.batch("reset role; reset search_path").await?;
        self.call(ENTRY, entry).await?;
        self.batch("commit").await?;
        Ok(())
    }

    /// Fails where the transaction is not the read-only one any more.
    async fn guard(&mut self) -> Result<(), SqlError> {
        let known = self.statement(GUARD).await?;
        let reads = known.rows.first().and_then(|row| row.get("current_setting"));
        match reads.and_then(Value::as_str) {
            Some("on") if self.block == IN_BLOCK => Ok(()),
            _ => Err(SqlError::Leaves),
        }
    }

    /// Runs one statement; the protocol refuses several.
    async fn statement(&mut self, text: &str) -> Result<SqlRows, SqlError> {
        self.call(text, &[]).await
    }

    async fn call(&mut self, text: &str, parameters: &[&str]) -> Result<SqlRows, SqlError> {
        let most = i32::try_from(self.limits.rows.saturating_add(1)).unwrap_or(i32::MAX);
        let mut out = BytesMut::new();
        frontend::parse("", text, [], &mut out).map_err(protocol)?;
        let write = |text: &&str, out: &mut BytesMut| {
            out.extend_from_slice(text.as_bytes());
            Ok(IsNull::No)
        };
        frontend::bind("", "", [], parameters, write, TEXT, &mut out)
            .map_err(|_| protocol(io::ErrorKind::InvalidInput.into()))?;
        frontend::describe(b'P', "", &mut out).map_err(protocol)?;
        frontend::execute("", most, &mut out).map_err(protocol)?;
        frontend::sync(&mut out);
        self.exchange(&out).await
    }

    /// Runs a text of one or several statements; outside of a block it is one transaction.
    async fn batch(&mut self, text: &str) -> Result<SqlRows, SqlError> {
        let mut out = BytesMut::new();
        frontend::query(text, &mut out).map_err(protocol)?;
        self.exchange(&out).await
    }

    /// Sends messages and reads until the server waits for the next ones.
    async fn exchange(&mut self, out: &[u8]) -> Result<SqlRows, SqlError> {
        let written = async {
            self.stream.write_all(out).await?;
            self.stream.flush().await
        };
        written.await.map_err(lost)?;
        let (mut last, mut result, mut bytes) = (SqlRows::default(), SqlRows::default(), 0);
        let (mut columns, mut refusal) = (Vec::new(), None);
        loop {
            match self.next().await? {
                Message::RowDescription(body) => columns = value::columns(&columns_of(&body)?),
                Message::DataRow(row) if result.rows.len() < self.limits.rows => {
                    bytes += row.buffer().len();
                    if bytes > self.limits.bytes {
                        return Err(SqlError::TooLarge(self.limits.bytes));
                    }
                    result.rows.push(row_of(&columns, &row)?);
                }
                Message::DataRow(_) | Message::PortalSuspended => result.is_cut = true,
                Message::CommandComplete(_) => {
                    let ended = std::mem::take(&mut result);
                    if !ended.rows.is_empty() {
                        last = ended;
                    }
                    bytes = 0;
                }
                Message::ErrorResponse(body) => refusal = Some(DatabaseError::from_wire(&body)?),
                Message::ReadyForQuery(body) => {
                    self.block = body.status();
                    if !result.rows.is_empty() {
                        last = result;
                    }
                    return match refusal {
                        Some(refusal) => Err(SqlError::Refused(Box::new(refusal))),
                        None => Ok(last),
                    };
                }
                _ => {}
            }
        }
    }

    /// The next message; one that is larger than a result may be is not read.
    async fn next(&mut self) -> Result<Message, SqlError> {
        loop {
            if let Some(header) = Header::parse(&self.incoming).map_err(lost)? {
                let length = usize::try_from(header.len()).unwrap_or(usize::MAX);
                if length > self.limits.bytes.max(BUFFER) {
                    return Err(SqlError::TooLarge(self.limits.bytes));
                }
                if COPIES.contains(&header.tag()) {
                    return Err(SqlError::Copy);
                }
                if let Some(message) = Message::parse(&mut self.incoming).map_err(lost)? {
                    return Ok(message);
                }
            }
            self.incoming.reserve(BUFFER);
            if self.stream.read_buf(&mut self.incoming).await.map_err(lost)? == 0 {
                return Err(lost(io::ErrorKind::UnexpectedEof.into()).into());
            }
        }
    }
}

/// A statement may hear of a cancellation and go on, and a client may go away: the process is ended, so
/// that nothing runs on for nobody.
impl Drop for SqlSession {
    fn drop(&mut self) {
        let Some((pid, start)) = self.backend.take().filter(|_| self.is_busy) else { return };
        let owner = self.owner.clone();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            if let Err(error) = end_backend(&owner, pid, &start).await {
                tracing::warn!(%error, pid, "session of a statement not ended");
            }
        });
    }
}

async fn end_backend(owner: &OwnerDb, pid: i32, start: &str) -> Result<(), PgError> {
    let mut connection = owner.connection().await?;
    sqlx::query(
        "select pg_catalog.pg_terminate_backend(a.pid)
         from pg_catalog.pg_stat_activity as a
         where a.pid = $1 and a.backend_start::text = $2",
    )
    .bind(pid)
    .bind(start)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

/// A pooler may drop the name that a session begins with.
const IDENTITY: &str = "select
        pg_catalog.set_config('application_name', $1, false) as application, pg_catalog.pg_backend_pid() as pid, a.backend_start::text as start, session_user::text as login,
        r.rolsuper as is_superuser
    from pg_catalog.pg_roles as r
    left join pg_catalog.pg_stat_activity as a on a.pid = pg_catalog.pg_backend_pid()
    where r.rolname = session_user";

fn columns_of(body: &RowDescriptionBody) -> Result<Vec<(String, u32)>, PgError> {
    body.fields()
        .map(|field| Ok((field.name().to_owned(), field.type_oid())))
        .collect()
        .map_err(|error| PgError::Protocol(Box::new(error)))
}

fn row_of(
    columns: &[(String, value::Kind)],
    row: &DataRowBody,
) -> Result<Map<String, Value>, PgError> {
    let (buffer, mut ranges, mut object) = (row.buffer(), row.ranges(), Map::new());
    for (name, kind) in columns {
        let range = ranges.next().map_err(|error| PgError::Protocol(Box::new(error)))?.flatten();
        let value = range.map_or(Value::Null, |range| {
            kind.json(&String::from_utf8_lossy(buffer.get(range).unwrap_or_default()))
        });
        object.insert(name.clone(), value);
    }
    Ok(object)
}

fn lost(error: io::Error) -> PgError {
    PgError::Unavailable(Box::new(error))
}

fn protocol(error: io::Error) -> PgError {
    PgError::Protocol(Box::new(error))
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
