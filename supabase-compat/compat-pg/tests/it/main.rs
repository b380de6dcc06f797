//! Tests of this crate with a real PostgreSQL server.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod acting;
mod cluster_archive;
mod embedded;
mod job;
mod listener;
mod migrate;
mod pool_budget;
mod pooler;
mod project;
mod queue;
mod replacement;
mod roles;
mod round_trips;
mod session;
mod sql_login;
mod superuser;
mod tls;
mod world;
