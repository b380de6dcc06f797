//! Why the stack does not start.

use compat_http::OutgoingError;
use compat_pg::{EmbeddedError, PgError};

use crate::data_format::DataFormatError;
use crate::{ListenError, ProjectKeysError};

/// Why the stack did not start or did not stop in order.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// The keys cannot be loaded.
    #[error(transparent)]
    Keys(#[from] ProjectKeysError),
    /// The embedded PostgreSQL failed.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// The database cannot be reached, or a statement failed.
    #[error("database: {0}")]
    Database(#[from] PgError),
    /// A migration failed. All changes of this start were rolled back.
    #[error(
        "database: {0}; the database is as it was: start {before} again, or restore a backup into an empty \
         data folder or database",
        before = previous_program(.1.as_deref())
    )]
    Migration(Box<PgError>, Option<String>),
    /// A later version wrote the data folder.
    #[error(transparent)]
    Format(#[from] DataFormatError),
    /// A port cannot be opened.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Two functions have the same name, or a name is not valid in a path.
    #[error(transparent)]
    Functions(#[from] compat_functions::RegistryError),
    /// The client for outgoing calls cannot be created.
    #[error("outgoing calls: {0}")]
    Outgoing(#[from] OutgoingError),
    /// The mail relay is configured wrongly.
    #[error("mail: {0}")]
    Mail(#[from] compat_mail::DeliveryError),
    /// A metric cannot be registered.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// An operation of the operating system failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The version of the program to go back to, in words for the operator.
fn previous_program(version: Option<&str>) -> String {
    match version {
        Some(version) => format!("version {version} of this program, which served it before,"),
        None => "the version of this program that served it before".to_owned(),
    }
}
