//! The stream against a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod stream;
