//! The service on a database of its own, driven in process.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod cleanup;
mod external_provider;
mod flow;
mod mailbox;
mod outbox;
mod external_provider;
mod round_trips;
mod schema;
mod world;
