//! Logical replication: the changes of a database in the order of their commits, as `pgoutput` writes
//! them.
//!
//! It promises that it never fills a disk or the memory: the slot is temporary, so that it ends with
//! the connection, what was read is confirmed at once, and of a row larger than a limit only the
//! beginning is kept. A change comes once; what is committed while there is no stream is not told.
//!
//! It does not know what a change means, who may see it, or who wants to hear of it.

mod decoder;
mod message;
mod stream;

pub use decoder::{DecodeError, decode};
pub use message::{
    Column, Delete, Insert, LogicalMessage, Message, OldTuple, Relation, ReplicaIdentity,
    TransactionBegin, Truncate, Tuple, TypeName, Update, Value,
};
pub use stream::{ReplicationError, ReplicationStream, StreamOptions};
