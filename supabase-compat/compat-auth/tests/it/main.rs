//! The service on a database of its own, driven in process.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod cleanup;
mod flow;
mod lost;
mod mailbox;
mod outbox;
mod outside;
mod round_trips;
mod schema;
mod world;
mod wrong;
