//! The nouns.

use chrono::{DateTime, Utc};
use compat_pg::RefusedRow;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

/// What an operator may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Looks, and changes nothing.
    ReadOnly,
    /// Changes the project.
    Developer,
    /// Changes who may.
    Owner,
}

impl Role {
    /// As it stands in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Developer => "developer",
            Self::ReadOnly => "read_only",
        }
    }

    /// The role of this name; the least one for a name that nobody knows.
    pub fn named(name: &str) -> Self {
        match name {
            "owner" => Self::Owner,
            "developer" => Self::Developer,
            _ => Self::ReadOnly,
        }
    }
}

/// Who is signed in.
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

/// A ceremony of a passkey, for a browser.
#[derive(Debug, Serialize)]
pub(crate) struct CeremonyStart {
    pub challenge_id: Uuid,
    pub options: Value,
}

/// What a browser answers to it.
#[derive(Debug, Deserialize)]
pub(crate) struct CeremonyAnswer {
    pub challenge_id: Uuid,
    pub credential: Value,
}

/// What an operator signs in by beside the password.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SecondFactors {
    /// Whether the codes of an authenticator app are asked for.
    pub has_app: bool,
    /// How many passkeys there are.
    pub passkeys: i64,
}

/// How a service is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceStatus {
    /// It answers.
    Up,
    /// It runs and lacks something.
    Down,
    /// It is not run.
    Off,
}

/// A service and how it is.
#[derive(Debug, Clone, Serialize)]
pub struct ServiceHealth {
    /// Its word: `rest`.
    pub name: &'static str,
    /// How it is.
    pub status: ServiceStatus,
    /// What it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// How much a warning matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WarningLevel {
    /// Worth knowing.
    Info,
    /// Should be mended.
    Warning,
    /// Something is open to strangers, or about to be.
    Error,
}

/// Something that settings leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SettingWarning {
    /// The rule's name: `known_api_keys`.
    pub name: &'static str,
    /// How much it matters.
    pub level: WarningLevel,
}

/// Requests of one minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RequestCount {
    /// Its begin.
    pub minute: DateTime<Utc>,
    /// Requests that were answered.
    pub requests: u64,
    /// Of these, those with a status from 400 to 499: the caller's mistakes, and refusals.
    pub client_errors: u64,
    /// Of these, those with a status from 500 on: our mistakes.
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

/// What became of a file.
#[derive(Debug)]
pub(crate) struct ImportOutcome {
    pub imported: u64,
    pub refused: Vec<RefusedRow>,
    /// Whether there were more of them than an import bears.
    pub is_cut: bool,
}

impl ImportOutcome {
    /// As a browser is told.
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
