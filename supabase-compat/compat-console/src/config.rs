//! The configuration of the console.

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

/// Reads the current status of each service.
pub type HealthReader = Arc<dyn Fn() -> Vec<ServiceHealth> + Send + Sync>;

/// Counts the requests of each minute since a time, oldest first. It reads files.
pub type RequestReader = Arc<dyn Fn(DateTime<Utc>) -> io::Result<Vec<RequestCount>> + Send + Sync>;

/// The configuration that a project passes to its console.
#[derive(Clone)]
pub struct ConsoleConfig {
    /// The clock, random values, keys and public address.
    pub environment: ServiceEnvironment,
    /// The database, for the console's own schema.
    pub owner: OwnerDb,
    /// The login for operators' statements, without superuser rights.
    pub writer: SqlLogin,
    /// The login for statements of `read_only` operators.
    pub reader: SqlLogin,
    /// Whether this program creates the reader's login.
    pub makes_reader: bool,
    /// From where the console can be reached.
    pub access: ConsoleAccess,
    /// The project's name; if there is none, the host of its address is shown.
    pub project: Option<String>,
    /// The program's version.
    pub version: &'static str,
    /// The secret from which the key for secrets in the database is derived.
    pub secret: SecretString,
    /// The project's key of role `anon`.
    pub anon_key: String,
    /// Names of the running services.
    pub services: Vec<&'static str>,
    /// The status of the services.
    pub health: HealthReader,
    /// The request counts of the log; none if no log is kept.
    pub requests: Option<RequestReader>,
    /// The folder of the project's saved SQL; none without a project folder.
    pub snippets: Option<PathBuf>,
    /// How long entries of the audit log are kept; none means forever.
    pub audit_retention: Option<Duration>,
    /// The cost of password hashes.
    pub passwords: PasswordConfig,
    /// Makes, keeps and checks backups.
    pub backups: Arc<dyn BackupMechanism>,
    /// Reads and changes the project's keys.
    pub keys: Arc<dyn KeyMechanism>,
    /// Warnings about insecure settings.
    pub warnings: Vec<SettingWarning>,
}
