//! Why an embedded server cannot be had, in words for the person who starts the program.

use std::path::PathBuf;

use compat_subprocess::ProgramError;
use thiserror::Error;

/// A reason for not having a server.
#[derive(Debug, Error)]
pub enum EmbeddedError {
    /// Another process keeps a server in this folder.
    #[error(
        "the data folder {} is in use by {}; stop it or choose another folder",
        home.display(),
        holder.map_or("another process".to_owned(), |pid| format!("process {pid}"))
    )]
    InUse {
        /// The data folder.
        home: PathBuf,
        /// The process that holds it, when it said so.
        holder: Option<i32>,
    },
    /// No server was found, and installing one failed or is not allowed.
    #[error("no PostgreSQL 14 or later was found{reason}; {advice}")]
    NotFound {
        /// What was tried, or empty.
        reason: String,
        /// What the person can do.
        advice: String,
    },
    /// The folder holds data of a version for which no server is installed.
    #[error(
        "{} holds data of PostgreSQL {major}, but only {} is installed; \
         install PostgreSQL {major} or set PG_BINDIR to it",
        data.display(),
        found.join(", ")
    )]
    OtherVersion {
        /// The existing data.
        data: PathBuf,
        /// Its major version.
        major: u32,
        /// Versions that were found.
        found: Vec<String>,
    },
    /// The data folder cannot be made or written to.
    #[error(
        "the data folder {} cannot be used: {}: {source}; make it writable for this account or choose \
         another with --data-dir (DATA_DIR)",
        home.display(),
        path.display()
    )]
    Unwritable {
        /// The data folder.
        home: PathBuf,
        /// What cannot be written to: the folder, or the nearest above it that is there.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The disk is full, or nearly.
    #[error(
        "the data folder {} has {free} MB left and PostgreSQL needs {needed} MB; free some, or choose \
         a folder on another disk with --data-dir (DATA_DIR)",
        home.display()
    )]
    NoSpace {
        /// The data folder.
        home: PathBuf,
        /// What is free there, in megabytes.
        free: u64,
        /// What a start needs, in megabytes.
        needed: u64,
    },
    /// The server cannot be fetched, or run as the account it has to run as.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file or folder could not be made or read.
    #[error("{}: {source}", path.display())]
    File {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The port for other programs cannot be had.
    #[error(
        "PostgreSQL cannot listen at 127.0.0.1:{port}: {source}; stop what does, or choose another port \
         (`--db-port`, or `port` below `[db]` in config.toml; 0 takes a free one)"
    )]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder has no database.
    #[error("the data folder {} holds no database of PostgreSQL; there is nothing to upgrade", .0.display())]
    NoData(PathBuf),
    /// A server of the version that the data were written by is not here.
    #[error(
        "{} holds data of PostgreSQL {major}, and reading them needs a server of that version; install \
         PostgreSQL {major}; nothing was changed",
        data.display()
    )]
    OldServerMissing {
        /// The existing data.
        data: PathBuf,
        /// Its major version.
        major: u32,
    },
    /// A server of the version asked for is not here.
    #[error("no PostgreSQL {0} was found; install it, or set PG_BINDIR to it; nothing was changed")]
    NewServerMissing(u32),
    /// A file or folder of an upgrade that is in use.
    #[error("{} is in use; stop the server, then try again", .0.display())]
    OldDataInUse(PathBuf),
    /// The superuser cannot be told, or `postgres` not be demoted.
    #[error("the superuser of the embedded PostgreSQL: {0}")]
    Superuser(Box<crate::PgError>),
    /// The server does not start.
    #[error("PostgreSQL does not start: {0}")]
    Start(String),
    /// The preparation was interrupted.
    #[error("the preparation of PostgreSQL was interrupted: {0}")]
    Interrupted(String),
}

impl EmbeddedError {
    pub(super) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
