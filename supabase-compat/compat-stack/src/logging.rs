//! Structured logs on standard error; standard output carries only what a command prints.

use std::io::{self, IsTerminal as _, Write as _};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// How logs look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging at `level`, a filter such as `info` or `compat_rest=debug,info`. A second call
/// changes nothing.
pub fn start(level: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(level).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_span_events(FmtSpan::NONE)
        // A reader that went away must not take the program along.
        .log_internal_errors(false);
    let started = match format {
        LogFormat::Text => builder.with_target(false).compact().try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(%error, "logging already started");
    }
}

/// A line on standard output for whoever listens; where nobody does, it is said to nobody.
pub fn print_line(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}
