//! Copies the log of the embedded PostgreSQL into the log ring, by reading its JSON lines as they
//! are written. Servers before version 15 write none.
//!
//! Statements, details and parameters are left out, because they contain values of rows. A line
//! names its request in its `application_name`.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use compat_http::{RequestId, redact_error};
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::access::LONGEST_MESSAGE;
use super::{LogEntry, LogLevel, LogWriter};

/// How often the server's log is read.
const LOOK: Duration = Duration::from_millis(500);
/// The most bytes of one read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// The reader of one server's log. Cheap to clone.
#[derive(Clone)]
pub(crate) struct PostgresLog(Arc<Mutex<Tail>>);

struct Tail {
    folder: PathBuf,
    writer: LogWriter,
    /// Lines from before this time belong to an earlier run.
    since: DateTime<Utc>,
    file: Option<PathBuf>,
    offset: u64,
}

/// The fields of a line that are read (PostgreSQL, "Using JSON-Format Log Output").
#[derive(Deserialize)]
struct Line {
    timestamp: String,
    user: Option<String>,
    error_severity: Option<String>,
    state_code: Option<String>,
    message: Option<String>,
    application_name: Option<String>,
}

impl PostgresLog {
    /// A reader of the log that the server writes into `folder`, from `since` on.
    pub fn new(folder: PathBuf, writer: LogWriter, since: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new(Tail { folder, writer, since, file: None, offset: 0 })))
    }

    /// Reads until it is stopped, and then once more.
    pub async fn run(self, stop: CancellationToken) {
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_last = stop.run_until_cancelled(ticks.tick()).await.is_none();
            let tail = Arc::clone(&self.0);
            let read = tokio::task::spawn_blocking(move || {
                tail.lock().unwrap_or_else(PoisonError::into_inner).read()
            });
            if let Ok(Err(error)) = read.await {
                tracing::debug!(%error, "cannot read the log of PostgreSQL");
            }
            if is_last {
                return;
            }
        }
    }
}

impl Tail {
    fn read(&mut self) -> io::Result<()> {
        let newest = newest_log(&self.folder)?;
        if let Some(file) = self.file.clone() {
            self.read_file(&file)?;
        }
        if newest.is_some() && newest != self.file {
            (self.file, self.offset) = (newest.clone(), 0);
            newest.map_or(Ok(()), |file| self.read_file(&file))?;
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() < self.offset {
            // The file of the same weekday a week ago was overwritten.
            self.offset = 0;
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let (mut reader, mut line) = (BufReader::new(file.take(MOST_BYTES)), Vec::new());
        let mut length = 0;
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line)? as u64;
            let is_whole = line.last() == Some(&b'\n');
            length += read;
            // A line that is longer than one read is skipped.
            if is_whole || length >= MOST_BYTES {
                self.offset += read;
            }
            if !is_whole {
                return Ok(());
            }
            if let Some(entry) = serde_json::from_slice(&line).ok().and_then(entry_of)
                && entry.time >= self.since
            {
                self.writer.write(entry);
            }
        }
    }
}

/// The file that was modified last.
fn newest_log(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut newest = None;
    for entry in std::fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let modified_at = entry.metadata()?.modified()?;
            newest = newest.max(Some((modified_at, path)));
        }
    }
    Ok(newest.map(|(_, path)| path))
}

fn entry_of(line: Line) -> Option<LogEntry> {
    let time = line.timestamp.strip_suffix(" UTC")?;
    let time = NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S%.f").ok()?.and_utc();
    let severity = line.error_severity.unwrap_or_else(|| "LOG".to_owned());
    let level = match severity.as_str() {
        "ERROR" | "FATAL" | "PANIC" => LogLevel::Error,
        "WARNING" => LogLevel::Warn,
        severity if severity.starts_with("DEBUG") => LogLevel::Debug,
        _ => LogLevel::Info,
    };
    let code = line.state_code.filter(|code| code != "00000");
    let message = line.message.unwrap_or_default();
    let message = redact_error(code.as_deref().unwrap_or_default(), &message);
    let name = line.application_name.unwrap_or_default();
    Some(LogEntry {
        message: Some(message.chars().take(LONGEST_MESSAGE).collect()),
        role: line.user,
        request_id: RequestId::of_application_name(&name).map(|id| id.0.to_string()),
        code,
        severity: Some(severity),
        ..LogEntry::new(time, "pg", level)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<LogEntry> {
        entry_of(serde_json::from_str(line).expect("JSON"))
    }

    #[test]
    fn a_line_of_the_server_names_its_request() {
        let entry = read(
            r#"{"timestamp":"2026-11-26 09:35:25.123 UTC","user":"authenticator","pid":7,
            "error_severity":"ERROR","state_code":"22P02","statement":"select 'hunter2'",
            "message":"invalid input syntax for type integer: \"hunter2\"",
            "application_name":"request 6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a"}"#,
        )
        .expect("an entry");
        assert_eq!(entry.request_id.as_deref(), Some("6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a"));
        assert_eq!((entry.level, entry.code.as_deref()), (LogLevel::Error, Some("22P02")));
        assert!(!serde_json::to_string(&entry).expect("JSON").contains("hunter2"));
    }

    #[test]
    fn a_line_of_another_zone_is_passed_over() {
        assert_eq!(read(r#"{"timestamp":"2026-11-26 10:35:25.123 CET"}"#), None);
    }
}
