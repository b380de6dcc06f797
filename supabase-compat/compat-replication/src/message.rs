//! The messages of a stream, as `pgoutput` defines them (PostgreSQL, "Logical Replication Message
//! Formats").

use bytes::Bytes;
use chrono::{DateTime, Utc};

/// One message of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// The changes of a transaction follow.
    Begin(TransactionBegin),
    /// The transaction has ended.
    Commit {
        /// The log position after the transaction.
        end: u64,
    },
    /// The columns of a table whose changes follow; sent again when they have changed.
    Relation(Relation),
    /// The name of a type that is not built into PostgreSQL.
    Type(TypeName),
    /// A new row.
    Insert(Insert),
    /// A changed row.
    Update(Update),
    /// A deleted row.
    Delete(Delete),
    /// Tables were emptied.
    Truncate(Truncate),
    /// A message written with `pg_logical_emit_message`.
    Logical(LogicalMessage),
    /// The origin of a transaction, or a message of a later protocol version.
    Other,
}

/// The beginning of a transaction. Its changes are sent after it has committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionBegin {
    /// The position of the commit in the log.
    pub commit: u64,
    /// When it was committed.
    pub at: DateTime<Utc>,
    /// The transaction's number.
    pub transaction: u32,
}

/// A table as the stream describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its oid.
    pub id: u32,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub table: String,
    /// How much of an old row is sent.
    pub identity: ReplicaIdentity,
    /// The published columns, in the order of the table.
    pub columns: Vec<Column>,
}

/// How much of an old row is sent: the table's `replica identity`.
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
    /// The part of the old row that is sent; `None` if its key did not change.
    pub old: Option<OldTuple>,
    /// The row.
    pub new: Tuple,
}

/// A deleted row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    /// The oid of the table.
    pub relation: u32,
    /// The part of the deleted row that is sent.
    pub old: OldTuple,
}

/// Tables that were emptied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncate {
    /// Their oids.
    pub relations: Vec<u32>,
}

/// A message that a session wrote into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicalMessage {
    /// The prefix, which names its subject.
    pub prefix: String,
    /// Its contents.
    pub content: Bytes,
}

/// The part of an old row that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldTuple {
    /// The columns of the replica identity; all others are null here, whatever their values were.
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
    /// A long (TOASTed) value that did not change and is therefore missing in the log.
    Unchanged,
    /// A value beyond the size limit of a message.
    Omitted,
    /// The value in PostgreSQL's text form, in UTF-8.
    Text(Bytes),
}

impl Value {
    /// The text, if the value has one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}
