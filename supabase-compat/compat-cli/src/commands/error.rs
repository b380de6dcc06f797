//! Errors of the commands on a project's folder, with what to do about them.

use std::io;
use std::path::{Path, PathBuf};

use compat_pg::PgError;
use compat_stack::StackError;

use crate::project::ProjectError;
use compat_stack::backup::BackupError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The project was never started.
    #[error(
        "no database at {}: the project was never started; supabase-compat up starts it, --db-url \
         names another database",
        .0.display()
    )]
    NoDatabase(PathBuf),
    /// No server serves the project.
    #[error("no server runs on {}; nothing was stopped", .0.display())]
    NotServed(PathBuf),
    /// The server of `--db-url` does not answer, or refuses the login.
    #[error("{0}; see that the server runs and that --db-url names it with a login it takes")]
    Unreachable(#[source] PgError),
    /// The name is not valid for a file or a function.
    #[error("{name:?} is no name for a {kind}: {rule}; nothing was made")]
    Name {
        /// The kind of the named item.
        kind: &'static str,
        /// The rejected name.
        name: String,
        /// The rule for such names.
        rule: &'static str,
    },
    /// A file of this name exists already.
    #[error("{} is there already; nothing was changed", .0.display())]
    Exists(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The arguments are invalid.
    #[error("{0}")]
    Usage(String),
    /// The server does not offer an extension that the command needs.
    #[error(
        "{command} needs the extension {extension}, which this server does not offer: {remedy}"
    )]
    NoExtension {
        /// The name of the command.
        command: &'static str,
        /// The name of the extension.
        extension: &'static str,
        /// What the operator can do.
        remedy: String,
    },
    /// The command found a problem, in words for the operator.
    #[error("{0}")]
    Failed(String),
    /// A program of PostgreSQL failed.
    #[error(transparent)]
    Program(#[from] BackupError),
    /// The project's files cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A statement failed.
    #[error("database: {0}")]
    Database(#[from] PgError),
    /// The database server cannot be started or reached.
    #[error(transparent)]
    Stack(#[from] StackError),
}

/// Adds the path of a file to an I/O error.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> CommandError {
    let path = path.to_owned();
    move |source| CommandError::File { path, source }
}
