//! Errors of tools. The caller gets a text; a program reads `isError`.

use compat_pg::{PgError, SqlError};
use thiserror::Error;

/// Why a tool call failed.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The arguments do not match the tool's schema.
    #[error("Invalid arguments: {0}")]
    Arguments(String),
    /// The tool writes, but the connection is read-only.
    #[error(
        "Cannot {0} in read-only mode. Connect with ?read_only=false, or start with --read-only=false"
    )]
    ReadOnly(&'static str),
    /// No object has this name.
    #[error("There is no {kind} named {name}")]
    Missing {
        /// The kind of object.
        kind: &'static str,
        /// The requested name.
        name: String,
    },
    /// The SQL failed.
    #[error("{0}")]
    Sql(#[source] SqlError),
    /// The database did not answer; the cause is logged.
    #[error("The database does not answer; see the log of the services")]
    Database(#[source] PgError),
    /// A file of a function cannot be read.
    #[error("{0}")]
    File(String),
    /// Too many calls run at once.
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
