//! The log tables, with the columns of Logflare's sources in Studio, and the row that a log entry
//! is in each of them. Every row has every field of its table, so that an unknown name differs from
//! a missing value.

use serde_json::{Value, json};

use crate::logs::{LogEntry, LogLevel, LogPosition};

/// A source of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    /// Every request of an application; those of Studio itself are left out, because there are too
    /// many.
    Edge,
    /// Messages of PostgreSQL.
    Postgres,
    /// Requests and messages of a service.
    Service(&'static str),
    /// Calls of functions.
    FunctionCalls,
    /// Output of functions.
    FunctionOutput,
    /// Logs of a service that does not exist here; always empty.
    Nothing,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct LogRow {
    /// Microseconds since 1970.
    pub timestamp: i64,
    /// The position in the ring, which is unique and stays the same while the entry exists.
    pub id: String,
    pub event_message: String,
    pub metadata: Value,
}

impl Table {
    /// The table of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "edge_logs" => Self::Edge,
            "postgres_logs" => Self::Postgres,
            "auth_logs" => Self::Service("auth"),
            "postgrest_logs" => Self::Service("rest"),
            "storage_logs" => Self::Service("storage"),
            "realtime_logs" => Self::Service("realtime"),
            "function_edge_logs" => Self::FunctionCalls,
            "function_logs" => Self::FunctionOutput,
            "supavisor_logs"
            | "pgbouncer_logs"
            | "pg_upgrade_logs"
            | "etl_replication_logs"
            | "multigres_logs" => Self::Nothing,
            _ => return None,
        })
    }

    /// Whether the table contains an entry.
    pub fn has(self, entry: &LogEntry) -> bool {
        let service = entry.service.as_str();
        match self {
            Self::Edge => entry.is_request() && !["pages", "meta"].contains(&service),
            Self::Postgres => service == "pg",
            Self::Service(own) => service == own,
            Self::FunctionCalls => service == "functions" && entry.is_request(),
            Self::FunctionOutput => service == "functions" && !entry.is_request(),
            Self::Nothing => false,
        }
    }

    /// The row of an entry, if the table contains it.
    pub fn row(self, place: LogPosition, entry: &LogEntry) -> Option<LogRow> {
        if !self.has(entry) {
            return None;
        }
        let (event_message, metadata) = match self {
            Self::Edge => (request_line(entry), edge(entry)),
            Self::Postgres => (entry.message.clone().unwrap_or_default(), postgres(entry)),
            Self::Service("auth") => auth(entry),
            Self::Service(_) => {
                let line = match entry.is_request() {
                    true => request_line(entry),
                    false => entry.message.clone().unwrap_or_default(),
                };
                (line, service_fields(entry))
            }
            Self::FunctionCalls => (request_line(entry), function_call(entry)),
            Self::FunctionOutput => {
                (entry.message.clone().unwrap_or_default(), function_output(entry))
            }
            Self::Nothing => return None,
        };
        Some(LogRow {
            timestamp: entry.time.timestamp_micros(),
            id: format!("{:08}-{:08}", place.segment, place.offset),
            event_message,
            metadata: json!([metadata]),
        })
    }
}

/// `GET | 200 | /rest/v1/things?select=id | <request id>`.
fn request_line(entry: &LogEntry) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let address = match &entry.query {
        Some(query) => format!("{}?{query}", text(&entry.path)),
        None => text(&entry.path),
    };
    let status = entry.status.unwrap_or_default();
    format!("{} | {status} | {address} | {}", text(&entry.method), text(&entry.request_id))
}

fn search(entry: &LogEntry) -> Option<String> {
    entry.query.as_ref().map(|query| format!("?{query}"))
}

fn edge(entry: &LogEntry) -> Value {
    json!({
        "request": [{
            "method": entry.method,
            "path": entry.path,
            "search": search(entry),
            "sb": [{"request_id": entry.request_id, "auth_user": entry.user, "role": entry.role}],
        }],
        "response": [{
            "status_code": entry.status,
            "origin_time": entry.duration_ms,
            "headers": [{"sb_request_id": entry.request_id, "x_sb_error_code": entry.code}],
        }],
        "error": entry.message,
    })
}

fn postgres(entry: &LogEntry) -> Value {
    let application = entry.request_id.as_ref().map(|id| format!("request {id}"));
    json!({
        "parsed": [{
            "error_severity": entry.severity,
            "sql_state_code": entry.code,
            "user_name": entry.role,
            "application_name": application,
            "timestamp": entry.time.to_rfc3339(),
            // Details, hints and statements contain values of rows, so they are not logged.
            "detail": null,
            "hint": null,
            "query": null,
        }],
    })
}

fn level(entry: &LogEntry) -> &'static str {
    match entry.level {
        LogLevel::Warn => "warning",
        other => other.name(),
    }
}

/// Studio also parses the message of an auth/v1 entry as JSON. The original logs every answered
/// request as `info`, and Studio uses the status.
fn auth(entry: &LogEntry) -> (String, Value) {
    let level = match entry.status {
        Some(status) if status < 500 => "info",
        _ => level(entry),
    };
    let message = match (&entry.message, entry.is_request()) {
        (Some(message), _) => message.as_str(),
        (None, true) => "request completed",
        (None, false) => "",
    };
    let fields = json!({
        "level": level,
        "msg": message,
        "status": entry.status,
        "method": entry.method,
        "path": entry.path.as_deref().map(|path| path.strip_prefix("/auth/v1").unwrap_or(path)),
        "error": entry.message.as_ref().filter(|_| entry.status.is_some_and(|it| it >= 400)),
        "error_code": entry.code,
        "duration": entry.duration_ms.map(|milliseconds| (milliseconds * 1e6) as i64),
        "request_id": entry.request_id,
        "auth_user": entry.user,
        "component": "api",
        "time": entry.time.to_rfc3339(),
    });
    (fields.to_string(), fields)
}

fn service_fields(entry: &LogEntry) -> Value {
    json!({
        "level": level(entry),
        "method": entry.method,
        "path": entry.path,
        "status": entry.status,
        "duration": entry.duration_ms,
        "request_id": entry.request_id,
        "auth_user": entry.user,
        "role": entry.role,
        "error": entry.message.as_ref().filter(|_| entry.is_request()),
        "error_code": entry.code,
    })
}

fn function_call(entry: &LogEntry) -> Value {
    json!({
        "function_id": entry.function,
        "execution_id": entry.request_id,
        "execution_time_ms": entry.duration_ms,
        "deployment_id": null,
        "version": null,
        "request": [{
            "method": entry.method,
            "pathname": entry.path,
            "search": search(entry),
        }],
        "response": [{"status_code": entry.status, "x_sb_error_code": entry.code}],
    })
}

fn function_output(entry: &LogEntry) -> Value {
    let level = match entry.level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warning",
        LogLevel::Info => "log",
        LogLevel::Debug => "debug",
    };
    json!({
        "event_type": "Log",
        "function_id": entry.function,
        "execution_id": entry.request_id,
        "level": level,
        "timestamp": entry.time.timestamp_micros(),
    })
}
