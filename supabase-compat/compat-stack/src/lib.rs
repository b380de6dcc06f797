//! All services on one origin, from one configuration.
//!
//! This crate starts things in order (keys, database, roles, schemas, services), mounts each
//! service under its path, runs the named background tasks, and stops everything in the reverse
//! order. It is the only crate of the compatible services that reads files and the environment. It
//! does not know what an application adds: schemas, functions and pages are passed to it.

mod admin;
mod agents;
pub mod backup;
mod console;
pub mod data_format;
mod health;
mod log_queries;
mod logging;
pub mod logs;
mod mailbox;
mod metrics;
mod pool_budgets;
mod project;
mod project_keys;
mod serve;
mod service;
mod service_manager;
pub mod services;
pub mod settings;
mod stack;
mod tasks;
mod third_party;
mod version;

pub use compat_auth as auth;
pub use compat_functions as functions;
pub use compat_http as http;
pub use compat_mail as mail;
pub use compat_pg as pg;

pub use agents::{advice, serve_agent};
pub use compat_advice::Level as AdviceLevel;
pub use console::console_owner_link;
pub use logging::{LogFormat, print_line, start as start_logging};
pub use metrics::Metrics;
pub use pool_budgets::POOL_BUDGETS;
pub use project_keys::{
    KEYS_FILE, KeySettings, ProjectKeys, ProjectKeysError, SigningKeysLocation, read_signing_keys,
    with_signing_keys,
};
pub use serve::{
    ConnectionLimits, ListenError, address_for_people, address_of_project, listen, serve,
    stop_on_signals,
};
pub use service::{Service, StandaloneMode};
pub use settings::{LogSettings, ObjectSettings, Settings, SettingsError};
pub use stack::connected_database::ConnectedDatabase;
pub use stack::{Application, PreparedStack, Stack, StackError, database, write_cluster_archive};
pub use tasks::{TaskStatus, Tasks};
pub use version::{COMMIT, VERSION, VERSION_AND_COMMIT};
