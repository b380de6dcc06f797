//! Logical replication: the changes of a database in the order of their commits, as `pgoutput`
//! sends them.
//!
//! It never fills a disk or the memory: the slot is temporary, so it ends with the connection;
//! everything that was read is confirmed at once; and only the beginning of a row larger than a
//! limit is kept. Each change is delivered once; changes that are committed while no stream is open
//! are not delivered.
//!
//! It does not know what a change means, who may see it, or who subscribes to it.

mod decoder;
mod message;
mod stream;

pub use decoder::{DecodeError, decode};
pub use message::{
    Column, Delete, Insert, LogicalMessage, Message, OldTuple, Relation, ReplicaIdentity,
    TransactionBegin, Truncate, Tuple, TypeName, Update, Value,
};
pub use stream::{ReplicationError, ReplicationStream, StreamOptions};
