//! Writes the output of functions to the server's log: tagged, without secrets, limited in volume.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::secrets::SecretRedactor;

/// The most lines of one function in a [`WINDOW`], the hosted platform's limit.
const MOST_LINES: u32 = 100;
const WINDOW: Duration = Duration::from_secs(10);

/// The log of one function.
pub(super) struct FunctionLog {
    name: String,
    open: Mutex<OpenLog>,
}

struct OpenLog {
    redactor: SecretRedactor,
    start: Instant,
    lines: u32,
    left_out: u64,
}

/// The stream that a line was printed to, or the host itself.
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
    /// Creates the log of the function `name`.
    pub fn new(name: &str) -> Self {
        let open = OpenLog {
            redactor: SecretRedactor::default(),
            start: Instant::now(),
            lines: 0,
            left_out: 0,
        };
        Self { name: name.to_owned(), open: Mutex::new(open) }
    }

    /// Keeps these secrets out of every line from now on.
    pub fn cover(&self, redactor: SecretRedactor) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).redactor = redactor;
    }

    /// Writes a line, unless the function has exceeded its limit of lines.
    pub fn write(&self, source: Source, line: &str) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.start.elapsed() >= WINDOW {
            let left_out = std::mem::take(&mut open.left_out);
            (open.start, open.lines) = (Instant::now(), 0);
            if left_out > 0 {
                self.put(Source::Host, &format!("{left_out} lines were left out"));
            }
        }
        open.lines = open.lines.saturating_add(1);
        if open.lines > MOST_LINES && source != Source::Host {
            open.left_out += 1;
            return;
        }
        let line = open.redactor.draw(line);
        self.put(source, &line);
    }

    fn put(&self, source: Source, line: &str) {
        let (function, from) = (self.name.as_str(), source.name());
        match source {
            Source::Output => tracing::info!(target: "functions", function, from, "{line}"),
            _ => tracing::warn!(target: "functions", function, from, "{line}"),
        }
    }
}
