//! What a stream tells, as `pgoutput` has it (PostgreSQL, "Logical Replication Message Formats").

use bytes::Bytes;
use chrono::{DateTime, Utc};

/// One message of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// The changes of a transaction follow.
    Begin(TransactionBegin),
    /// The transaction has ended at this position of the log.
    Commit {
        /// The position behind the transaction.
        end: u64,
    },
    /// The shape of a table whose changes follow; it comes again when the shape has changed.
    Relation(Relation),
    /// The name of a type that is none of PostgreSQL's own.
    Type(TypeName),
    /// A new row.
    Insert(Insert),
    /// A changed row.
    Update(Update),
    /// A deleted row.
    Delete(Delete),
    /// Tables were emptied.
    Truncate(Truncate),
    /// What somebody wrote with `pg_logical_emit_message`.
    Logical(LogicalMessage),
    /// Where the transaction comes from, or a message of a later version of the protocol.
    Other,
}

/// The begin of a transaction. Its changes are told when it has committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionBegin {
    /// The position of the commit in the log.
    pub commit: u64,
    /// When it was committed.
    pub at: DateTime<Utc>,
    /// The transaction's number.
    pub transaction: u32,
}

/// A table as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its oid.
    pub id: u32,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub table: String,
    /// How much of an old row is told.
    pub identity: ReplicaIdentity,
    /// The published columns, in the order of the table.
    pub columns: Vec<Column>,
}

/// How much of an old row is told: `replica identity` of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaIdentity {
    /// The primary key.
    Default,
    /// Nothing.
    Nothing,
    /// The whole row.
    Full,
    /// The columns of an index.
    Index,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The oid of its type.
    pub type_id: u32,
    /// Whether it belongs to the replica identity.
    pub is_key: bool,
}

/// The name of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeName {
    /// Its oid.
    pub id: u32,
    /// Its schema; empty for `pg_catalog`.
    pub schema: String,
    /// Its name.
    pub name: String,
}

/// A new row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// The oid of the table.
    pub relation: u32,
    /// The row.
    pub new: Tuple,
}

/// A changed row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The oid of the table.
    pub relation: u32,
    /// What is told of the old row: nothing when its key did not change.
    pub old: Option<OldTuple>,
    /// The row.
    pub new: Tuple,
}

/// A deleted row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    /// The oid of the table.
    pub relation: u32,
    /// What is told of it.
    pub old: OldTuple,
}

/// Tables that were emptied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncate {
    /// Their oids.
    pub relations: Vec<u32>,
}

/// What somebody wrote into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicalMessage {
    /// What it is about.
    pub prefix: String,
    /// Its contents.
    pub content: Bytes,
}

/// What is told of an old row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldTuple {
    /// The columns of the replica identity; the others are null here, whatever they were.
    Key(Tuple),
    /// The whole row.
    Row(Tuple),
}

/// The values of a row in the order of [`Relation::columns`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tuple(pub Vec<Value>);

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// SQL null.
    Null,
    /// A long value that the change did not touch and that the log lacks therefore.
    Unchanged,
    /// What is behind the limit of a message.
    Omitted,
    /// The value as PostgreSQL writes it in text, in UTF-8.
    Text(Bytes),
}

impl Value {
    /// The text, where there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}
