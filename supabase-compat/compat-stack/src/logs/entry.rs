//! One entry of the log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// How grave an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// For whoever looks for a mistake.
    Debug,
    /// What happened.
    Info,
    /// What should not go on.
    Warn,
    /// What failed.
    Error,
}

impl LogLevel {
    /// As it stands in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of a request that was answered so.
    pub fn of_status(status: u16) -> Self {
        match status {
            500.. => Self::Error,
            400..=499 => Self::Warn,
            _ => Self::Info,
        }
    }
}

/// One line of the log. What does not apply is absent from the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// When it was answered or said.
    pub time: DateTime<Utc>,
    /// `rest`, `auth`, `storage`, `functions`, `realtime`; `meta` for requests below `/pg`, `pg` for what
    /// PostgreSQL says; `pages` for the application's own paths; `stack` for everything else this
    /// program says.
    pub service: String,
    /// How grave it is.
    pub level: LogLevel,
    /// Of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Of a request, without its query; segments that may be secrets are `…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The query of a request; values that may be secrets or of rows are `…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// HTTP status; 499 where the client left before it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Milliseconds to the head of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// `sub` of the token that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The database role that a request acted as, or that a statement ran as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// `x-request-id` of the request it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The contract's error code, or PostgreSQL's SQLSTATE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The function that printed or was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// PostgreSQL's own word for the level: `LOG`, `ERROR`, `FATAL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
}

impl LogEntry {
    /// An entry that says no more than when, who and how grave.
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

    /// Whether it is the entry of a request.
    pub fn is_request(&self) -> bool {
        self.status.is_some()
    }
}
