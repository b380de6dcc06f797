//! Errors of PostgreSQL and of the connection to it. The service that answers a request decides
//! what its caller is told; nothing here has a status or a text for clients.

use std::fmt;

use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::ErrorResponseBody;
use thiserror::Error;

use crate::session::ErrorReport;
use crate::version::MINIMUM_VERSION;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An error of a database operation.
#[derive(Debug, Error)]
pub enum PgError {
    /// The server refused a statement and said why.
    #[error(transparent)]
    Database(#[from] Box<DatabaseError>),
    /// No pooled connection became free within the caller's timeout.
    #[error("no database connection became free in time")]
    PoolTimeout,
    /// The server cannot be reached, or the connection was lost. The outcome of the running
    /// statement is unknown.
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
        /// The server's version, for instance `13.4`.
        found: String,
    },
    /// The server refused a migration file. The file's transaction is rolled back.
    #[error("{schema}/{file}{}: {source}{}", SourcePosition(*line, *column), Detail(source.detail()))]
    Migration {
        /// The schema the file belongs to.
        schema: &'static str,
        /// Path inside the schema's folder, `migrations/…` or `repeatable/…`.
        file: String,
        /// Line and column of the refused token, counted from 1, when the server named a place.
        line: Option<usize>,
        /// The column that belongs to `line`.
        column: Option<usize>,
        /// Whether all files of this run were rolled back with it; otherwise the files before it
        /// stay applied.
        is_undone: bool,
        /// The server's error.
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

/// For several callers that waited for the same work. A server error is cloned whole; any other
/// cause is reduced to its text.
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

/// An error as the server reported it, field for field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseError {
    /// SQLSTATE, five characters.
    pub code: String,
    /// Primary message.
    pub message: String,
    /// Secondary message with details.
    pub detail: Option<String>,
    /// A suggestion for a fix.
    pub hint: Option<String>,
    /// Character offset into the statement, counted from 1.
    pub position: Option<usize>,
    /// The call stack inside the server.
    pub context: Option<String>,
    /// Schema of the object that the error is about.
    pub schema: Option<String>,
    /// Table that the error is about.
    pub table: Option<String>,
    /// Column that the error is about.
    pub column: Option<String>,
    /// Constraint that was violated.
    pub constraint: Option<String>,
    /// The server's source routine, by which alone some errors can be distinguished.
    pub routine: Option<String>,
}

/// Prints message and code only: the detail often quotes a row, and errors are logged.
impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SQLSTATE {})", self.message, self.code)
    }
}

impl std::error::Error for DatabaseError {}

impl PgError {
    /// The server's error, if the server refused.
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

    /// An error while a connection is opened concerns our login, not a caller's statement; for the
    /// caller the database is unavailable.
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

    /// Whether this work conflicted with another transaction: a deadlock (`40P01`) or a
    /// serialization failure (`40001`). A retry may succeed.
    pub fn is_conflict(&self) -> bool {
        matches!(self.code(), Some("40P01" | "40001"))
    }

    /// Whether another transaction held a lock for longer than `lock_timeout`.
    pub fn is_lock_timeout(&self) -> bool {
        self.code() == Some("55P03")
    }
}

impl From<DatabaseError> for PgError {
    /// SQLSTATE class 08 and the shutdown codes of class 57 mean that the connection is lost,
    /// whatever the statement was.
    fn from(error: DatabaseError) -> Self {
        // 08P01 is a protocol violation after which the connection stays open.
        let is_unavailable = (error.code.starts_with("08") && error.code != "08P01")
            || matches!(error.code.as_str(), "57P01" | "57P02" | "57P03" | "53300")
            || error.is_renamed_database();
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
    /// Whether the database was renamed while a connection to it was opened. The next attempt meets
    /// the database that has the name now. A name that never existed has no detail.
    fn is_renamed_database(&self) -> bool {
        let is_opening = self.routine.as_deref() == Some("InitPostgres");
        self.code == "3D000" && is_opening && self.detail.is_some()
    }

    /// Parses an `ErrorResponse` message.
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

    /// Stores a field of the message by its type; types that are not needed are ignored.
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

/// Prints `:line:column` if they are known.
struct SourcePosition(Option<usize>, Option<usize>);

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(line), Some(column)) => write!(f, ":{line}:{column}"),
            _ => Ok(()),
        }
    }
}

/// Prints `: detail` if there is a detail.
struct Detail<'a>(Option<&'a str>);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed_database_is_unavailable_for_a_moment() {
        let unknown = DatabaseError {
            code: "3D000".to_owned(),
            routine: Some("InitPostgres".to_owned()),
            ..DatabaseError::default()
        };
        let detail = Some("It seems to have just been dropped or renamed.".to_owned());
        let renamed = DatabaseError { detail, ..unknown.clone() };
        assert!(PgError::from(renamed.clone()).is_unavailable());
        assert!(!PgError::from(unknown).is_unavailable());
        let dropped_by_hand = DatabaseError { routine: Some("dropdb".to_owned()), ..renamed };
        assert!(!PgError::from(dropped_by_hand).is_unavailable());
    }
}
