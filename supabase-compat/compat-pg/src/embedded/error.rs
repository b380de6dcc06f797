//! Why an embedded server cannot be started or upgraded, in words for the person who starts the
//! program.

use std::path::PathBuf;

use compat_subprocess::ProgramError;
use thiserror::Error;

/// A failure of an embedded server, its installation or its upgrade.
#[derive(Debug, Error)]
pub enum EmbeddedError {
    /// Another process runs a server in this folder.
    #[error(
        "the data folder {} is in use by {}; stop it or choose another folder",
        home.display(),
        holder.map_or("another process".to_owned(), |pid| format!("process {pid}"))
    )]
    InUse {
        /// The data folder.
        home: PathBuf,
        /// The process that holds the lock, if known.
        holder: Option<i32>,
    },
    /// No server was found, and installing one failed or is not allowed.
    #[error("no PostgreSQL 14 or later was found{reason}; {advice}")]
    NotFound {
        /// What was tried; may be empty.
        reason: String,
        /// What the user can do.
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
        /// The path that cannot be written to: the folder, or its nearest existing parent.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// There is too little free space on the disk.
    #[error(
        "the data folder {} has {free} MB left and PostgreSQL needs {needed} MB; free some, or choose \
         a folder on another disk with --data-dir (DATA_DIR)",
        home.display()
    )]
    NoSpace {
        /// The data folder.
        home: PathBuf,
        /// The free space, in megabytes.
        free: u64,
        /// The needed space, in megabytes.
        needed: u64,
    },
    /// The server cannot be downloaded, or cannot run as its account.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file or folder could not be made or read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The server cannot listen at the port for other programs.
    #[error(
        "PostgreSQL cannot listen at 127.0.0.1:{port}: {source}; stop what does, or choose another port \
         (`--db-port`, or `port` below `[db]` in config.toml; 0 takes a free one)"
    )]
    Port {
        /// The port.
        port: u16,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The data folder contains no database.
    #[error("the data folder {} holds no database of PostgreSQL; there is nothing to upgrade", .0.display())]
    NoData(PathBuf),
    /// No server of the version that wrote the data is installed.
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
    /// No server of the requested version is installed.
    #[error("no PostgreSQL {0} was found; install it, or set PG_BINDIR to it; nothing was changed")]
    NewServerMissing(u32),
    /// The old data are in use, so they cannot be removed.
    #[error("{} is in use; stop the server, then try again", .0.display())]
    OldDataInUse(PathBuf),
    /// The superuser cannot be determined, or `postgres` cannot be demoted.
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
