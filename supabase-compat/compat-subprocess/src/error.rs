//! Why a program cannot be fetched or run, in texts for the operator.

use std::path::PathBuf;

use thiserror::Error;

/// The reason why a program cannot be fetched or run.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The account the program must run as cannot reach what it needs.
    #[error(
        "{} is closed to the account `{account}` that {program} runs as (mode {mode:o}); \
         choose a folder it can reach, for instance below /var/lib",
        path.display()
    )]
    Closed {
        /// The file or folder that the account may not enter.
        path: PathBuf,
        /// The name of the account.
        account: String,
        /// The program that is to run.
        program: &'static str,
        /// The permission bits of the file or folder.
        mode: u32,
    },
    /// There is no account that the program can run as; the text says why.
    #[error("{0}")]
    Account(String),
    /// A file or folder cannot be created or read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A program we called failed.
    #[error("`{program}` failed: {output}")]
    Failed {
        /// The program and what it was to do.
        program: String,
        /// The last lines that it printed.
        output: String,
    },
}

impl ProgramError {
    /// Makes a [`Self::File`] for `map_err`; `path` is the file or folder concerned.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
