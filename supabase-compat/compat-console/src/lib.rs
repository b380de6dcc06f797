//! The console's backend: operators who sign in, and their requests to a project at `/console`.
//!
//! It guarantees that only sign-in and setup work without a session, that requests of other pages
//! are refused, that a `read_only` operator changes nothing, that the service key reaches no
//! browser but that of an owner who asks to see it, and that every change is in the audit log. It
//! owns the schema `_console`.
//!
//! It does not know which services exist or who mounts it: their routes, their health, the log, the
//! backup mechanism and the key mechanism are passed in.

mod access;
mod backups;
mod config;
mod error;
mod flow;
mod jobs;
mod keys;
mod model;
mod pages;
mod record;
mod router;
mod seal;
mod state;
mod store;
mod wire;

pub use access::ConsoleAccess;
pub use backups::{
    BackupContents, BackupFailure, BackupFile, BackupMechanism, BackupObstacle, BackupPlace,
    BackupProgress, BackupStage, BackupStream, BackupTarget, RestoreMark, RestoreObstacle,
};
pub use config::{ConsoleConfig, HealthReader, RequestReader};
pub use flow::backup_schedule::{run_backups, run_backups_once};
pub use flow::setup::owner_link;
pub use jobs::AUDIT_RETENTION;
pub use keys::{
    KeyFailure, KeyMechanism, KeySummary, OpaqueKeyName, OpaqueKeySummary, SecretKeyName,
    SigningKeyChange, SigningKeySource, SigningKeySummary,
};
pub use model::{RequestCount, ServiceHealth, ServiceStatus, SettingWarning, WarningLevel};
pub use record::{CommandBackup, drop_console, record_backup};
pub use router::{ROUTES, router};
pub use state::{ConsoleState, STATEMENT_SESSIONS};
pub use store::backup::BackupFigures;

/// The schema `_console`, for the migration runner.
pub static SCHEMA: compat_pg::SchemaSource = compat_pg::SchemaSource {
    schema: "_console",
    dir: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/sql"),
};
