//! One entry of the log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The severity of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// A normal event.
    Info,
    /// A problem that was handled, or a refused request.
    Warn,
    /// A failure.
    Error,
}

impl LogLevel {
    /// The name in the log file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of a request that was answered with this status.
    pub fn of_status(status: u16) -> Self {
        match status {
            500.. => Self::Error,
            400..=499 => Self::Warn,
            _ => Self::Info,
        }
    }
}

/// One line of the log. Fields that do not apply are absent from the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The time of the answer or of the message.
    pub time: DateTime<Utc>,
    /// `rest`, `auth`, `storage`, `functions`, `realtime`; `meta` for requests below `/pg`, `pg`
    /// for messages of PostgreSQL; `pages` for the application's own paths; `stack` for all other
    /// messages of this program.
    pub service: String,
    /// The severity.
    pub level: LogLevel,
    /// The method of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The path of a request, without its query; segments that may be secrets are `…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The query of a request; values that may be secrets or values of rows are `…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// HTTP status; 499 if the client disconnected before the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Milliseconds until the head of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// `sub` of the request's token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The database role that a request acted as, or that a statement ran as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// `x-request-id` of the request that the entry belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The error code of the service, or PostgreSQL's SQLSTATE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The text of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The function that was called or that printed the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// PostgreSQL's own name of the level: `LOG`, `ERROR`, `FATAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
}

impl LogEntry {
    /// An entry with time, service and level only.
    pub fn new(time: DateTime<Utc>, service: &str, level: LogLevel) -> Self {
        Self {
            time,
            service: service.to_owned(),
            level,
            method: None,
            path: None,
            query: None,
            status: None,
            duration_ms: None,
            user: None,
            role: None,
            request_id: None,
            code: None,
            message: None,
            function: None,
            severity: None,
        }
    }

    /// Whether the entry is one of a request.
    pub fn is_request(&self) -> bool {
        self.status.is_some()
    }
}
