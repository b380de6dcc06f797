//! The service with a real PostgreSQL and real sockets.
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod broadcast;
mod changes;
mod handshake;
mod join;
mod limits;
mod listening;
mod messages;
mod presence;
mod private;
mod processes;
mod random;
mod rest;
mod rights;
mod schema;
mod world;
