//! The types that several modules share.

use chrono::{DateTime, Utc};
use compat_pg::RefusedRow;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

/// The role of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// May read the project, except secrets and the audit log, and change nothing.
    ReadOnly,
    /// May also change the project.
    Developer,
    /// May also manage operators.
    Owner,
}

impl Role {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Developer => "developer",
            Self::ReadOnly => "read_only",
        }
    }

    /// The role of this name; the least privileged one for an unknown name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "owner" => Self::Owner,
            "developer" => Self::Developer,
            _ => Self::ReadOnly,
        }
    }
}

/// An operator who is signed in.
#[derive(Debug, Clone)]
pub(crate) struct Operator {
    pub id: Uuid,
    pub email: String,
    pub role: Role,
}

/// A passkey as its holder sees it.
#[derive(Debug, Serialize, sqlx_macros::FromRow)]
pub(crate) struct Passkey {
    pub id: Uuid,
    pub name: String,
    pub domain: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A started passkey ceremony, for a browser.
#[derive(Debug, Serialize)]
pub(crate) struct CeremonyStart {
    pub challenge_id: Uuid,
    pub options: Value,
}

/// A browser's answer to a ceremony.
#[derive(Debug, Deserialize)]
pub(crate) struct CeremonyAnswer {
    pub challenge_id: Uuid,
    pub credential: Value,
}

/// The second factors of an operator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SecondFactors {
    /// Whether codes of an authenticator app are required.
    pub has_app: bool,
    /// The number of passkeys.
    pub passkeys: i64,
}

/// The status of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceStatus {
    /// The service is ready.
    Up,
    /// The service runs but is not ready.
    Down,
    /// The service is not part of this process.
    Off,
}

/// A service and its status.
#[derive(Debug, Clone, Serialize)]
pub struct ServiceHealth {
    /// The name of the service, such as `rest`.
    pub name: &'static str,
    /// The status of the service.
    pub status: ServiceStatus,
    /// Why the service is not ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The severity of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WarningLevel {
    /// Worth knowing.
    Info,
    /// Should be fixed.
    Warning,
    /// Strangers have access, or soon will.
    Error,
}

/// An insecure setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SettingWarning {
    /// The name of the rule, such as `known_api_keys`.
    pub name: &'static str,
    /// The severity.
    pub level: WarningLevel,
}

/// The requests of one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RequestCount {
    /// The begin of the minute.
    pub minute: DateTime<Utc>,
    /// Requests that were answered.
    pub requests: u64,
    /// Of these, requests with a status from 400 to 499: client errors and refusals.
    pub client_errors: u64,
    /// Of these, requests with a status from 500 on: server errors.
    pub server_errors: u64,
}

/// One entry of the audit log.
#[derive(Debug, Clone, Serialize, sqlx_macros::FromRow)]
pub(crate) struct AuditEntry {
    pub id: i64,
    pub at: DateTime<Utc>,
    pub operator: String,
    pub method: String,
    pub path: String,
    pub summary: String,
    pub status: i32,
    pub address: String,
}

/// The outcome of an import.
#[derive(Debug)]
pub(crate) struct ImportOutcome {
    pub imported: u64,
    pub refused: Vec<RefusedRow>,
    /// Whether the import stopped at the limit of refused rows.
    pub is_cut: bool,
}

impl ImportOutcome {
    /// The JSON body of the answer.
    pub fn body(&self) -> Value {
        let row = |row: &RefusedRow| {
            json!({
                "row": row.place.row,
                "line": row.place.line,
                "column": row.column,
                "sqlstate": row.code,
                "message": row.message,
                "detail": row.detail,
            })
        };
        json!({
            "imported": self.imported,
            "refused": self.refused.iter().map(row).collect::<Vec<Value>>(),
            "truncated": self.is_cut,
        })
    }
}
