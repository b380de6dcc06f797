//! The messages of a session's answer, and its errors.

use std::time::Duration;

use bytes::Bytes;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{DataRowBody, ErrorField, ErrorResponseBody};

use super::unreadable;
use crate::PgError;

/// The server's error report for a refused statement, with every field of the message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// The fields by their type (PostgreSQL, "Error and Notice Message Fields"), in the server's order.
    pub fields: Vec<(u8, String)>,
    /// Bytes of the message, including its length field.
    pub length: usize,
}

impl ErrorReport {
    pub(super) fn read(body: &ErrorResponseBody, length: usize) -> Result<Self, PgError> {
        let field = |field: ErrorField<'_>| {
            Ok((field.type_(), String::from_utf8_lossy(field.value_bytes()).into_owned()))
        };
        let fields = body.fields().map(field).collect().map_err(unreadable)?;
        Ok(Self { fields, length })
    }

    /// The field of this type.
    pub fn field(&self, kind: u8) -> Option<&str> {
        self.fields.iter().find(|(own, _)| *own == kind).map(|(_, value)| value.as_str())
    }

    /// The primary message.
    pub fn message(&self) -> &str {
        self.field(b'M').unwrap_or_default()
    }

    /// The SQLSTATE.
    pub fn code(&self) -> &str {
        self.field(b'C').unwrap_or_default()
    }
}

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The server refused the statement.
    #[error("{} (SQLSTATE {})", .0.message(), .0.code())]
    Refused(Box<ErrorReport>),
    /// The answer exceeds the limit.
    #[error("the answer has more than {limit} bytes")]
    TooLarge {
        /// Bytes of the answer, up to and including the message that exceeded the limit.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The statement did not end in time; dropping the session stops it.
    #[error("the statement took longer than {} s", .0.as_secs())]
    TooLong(Duration),
    /// The login is a superuser.
    #[error("statements do not run as {0}, which is a superuser")]
    Superuser(String),
    /// The server cannot be reached, no connection is free, or the connection was lost.
    #[error(transparent)]
    Database(#[from] PgError),
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionColumn {
    /// Its name, which need not be unique.
    pub name: String,
    /// Its type's oid.
    pub type_oid: u32,
}

/// One message of an answer.
#[derive(Debug)]
pub enum SessionMessage {
    /// The next statement returns rows with these columns.
    Columns(Vec<SessionColumn>),
    /// A row of the statement.
    Row(SessionRow),
    /// The statement is a `copy`. Rows copied out are skipped; copying in was refused.
    Copy,
    /// The statement has ended, or returns no more rows than were requested.
    Done {
        /// The command tag (PostgreSQL, "CommandComplete"): `INSERT 0 3`. Empty if there was no
        /// statement, or if it has more rows.
        tag: String,
        /// Whether it has more rows than were requested.
        is_cut: bool,
    },
}

/// A row with its values as the server's texts.
#[derive(Debug)]
pub struct SessionRow {
    values: Bytes,
    ranges: Vec<Option<std::ops::Range<usize>>>,
}

impl SessionRow {
    /// The size of all its texts in bytes.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// The texts, in the order of the columns; `None` for null.
    pub fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.ranges.iter().map(|range| range.clone().map(|range| &self.values[range]))
    }

    pub(super) fn read(body: &DataRowBody) -> Result<Self, PgError> {
        let ranges = body.ranges().collect().map_err(unreadable)?;
        Ok(Self { values: body.buffer_bytes().clone(), ranges })
    }
}
