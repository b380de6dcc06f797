//! Sets up structured logs on standard error and in the log ring of the data folder. Standard
//! output carries only what a command prints.

use std::io::{self, IsTerminal as _, Write as _};

use tracing::Subscriber;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer};

use crate::logs::LogLayer;

/// The format of logs on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging on standard error at `level`, a filter such as `info` or
/// `compat_rest=debug,info`, and at `info` into the ring once [`LogLayer::write_to`] sets one. A
/// second call has no effect.
pub fn start(level: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(level).unwrap_or_else(|_| EnvFilter::new("info"));
    // By default, both layers want `info`. A filter for each layer would look up every span again
    // whenever its request continues.
    let started = match filter.to_string() == "info" {
        true => tracing_subscriber::registry()
            .with(LevelFilter::INFO)
            .with(people(format))
            .with(LogLayer::of_process())
            .try_init(),
        false => tracing_subscriber::registry()
            .with(people(format).with_filter(filter))
            .with(LogLayer::of_process().with_filter(LevelFilter::INFO))
            .try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(%error, "logging was started already");
    }
}

/// The layer that writes to standard error.
fn people<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let people = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // Standard error may be a closed pipe, which must not end the program.
        .log_internal_errors(false);
    match format {
        LogFormat::Text => people.with_target(false).compact().boxed(),
        LogFormat::Json => people.json().flatten_event(true).boxed(),
    }
}

/// Prints a line on standard output; a closed pipe is ignored.
pub fn print_line(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}
