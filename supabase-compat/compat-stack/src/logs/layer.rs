//! The `tracing` layer that writes the program's messages into the log ring, with the id of the
//! request that they belong to.

use std::fmt::{self, Write as _};
use std::sync::OnceLock;

use compat_http::{Clock, redact_text};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::access::LONGEST_MESSAGE;
use super::{LogEntry, LogLevel, LogWriter};

/// The target of what functions print.
const FUNCTIONS: &str = "functions";

/// The ring of this process, which is set after logging has started.
static PROCESS_WRITER: OnceLock<LogWriter> = OnceLock::new();

/// Turns events into log entries. Without a writer of its own, it drops events until the ring of
/// this process is set.
pub struct LogLayer {
    writer: Option<LogWriter>,
    clock: Clock,
}

impl LogLayer {
    /// A layer that writes into this ring.
    pub fn new(writer: LogWriter, clock: Clock) -> Self {
        Self { writer: Some(writer), clock }
    }

    /// A layer that writes into the ring that [`Self::write_to`] sets.
    pub fn of_process() -> Self {
        Self { writer: None, clock: Clock::system() }
    }

    /// Sets the ring of this process; later calls have no effect.
    pub fn write_to(writer: LogWriter) {
        let _ = PROCESS_WRITER.set(writer);
    }

    fn writer(&self) -> Option<&LogWriter> {
        self.writer.as_ref().or_else(|| PROCESS_WRITER.get())
    }
}

/// The id of a request, stored in its span.
struct SpanRequestId(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LogLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().name() != "http.request" {
            return;
        }
        let mut request = RequestIdField::default();
        attributes.record(&mut request);
        if let (Some(request), Some(span)) = (request.0, context.span(id)) {
            span.extensions_mut().insert(SpanRequestId(request));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(writer) = self.writer() else { return };
        let mut fields = Fields::default();
        event.record(&mut fields);
        let metadata = event.metadata();
        let mut entry = match metadata.target() {
            FUNCTIONS => self.printed(fields),
            _ => self.event_entry(metadata, fields),
        };
        let mut spans = context.event_scope(event).into_iter().flatten();
        entry.request_id =
            spans.find_map(|span| Some(span.extensions().get::<SpanRequestId>()?.0.clone()));
        writer.write(entry);
    }
}

impl LogLayer {
    /// The entry of a line that a function printed. `from` is `log`, `error`, or `host` for a
    /// message about the function.
    fn printed(&self, fields: Fields) -> LogEntry {
        let level = match fields.from.as_deref() {
            Some("error") => LogLevel::Error,
            Some("host") => LogLevel::Warn,
            _ => LogLevel::Info,
        };
        LogEntry {
            function: fields.function,
            message: Some(shortened(&fields.message)),
            ..LogEntry::new(self.clock.now(), "functions", level)
        }
    }

    fn event_entry(&self, metadata: &Metadata<'_>, fields: Fields) -> LogEntry {
        let level = match *metadata.level() {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warn,
            Level::INFO => LogLevel::Info,
            _ => LogLevel::Debug,
        };
        let mut text = fields.message;
        text.push_str(&fields.others);
        if let Some(function) = &fields.function {
            let _ = write!(text, " function={function}");
        }
        LogEntry {
            function: fields.function,
            message: Some(shortened(&text)),
            ..LogEntry::new(self.clock.now(), service_of(metadata.target()), level)
        }
    }
}

fn shortened(text: &str) -> String {
    redact_text(text.trim_end()).chars().take(LONGEST_MESSAGE).collect()
}

/// The service whose crate logged the event.
fn service_of(target: &str) -> &'static str {
    match target.split("::").next().unwrap_or_default() {
        "compat_rest" => "rest",
        "compat_auth" => "auth",
        "compat_storage" => "storage",
        "compat_functions" => "functions",
        "compat_realtime" | "compat_replication" => "realtime",
        _ => "stack",
    }
}

/// The field `id` of a request's span; other fields are ignored.
#[derive(Default)]
struct RequestIdField(Option<String>);

impl Visit for RequestIdField {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "id" {
            self.0 = Some(format!("{value:?}"));
        }
    }
}

/// The fields of an event.
#[derive(Default)]
struct Fields {
    message: String,
    function: Option<String>,
    from: Option<String>,
    /// All other fields, as ` name=value`.
    others: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.message.push_str(value),
            "function" => self.function = Some(value.to_owned()),
            "from" => self.from = Some(value.to_owned()),
            _ => self.record_debug(field, &value),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            "function" => write!(self.function.get_or_insert_default(), "{value:?}"),
            name => write!(self.others, " {name}={value:?}"),
        };
    }
}
