//! What functions print: tagged, without secrets, bounded, in the server's log and in a file for
//! each function.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::Clock;
use tokio::time::Instant;

use super::secrets::SecretRedactor;

/// Lines of one function in a [`WINDOW`], the hosted platform's bound.
const MOST_LINES: u32 = 100;
const WINDOW: Duration = Duration::from_secs(10);
/// Bytes of a file before it becomes the old one and a new one is begun.
const LONGEST_FILE: u64 = 1024 * 1024;

/// The log of one function.
pub(super) struct FunctionLog {
    name: String,
    path: PathBuf,
    clock: Clock,
    open: Mutex<OpenLog>,
}

struct OpenLog {
    file: Option<File>,
    length: u64,
    redactor: SecretRedactor,
    start: Instant,
    lines: u32,
    left_out: u64,
}

/// Where a line was printed, or that it is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Output,
    Error,
    Host,
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Self::Output => "log",
            Self::Error => "error",
            Self::Host => "host",
        }
    }
}

impl FunctionLog {
    /// The journal of a function, kept in `folder`.
    pub fn new(name: &str, folder: &Path, clock: Clock) -> Self {
        let open = OpenLog {
            file: None,
            length: 0,
            redactor: SecretRedactor::default(),
            start: Instant::now(),
            lines: 0,
            left_out: 0,
        };
        Self { name: name.to_owned(), path: file_of(folder, name), clock, open: Mutex::new(open) }
    }

    /// Keeps these secrets out of every line from now on.
    pub fn cover(&self, redactor: SecretRedactor) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).redactor = redactor;
    }

    /// Writes a line, unless there were too many of late.
    pub fn write(&self, source: Source, line: &str) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        if open.start.elapsed() >= WINDOW {
            let left_out = std::mem::take(&mut open.left_out);
            (open.start, open.lines) = (Instant::now(), 0);
            if left_out > 0 {
                self.put(&mut open, now, Source::Host, &format!("{left_out} lines were left out"));
            }
        }
        open.lines = open.lines.saturating_add(1);
        if open.lines > MOST_LINES && source != Source::Host {
            open.left_out += 1;
            return;
        }
        let line = open.redactor.draw(line);
        self.put(&mut open, now, source, &line);
    }

    fn put(&self, open: &mut OpenLog, now: DateTime<Utc>, source: Source, line: &str) {
        let (function, from) = (self.name.as_str(), source.name());
        match source {
            Source::Output => tracing::info!(target: "functions", function, from, "{line}"),
            _ => tracing::warn!(target: "functions", function, from, "{line}"),
        }
        let stamp = now.format("%Y-%m-%dT%H:%M:%S%.3fZ");
        let written = open.append(&self.path, format!("{stamp} {from:5} {line}\n").as_bytes());
        if let Err(error) = written {
            tracing::debug!(function, %error, "function log not written");
            open.file = None;
        }
    }
}

impl OpenLog {
    fn append(&mut self, path: &Path, line: &[u8]) -> std::io::Result<()> {
        if self.length > LONGEST_FILE {
            self.file = None;
            std::fs::rename(path, path.with_extension("log.old"))?;
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file = OpenOptions::new().create(true).append(true).open(path)?;
                self.length = file.metadata()?.len();
                none.insert(file)
            }
        };
        file.write_all(line)?;
        self.length += line.len() as u64;
        Ok(())
    }
}

/// The file of a function's log.
pub fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.log"))
}
