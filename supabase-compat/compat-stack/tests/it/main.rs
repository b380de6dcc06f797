//! The stack with a real PostgreSQL: start, mounted services, readiness, console and stop.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod backups;
mod browser;
mod console;
mod keys;
mod mounted;
mod readiness;
mod restore;
mod standalone;
mod stop;
mod vault;
mod world;
