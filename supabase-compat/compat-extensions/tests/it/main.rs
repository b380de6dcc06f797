//! Tests of the extensions' substitutes against a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod cron;
mod hooks;
mod net;
mod queues;
mod schema;
mod vault;
mod world;
