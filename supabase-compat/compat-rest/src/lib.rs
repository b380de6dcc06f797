//! rest/v1: tables, views and procedures over HTTP, in the dialect of PostgREST 16.
//!
//! This crate serves `rest/v1`: it loads the schema cache and keeps it fresh, runs each request as
//! one statement in one round trip under the caller's own database role, and writes every refusal.
//! Authorisation is PostgreSQL's: a request can do what its role may do.
//!
//! It deliberately does not know any table by name, issue tokens, or hold a connection: the dialect
//! itself is `compat-rest-core`, and the pool is `compat-pg`'s.

mod cache;
mod config;
mod cors;
mod describe;
mod error;
mod execute;
mod handle;
mod openapi;
mod plan_cache;
mod query_execution;
mod respond;
mod router;
mod state;
mod statement;

pub use cache::view_column_origins;
pub use config::{Config, OpenApiMode, SettingError, TransactionEndRule};
pub use cors::standing_alone;
pub use error::Error;
pub use router::router;
pub use state::{RestMetrics, State};
