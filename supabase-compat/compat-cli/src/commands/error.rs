//! Why a command of a project's folder did nothing, with what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use compat_pg::PgError;
use compat_stack::StackError;

use crate::project::ProjectError;
use compat_stack::backup::BackupError;

/// Why a command did nothing.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The project was never started.
    #[error(
        "no database at {}: the project was never started; supabase-compat up starts it, --db-url \
         names another database",
        .0.display()
    )]
    NoDatabase(PathBuf),
    /// Nobody serves it.
    #[error("no server runs on {}; nothing was stopped", .0.display())]
    NotServed(PathBuf),
    /// The server of `--db-url` does not answer, or does not take the login.
    #[error("{0}; see that the server runs and that --db-url names it with a login it takes")]
    Unreachable(#[source] PgError),
    /// A name that cannot be one of a file or a function.
    #[error("{name:?} is no name for a {kind}: {rule}; nothing was made")]
    Name {
        /// What was to be named.
        kind: &'static str,
        /// The name.
        name: String,
        /// What a name may hold.
        rule: &'static str,
    },
    /// There is one of this name.
    #[error("{} is there already; nothing was changed", .0.display())]
    Exists(PathBuf),
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something of the command line does not fit.
    #[error("{0}")]
    Usage(String),
    /// An extension is not there.
    #[error(
        "{command} needs the extension {extension}, which this server does not offer: {remedy}"
    )]
    NoExtension {
        /// The command.
        command: &'static str,
        /// The extension.
        extension: &'static str,
        /// What to do.
        remedy: String,
    },
    /// What was looked at is not as it should be.
    #[error("{0}")]
    Failed(String),
    /// Another program.
    #[error(transparent)]
    Program(#[from] BackupError),
    /// The project's files.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The database.
    #[error("database: {0}")]
    Database(#[from] PgError),
    /// The server below it.
    #[error(transparent)]
    Stack(#[from] StackError),
}

/// Names a file in what the system says of it.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> CommandError {
    let path = path.to_owned();
    move |source| CommandError::File { path, source }
}
