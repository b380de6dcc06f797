//! The command `logs`: requests and messages of the services, the functions and PostgreSQL, from
//! the log ring in the data folder. It needs no running server.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::{Args, ValueEnum};
use compat_http::Clock;
use compat_stack::logs::{
    Follower, LogEntry, LogFilter, LogLevel, StatusRange, logs_folder, read_tail,
};
use compat_stack::settings::{DataArguments, Setting as _};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// How often the log is read with `--follow`.
const LOOK: Duration = Duration::from_millis(250);

/// The services that entries can be filtered by.
const SERVICES: [&str; 9] =
    ["rest", "auth", "storage", "functions", "realtime", "meta", "pg", "pages", "stack"];

/// The arguments of `logs`.
#[derive(Debug, Clone, Args)]
pub struct LogsArguments {
    /// One service; `pg` for messages of PostgreSQL, `meta` for requests below `/pg`, `stack` for
    /// the program itself; all without it
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(SERVICES))]
    pub service: Option<String>,
    #[command(flatten)]
    pub data: DataArguments,
    /// The number of the last entries [default: 100, all with `--since`]
    #[arg(long, short = 'n')]
    pub lines: Option<usize>,
    /// Also print new entries as they are written
    #[arg(long, short)]
    pub follow: bool,
    /// Only entries since a time such as 10m or 24h ago, or 2026-01-31T12:00:00Z
    #[arg(long, value_parser = since)]
    pub since: Option<LogStart>,
    /// Only requests with such a status: 404, 5xx or 400-499
    #[arg(long)]
    pub status: Option<StatusRange>,
    /// Only requests whose path begins with this
    #[arg(long)]
    pub path: Option<String>,
    /// Only requests of the account with this id
    #[arg(long, value_name = "ID")]
    pub user: Option<String>,
    /// Only entries of the request with this id (`x-request-id` of its answer)
    #[arg(long, value_name = "ID")]
    pub request: Option<String>,
    /// The format of entries
    #[arg(long, short, default_value = "pretty")]
    pub output: LogOutput,
}

/// The format of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogOutput {
    /// A line for people.
    Pretty,
    /// A JSON object a line.
    Json,
}

/// The earliest time of printed entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogStart {
    /// This long before now.
    Ago(Duration),
    /// At this time.
    At(DateTime<Utc>),
}

fn since(text: &str) -> Result<LogStart, &'static str> {
    let at = DateTime::parse_from_rfc3339(text).map(|time| LogStart::At(time.to_utc()));
    at.ok()
        .or_else(|| Duration::read(text).map(LogStart::Ago))
        .ok_or("a time such as 10m, 24h or 2026-01-31T12:00:00Z")
}

impl LogsArguments {
    /// Prints the log of this data folder.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn print(&self, data_dir: &Path) -> Outcome {
        let output = self.output;
        let filter = self.filter()?;
        let limit = self.lines.unwrap_or(if self.since.is_some() { usize::MAX } else { 100 });
        print_entries(data_dir, &filter, limit, self.follow, |entry| line_of(entry, output)).await
    }

    fn filter(&self) -> Result<LogFilter, &'static str> {
        let since = match self.since {
            None => None,
            Some(LogStart::At(time)) => Some(time),
            Some(LogStart::Ago(length)) => {
                let length = chrono::Duration::from_std(length).ok();
                let start = length.and_then(|it| Clock::system().now().checked_sub_signed(it));
                Some(start.ok_or("--since: before all time")?)
            }
        };
        Ok(LogFilter {
            service: self.service.clone(),
            function: None,
            since,
            status: self.status.clone(),
            path: self.path.clone(),
            user: self.user.clone(),
            request_id: self.request.clone(),
            is_printed: false,
        })
    }
}

/// Prints entries, and new ones if `follow` is set.
///
/// # Errors
/// The log cannot be read, or the output cannot be written.
pub(super) async fn print_entries(
    data_dir: &Path,
    filter: &LogFilter,
    limit: usize,
    follow: bool,
    line: impl Fn(&LogEntry) -> String,
) -> Outcome {
    let folder = logs_folder(data_dir);
    let (entries, place) = read_tail(&folder, filter, limit)?;
    if entries.is_empty() && !follow && !folder.is_dir() {
        return Err(format!(
            "no log in {}: none was kept yet, or LOG_MAX_SIZE is 0",
            folder.display()
        )
        .into());
    }
    let mut result = print_all(&entries, &line);
    let mut follower = Follower::new(&folder, place);
    while follow && result.is_ok() {
        tokio::time::sleep(LOOK).await;
        let mut fresh = Vec::new();
        follower.read(|entry| fresh.extend(Some(entry).filter(|entry| filter.accepts(entry))))?;
        result = print_all(&fresh, &line);
    }
    match result {
        // The reader of a pipe has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn print_all(entries: &[LogEntry], line: impl Fn(&LogEntry) -> String) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for entry in entries {
        writeln!(out, "{}", line(entry))?;
    }
    out.flush()
}

fn line_of(entry: &LogEntry, output: LogOutput) -> String {
    match output {
        LogOutput::Json => serde_json::to_string(entry).unwrap_or_default(),
        LogOutput::Pretty => pretty(entry),
    }
}

/// `2026-11-26T09:41:30.123Z rest       GET 200 /rest/v1/things?select=id 1.2 ms user=… request=…`.
fn pretty(entry: &LogEntry) -> String {
    let stamp = entry.time.to_rfc3339_opts(SecondsFormat::Millis, true);
    let mut parts = vec![format!("{stamp} {:<9}", entry.service)];
    match entry.status {
        Some(status) => {
            let query = entry.query.as_ref().map(|it| format!("?{it}")).unwrap_or_default();
            let path = entry.path.as_deref().unwrap_or_default();
            let method = entry.method.as_deref().unwrap_or_default();
            let duration = entry.duration_ms.unwrap_or_default();
            parts.push(format!("{method} {status} {path}{query} {duration:.1} ms"));
        }
        None => parts.push(match (&entry.severity, entry.level) {
            (Some(severity), _) => severity.clone(),
            (None, LogLevel::Debug) => "DEBUG".to_owned(),
            (None, LogLevel::Info) => "INFO".to_owned(),
            (None, LogLevel::Warn) => "WARN".to_owned(),
            (None, LogLevel::Error) => "ERROR".to_owned(),
        }),
    }
    let named = [
        ("function=", entry.function.as_ref().filter(|_| !entry.is_request())),
        ("", entry.code.as_ref()),
        ("", entry.message.as_ref()),
        ("user=", entry.user.as_ref()),
        ("request=", entry.request_id.as_ref()),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some(format!("{name}{}", value?)));
    parts.extend(named);
    // The output of a function may contain control characters, which must not reach the terminal.
    let line = parts.join(" ");
    line.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_a_length_or_a_time() {
        assert_eq!(since("10m"), Ok(LogStart::Ago(Duration::from_secs(600))));
        assert!(matches!(since("2026-01-31T12:00:00Z"), Ok(LogStart::At(_))));
        for wrong in ["", "yesterday", "-5m", "10 m"] {
            assert!(since(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_for_people_cannot_steer_their_terminal() {
        let time = DateTime::parse_from_rfc3339("2026-11-26T09:41:30.123Z").unwrap().to_utc();
        let mut entry = LogEntry::new(time, "functions", LogLevel::Info);
        entry.message = Some("\u{1b}[2Jgone".to_owned());
        assert_eq!(pretty(&entry), "2026-11-26T09:41:30.123Z functions INFO  [2Jgone");
    }

    #[test]
    fn request_log_entry_prints_as_one_line() {
        let time = DateTime::parse_from_rfc3339("2026-11-26T09:41:30.123Z").unwrap().to_utc();
        let entry = LogEntry {
            method: Some("GET".to_owned()),
            path: Some("/rest/v1/things".to_owned()),
            query: Some("select=id".to_owned()),
            status: Some(404),
            duration_ms: Some(1.24),
            user: Some("ada".to_owned()),
            code: Some("PGRST205".to_owned()),
            ..LogEntry::new(time, "rest", LogLevel::Warn)
        };
        let expected = "2026-11-26T09:41:30.123Z rest      GET 404 /rest/v1/things?select=id 1.2 ms \
                        PGRST205 user=ada";
        assert_eq!(pretty(&entry), expected);
    }
}
