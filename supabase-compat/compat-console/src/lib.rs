//! The console's backend: operators who sign in, and what they may ask of a project at `/console`.
//!
//! It promises that nothing is answered without a login but what makes one, that requests of other pages
//! are refused, that a `read_only` operator changes nothing, that the service key never reaches a browser,
//! and that every change is in the audit log. It owns the schema `_console`.
//!
//! It does not know which services there are or who mounts it: their routes, their health and the log are
//! handed in.

mod access;
mod config;
mod error;
mod flow;
mod jobs;
mod model;
mod pages;
mod router;
mod seal;
mod state;
mod store;
mod wire;

pub use access::ConsoleAccess;
pub use config::{ConsoleConfig, HealthReader, RequestReader};
pub use flow::setup::owner_link;
pub use jobs::AUDIT_RETENTION;
pub use model::{RequestCount, ServiceHealth, ServiceStatus};
pub use router::{ROUTES, router};
pub use state::{ConsoleState, STATEMENT_SESSIONS};

/// The schema `_console`, for the migration runner.
pub static SCHEMA: compat_pg::SchemaSource = compat_pg::SchemaSource {
    schema: "_console",
    dir: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/sql"),
};
