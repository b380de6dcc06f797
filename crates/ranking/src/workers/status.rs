//! Status queries to game servers: whether a server is online, and how many players it has.
//!
//! Promises: one deadline for a whole query, whatever its protocol does; a bounded number of bytes
//! and packets; one query at a time to a host; no connection to an address that is not public.
//! Figures come from the server and are limited to plausible values; a protocol without figures
//! gives none. `gamewire` parses the responses, and neither panics nor waits.
//!
//! This module does not know when a server is queried, nor where the result is stored.

mod address;
mod outcome;
mod query;

pub(crate) use address::{Address, Protocol};
pub(crate) use outcome::StatusOutcome;
pub(crate) use query::ask;
