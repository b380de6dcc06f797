//! What game servers say of themselves: whether one answers, and who plays on it.
//!
//! Promises: one deadline for a whole query, whatever its protocol does meanwhile; a bounded number
//! of bytes and packets; one query at a time to a host; an address that is not public is never
//! dialled. Figures are a server's own, held within what can be: where a protocol tells none, there
//! are none. What a peer sends is read by `gamewire`, which neither panics nor waits.
//!
//! It does not know when a server is asked, nor where the answer is kept.

mod address;
mod outcome;
mod query;

pub(crate) use address::{Address, Protocol};
pub(crate) use outcome::StatusOutcome;
pub(crate) use query::ask;
