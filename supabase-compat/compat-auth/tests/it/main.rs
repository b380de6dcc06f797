//! Tests of the service in process, each on its own database.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod cleanup;
mod external_provider;
mod flow;
mod mailbox;
mod malformed_requests;
mod outbox;
mod round_trips;
mod schema;
mod unavailable_database;
mod world;
