//! Why a program cannot be had or run, in words for the person who starts ours.

use std::path::PathBuf;

use thiserror::Error;

/// A reason for not having a program.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The account the program must run as cannot reach what it needs.
    #[error(
        "{} is closed to the account `{account}` that {program} runs as (mode {mode:o}); \
         choose a folder it can reach, for instance below /var/lib",
        path.display()
    )]
    Closed {
        /// What cannot be passed through.
        path: PathBuf,
        /// The account.
        account: String,
        /// The program that is to run.
        program: &'static str,
        /// The permission bits in the way.
        mode: u32,
    },
    /// There is no account to run as.
    #[error("{0}")]
    Account(String),
    /// A file or folder could not be made or read.
    #[error("{}: {source}", path.display())]
    File {
        /// What was touched.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program we called failed.
    #[error("`{program}` failed: {output}")]
    Failed {
        /// The program and what it was to do.
        program: String,
        /// The end of what it printed.
        output: String,
    },
}

impl ProgramError {
    /// For `map_err`, with what was touched.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
