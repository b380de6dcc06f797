//! Protocols of game servers and of what listens for votes: bytes in, values out.
//!
//! Promises that no peer makes it panic, loop or allocate beyond what it was handed. Knows neither
//! sockets nor time: who dials, how long, and how much is read is its callers' matter.

pub mod status;
pub mod votifier;
