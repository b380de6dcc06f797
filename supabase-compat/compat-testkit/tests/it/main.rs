//! The test kit, tested.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod database;
mod statements;
mod with_postgres;
