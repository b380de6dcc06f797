//! Protocols of game servers and of vote listeners, as functions from bytes to values.
//!
//! No input can make this crate panic, loop or allocate more than the length of that input. It
//! knows neither sockets nor time: callers decide which host to connect to, for how long, and how
//! much to read.

pub mod status;
pub mod votifier;
