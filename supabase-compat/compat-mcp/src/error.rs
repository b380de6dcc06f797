//! Every way a tool refuses. The caller is told in words; a program reads `isError`.

use compat_pg::{PgError, SqlError};
use thiserror::Error;

/// Why a tool has no answer.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The arguments are not what the tool's schema says.
    #[error("Invalid arguments: {0}")]
    Arguments(String),
    /// The tool changes something, and nothing may be changed.
    #[error(
        "Cannot {0} in read-only mode. Connect with ?read_only=false, or start with --read-only=false"
    )]
    ReadOnly(&'static str),
    /// There is nothing of this name.
    #[error("There is no {kind} named {name}")]
    Missing {
        /// What was looked for.
        kind: &'static str,
        /// As it was named.
        name: String,
    },
    /// A text of SQL has no result.
    #[error("{0}")]
    Sql(#[source] SqlError),
    /// The database did not answer; its words are for the log.
    #[error("The database does not answer; see the log of the services")]
    Database(#[source] PgError),
    /// A file of a function cannot be read.
    #[error("{0}")]
    File(String),
    /// Too many calls at once.
    #[error("Too many statements run at the moment; try again")]
    Busy,
}

impl From<SqlError> for ToolError {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Database(PgError::PoolTimeout) => Self::Busy,
            error => Self::Sql(error),
        }
    }
}

impl From<PgError> for ToolError {
    fn from(error: PgError) -> Self {
        match error.database() {
            Some(refusal) => Self::Sql(SqlError::Refused(Box::new(refusal.clone()))),
            None => Self::Database(error),
        }
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self::Arguments(error.to_string())
    }
}
