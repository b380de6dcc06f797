//! What the console is handed.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_auth::PasswordConfig;
use compat_http::ServiceEnvironment;
use compat_pg::{OwnerDb, SqlLogin};
use secrecy::SecretString;

use crate::access::ConsoleAccess;
use crate::backups::BackupMechanism;
use crate::keys::KeyMechanism;
use crate::model::{RequestCount, ServiceHealth, SettingWarning};

/// Tells how each service is now.
pub type HealthReader = Arc<dyn Fn() -> Vec<ServiceHealth> + Send + Sync>;

/// Counts requests by minute from this time on, oldest first. It reads files.
pub type RequestReader = Arc<dyn Fn(DateTime<Utc>) -> io::Result<Vec<RequestCount>> + Send + Sync>;

/// What a project gives its console.
#[derive(Clone)]
pub struct ConsoleConfig {
    /// Clock, chance, keys and public address.
    pub environment: ServiceEnvironment,
    /// The database, for the console's own schema.
    pub owner: OwnerDb,
    /// Where an operator's statements log in: without superuser rights.
    pub writer: SqlLogin,
    /// Where the statements of a `read_only` operator log in.
    pub reader: SqlLogin,
    /// Whether the reader's login is ours to make.
    pub makes_reader: bool,
    /// Who is let in.
    pub access: ConsoleAccess,
    /// The project's name; the host of its address where it has none.
    pub project: Option<String>,
    /// The program's version.
    pub version: &'static str,
    /// What secrets in the database are sealed with.
    pub secret: SecretString,
    /// The project's key of role `anon`.
    pub anon_key: String,
    /// Names of the services that run.
    pub services: Vec<&'static str>,
    /// How they are.
    pub health: HealthReader,
    /// The log's requests; none where no log is kept.
    pub requests: Option<RequestReader>,
    /// The folder of the project's saved SQL; none without a project's folder.
    pub snippets: Option<PathBuf>,
    /// How long entries of the audit log are kept; none for ever.
    pub audit_retention: Option<Duration>,
    /// What a password's hash costs.
    pub passwords: PasswordConfig,
    /// Makes, keeps and checks backups.
    pub backups: Arc<dyn BackupMechanism>,
    /// Reads and changes the project's keys.
    pub keys: Arc<dyn KeyMechanism>,
    /// What settings leave open.
    pub warnings: Vec<SettingWarning>,
}
