//! Tests of the console with a real PostgreSQL and a clock that the tests control.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod audit;
mod authenticator;
mod backups;
mod imports;
mod keys;
mod mechanism;
mod operators;
mod passkeys;
mod queries;
mod realtime;
mod restore;
mod routes;
mod schema;
mod services;
mod sessions;
mod setup;
mod snippets;
mod warnings;
mod world;
