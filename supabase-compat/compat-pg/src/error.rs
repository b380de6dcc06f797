//! Every way PostgreSQL, or the way to it, refuses. What a caller is told about it is decided by
//! the service that answers; nothing here has a status or a wording for the outside.

use std::fmt;

use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::ErrorResponseBody;
use thiserror::Error;

use crate::session::ErrorReport;
use crate::version::MINIMUM_VERSION;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A failed piece of work on the database.
#[derive(Debug, Error)]
pub enum PgError {
    /// The server refused a statement and said why.
    #[error(transparent)]
    Database(#[from] Box<DatabaseError>),
    /// Every pooled connection was busy for as long as a caller may wait.
    #[error("no database connection became free in time")]
    PoolTimeout,
    /// There is no server, or the connection to it was lost. Nothing is known about the
    /// statement that was under way.
    #[error("the database cannot be reached: {0}")]
    Unavailable(#[source] Cause),
    /// The address or its settings cannot be used.
    #[error("the database address cannot be used: {0}")]
    Address(String),
    /// The server is too old.
    #[error(
        "PostgreSQL {found} is too old: version {needed} or later is needed",
        needed = MINIMUM_VERSION
    )]
    Version {
        /// What the server calls itself, for instance `13.4`.
        found: String,
    },
    /// A migration file was refused. The transaction it ran in is rolled back.
    #[error("{schema}/{file}{}: {source}{}", SourcePosition(*line, *column), Detail(source.detail()))]
    Migration {
        /// The schema the file belongs to.
        schema: &'static str,
        /// Path inside the schema's folder, `migrations/…` or `repeatable/…`.
        file: String,
        /// Line and column of the refused token, counted from 1, when the server named a place.
        line: Option<usize>,
        /// See `line`.
        column: Option<usize>,
        /// Whether all files of this run were taken back with it; otherwise those before it stay.
        is_undone: bool,
        /// The server's own words.
        source: Box<PgError>,
    },
    /// The files and the ledger contradict each other; nothing was applied.
    #[error("{schema}: {problem}")]
    Ledger {
        /// The schema whose ledger disagrees.
        schema: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
    /// The driver and the server misunderstood each other, or a value could not be converted.
    #[error("unexpected answer from the database: {0}")]
    Protocol(#[source] Cause),
}

/// For several callers that waited for the same work. What the server said stays whole; a cause of
/// another kind stays as its text.
impl Clone for PgError {
    fn clone(&self) -> Self {
        let cause = |cause: &Cause| match cause.downcast_ref::<DatabaseError>() {
            Some(inner) => Cause::from(inner.clone()),
            None => Cause::from(cause.to_string()),
        };
        match self {
            Self::Database(inner) => Self::Database(inner.clone()),
            Self::PoolTimeout => Self::PoolTimeout,
            Self::Unavailable(error) => Self::Unavailable(cause(error)),
            Self::Address(problem) => Self::Address(problem.clone()),
            Self::Version { found } => Self::Version { found: found.clone() },
            Self::Migration { schema, file, line, column, is_undone, source } => Self::Migration {
                schema,
                file: file.clone(),
                line: *line,
                column: *column,
                is_undone: *is_undone,
                source: source.clone(),
            },
            Self::Ledger { schema, problem } => Self::Ledger { schema, problem: problem.clone() },
            Self::Protocol(error) => Self::Protocol(cause(error)),
        }
    }
}

/// What the server said when it refused, field for field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseError {
    /// SQLSTATE, five characters.
    pub code: String,
    /// Primary message.
    pub message: String,
    /// Secondary message with more of the matter.
    pub detail: Option<String>,
    /// A suggestion what to do.
    pub hint: Option<String>,
    /// Character offset into the statement, counted from 1.
    pub position: Option<usize>,
    /// The call stack inside the server.
    pub context: Option<String>,
    /// Schema of the object the refusal is about.
    pub schema: Option<String>,
    /// Table the refusal is about.
    pub table: Option<String>,
    /// Column the refusal is about.
    pub column: Option<String>,
    /// Constraint that was violated.
    pub constraint: Option<String>,
    /// The server's source routine, the only mark of some cases.
    pub routine: Option<String>,
}

/// Message and code only: the detail often quotes a row, and errors end in logs.
impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SQLSTATE {})", self.message, self.code)
    }
}

impl std::error::Error for DatabaseError {}

impl PgError {
    /// The server's own refusal, when it was the server that refused.
    pub fn database(&self) -> Option<&DatabaseError> {
        match self {
            Self::Database(error) => Some(error),
            Self::Migration { source, .. } => source.database(),
            _ => None,
        }
    }

    /// SQLSTATE of the server's refusal.
    pub fn code(&self) -> Option<&str> {
        self.database().map(|error| error.code.as_str())
    }

    /// The server's primary message.
    pub fn message(&self) -> Option<&str> {
        self.database().map(|error| error.message.as_str())
    }

    /// The server's detail.
    pub fn detail(&self) -> Option<&str> {
        self.database().and_then(|error| error.detail.as_deref())
    }

    /// The server's hint.
    pub fn hint(&self) -> Option<&str> {
        self.database().and_then(|error| error.hint.as_deref())
    }

    /// The violated constraint, for turning it into a named refusal.
    pub fn constraint(&self) -> Option<&str> {
        self.database().and_then(|error| error.constraint.as_deref())
    }

    /// What the server says while a connection is opened is about our login, not about a caller's
    /// statement: for the caller there is no database.
    pub(crate) fn opening(self) -> Self {
        match self {
            Self::Database(error) => Self::Unavailable(error),
            other => other,
        }
    }

    /// Whether the same work may succeed a moment later without any change: no server, a lost
    /// connection, a server that is starting or stopping, or no free connection.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::PoolTimeout)
    }

    /// Whether this work met somebody else's at the wrong moment, so that one of both had to give
    /// way: a deadlock (`40P01`) or a serialization failure (`40001`). Begun anew it may succeed.
    pub fn is_conflict(&self) -> bool {
        matches!(self.code(), Some("40P01" | "40001"))
    }

    /// Whether somebody else held a lock for longer than this work was to wait (`lock_timeout`).
    pub fn is_lock_timeout(&self) -> bool {
        self.code() == Some("55P03")
    }
}

impl From<DatabaseError> for PgError {
    /// SQLSTATE class 08 and the shutdown codes of class 57 mean that the connection is gone,
    /// whatever the statement was.
    fn from(error: DatabaseError) -> Self {
        // 08P01 is a message the server could not use, on a connection that goes on.
        let is_unavailable = (error.code.starts_with("08") && error.code != "08P01")
            || matches!(error.code.as_str(), "57P01" | "57P02" | "57P03" | "53300");
        if is_unavailable {
            Self::Unavailable(Box::new(error))
        } else {
            Self::Database(Box::new(error))
        }
    }
}

impl From<tokio_postgres::Error> for PgError {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(refusal) = error.as_db_error() {
            return DatabaseError::from(refusal).into();
        }
        let unreachable = error.is_closed()
            || std::error::Error::source(&error).is_some_and(|cause| cause.is::<std::io::Error>());
        if unreachable {
            Self::Unavailable(Box::new(error))
        } else {
            Self::Protocol(Box::new(error))
        }
    }
}

impl From<&tokio_postgres::error::DbError> for DatabaseError {
    fn from(error: &tokio_postgres::error::DbError) -> Self {
        use tokio_postgres::error::ErrorPosition;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            code: error.code().code().to_owned(),
            message: error.message().to_owned(),
            detail: owned(error.detail()),
            hint: owned(error.hint()),
            position: match error.position() {
                Some(ErrorPosition::Original(at)) => usize::try_from(*at).ok(),
                _ => None,
            },
            context: owned(error.where_()),
            schema: owned(error.schema()),
            table: owned(error.table()),
            column: owned(error.column()),
            constraint: owned(error.constraint()),
            routine: owned(error.routine()),
        }
    }
}

impl DatabaseError {
    /// Reads the server's words off the wire.
    pub(crate) fn from_wire(body: &ErrorResponseBody) -> Result<Self, PgError> {
        let mut error = Self::default();
        let mut fields = body.fields();
        let unreadable = |error: std::io::Error| PgError::Protocol(Box::new(error));
        while let Some(field) = fields.next().map_err(unreadable)? {
            let text = String::from_utf8_lossy(field.value_bytes()).into_owned();
            error.take(field.type_(), text);
        }
        Ok(error)
    }

    /// Takes a field of the message by its type; those of no use here are passed over.
    fn take(&mut self, kind: u8, text: String) {
        match kind {
            b'C' => self.code = text,
            b'M' => self.message = text,
            b'D' => self.detail = Some(text),
            b'H' => self.hint = Some(text),
            b'P' => self.position = text.parse().ok(),
            b'W' => self.context = Some(text),
            b's' => self.schema = Some(text),
            b't' => self.table = Some(text),
            b'c' => self.column = Some(text),
            b'n' => self.constraint = Some(text),
            b'R' => self.routine = Some(text),
            _ => {}
        }
    }
}

impl From<ErrorReport> for DatabaseError {
    fn from(report: ErrorReport) -> Self {
        let mut error = Self::default();
        for (kind, text) in report.fields {
            error.take(kind, text);
        }
        error
    }
}

impl From<sqlx::Error> for PgError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(refusal) => {
                match refusal.try_downcast::<sqlx::postgres::PgDatabaseError>() {
                    Ok(refusal) => DatabaseError::from(&*refusal).into(),
                    Err(other) => Self::Protocol(Box::new(other)),
                }
            }
            sqlx::Error::PoolTimedOut => Self::PoolTimeout,
            sqlx::Error::Configuration(cause) => Self::Address(cause.to_string()),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::Unavailable(Box::new(error)),
            other => Self::Protocol(Box::new(other)),
        }
    }
}

impl From<&sqlx::postgres::PgDatabaseError> for DatabaseError {
    fn from(error: &sqlx::postgres::PgDatabaseError) -> Self {
        use sqlx::postgres::PgErrorPosition;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            detail: owned(error.detail()),
            hint: owned(error.hint()),
            position: match error.position() {
                Some(PgErrorPosition::Original(at)) => Some(at),
                _ => None,
            },
            context: owned(error.r#where()),
            schema: owned(error.schema()),
            table: owned(error.table()),
            column: owned(error.column()),
            constraint: owned(error.constraint()),
            routine: owned(error.routine()),
        }
    }
}

/// Prints `:line:column` where the place is known.
struct SourcePosition(Option<usize>, Option<usize>);

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(line), Some(column)) => write!(f, ":{line}:{column}"),
            _ => Ok(()),
        }
    }
}

/// Prints `: detail` where there is one.
struct Detail<'a>(Option<&'a str>);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}
