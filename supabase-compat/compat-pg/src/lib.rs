//! Access to PostgreSQL for the services.
//!
//! This crate provides a server (found by its address, or embedded), the cluster roles that every
//! service relies on, migrations that run once, and exactly two ways to access the database.
//! [`OwnerDb`] is for a service inside its own schema. [`ActingDb`] acts for a caller: role, claims
//! and request facts are set in the same round trip as the statement, so row security decides; for
//! several statements it begins an [`Acting`] transaction. Besides, a [`ReplicationConnection`]
//! reads the write-ahead log, and a [`Session`] runs SQL from outside: an administrator's
//! unchanged, an agent's through an [`SqlLogin`].
//!
//! It deliberately does not know what any schema contains, what a request looks like, or how an
//! error is worded to a client. It is the only crate that names a connection pool.

mod acting;
mod address;
mod budget;
mod config;
mod contents;
pub mod embedded;
mod error;
mod job;
mod listener;
mod migrate;
mod owner;
mod pools;
mod project;
mod queue;
mod replication;
mod roles;
mod session;
mod sql_login;
mod text_table;
mod tls;
mod version;

pub use acting::{
    Acting, ActingDb, ColumnIndex, Identity, Isolation, PoolStatus, Row, Statement,
    TransactionOptions,
};
pub use budget::PoolBudget;
pub use config::{ActingConfig, ConnectConfig, OwnerConfig};
pub use contents::{DatabaseContents, count_contents, database_size};
pub use embedded::{EmbeddedConfig, EmbeddedError, EmbeddedPostgres};
pub use error::{DatabaseError, PgError};
pub use job::{Job, JobState};
pub use listener::{Notification, NotificationListener, Subscription};
pub use migrate::{
    MigrationReport, PendingMigrations, SchemaSource, adopt_baseline, migrate, pending_migrations,
};
pub use owner::{Owner, OwnerConnection, OwnerDb};
pub use pools::Pools;
pub use project::{
    ApplyReport, DatabaseCopy, PROJECT, PreexistingObjects, ProjectFile, ProjectLedger,
    SchemaChange, copy_database, name_roles, offered as offered_extensions, own_schemas,
    prepare_project, prepare_search_path, relax_durability, run_script, warn_unless_watched,
};
pub use queue::{ClaimedJob, JobOutcome, QUEUE_TABLE, Queue, QueueCounts, QueueRules};
pub use replication::{CopyBoth, CopyMessage, ReplicationConnection};
pub use roles::{ensure_roles, set_programs_password};
pub use session::{
    ErrorReport, Session, SessionColumn, SessionDb, SessionError, SessionLimits, SessionMessage,
    SessionRow, SessionRules,
};
pub use sql_login::{
    ImportTarget, RefusedRow, RowBatch, RowImport, RowPlace, SqlAccess, SqlColumn, SqlError,
    SqlLimits, SqlLogin, SqlResult, SqlRows, ensure_console_writer, ensure_reader,
};
pub use text_table::TextTable;
pub use version::MINIMUM_VERSION;
