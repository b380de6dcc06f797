//! What a session hears: the messages of an answer, and why there is none.

use std::time::Duration;

use bytes::Bytes;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{DataRowBody, ErrorField, ErrorResponseBody};

use super::unreadable;
use crate::PgError;

/// What the server says of a refused statement: every field of its message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// The fields by their type (PostgreSQL, "Error and Notice Message Fields"), in the server's order.
    pub fields: Vec<(u8, String)>,
    /// Bytes of the message, its length included.
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

    /// SQLSTATE.
    pub fn code(&self) -> &str {
        self.field(b'C').unwrap_or_default()
    }
}

/// Why a statement has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The server refused it.
    #[error("{} (SQLSTATE {})", .0.message(), .0.code())]
    Refused(Box<ErrorReport>),
    /// Its answer is larger than agreed.
    #[error("the answer has more than {limit} bytes")]
    TooLarge {
        /// Bytes until then, with the message that was too much.
        size: usize,
        /// Most bytes.
        limit: usize,
    },
    /// It did not end in time; dropping the session stops it.
    #[error("the statement took longer than {} s", .0.as_secs())]
    TooLong(Duration),
    /// The login is a superuser.
    #[error("statements do not run as {0}, which is a superuser")]
    Superuser(String),
    /// There is no server, no free connection, or the connection was lost.
    #[error(transparent)]
    Database(#[from] PgError),
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionColumn {
    /// Its name, which need not be the only one of its kind.
    pub name: String,
    /// Its type's oid.
    pub type_oid: u32,
}

/// One message of an answer.
#[derive(Debug)]
pub enum SessionMessage {
    /// The next statement has rows, of these columns.
    Columns(Vec<SessionColumn>),
    /// One of them.
    Row(SessionRow),
    /// The statement copies. Rows copied out are passed over; copying in was refused.
    Copy,
    /// The statement is done, or gives no more rows than were asked for.
    Done {
        /// The command tag (PostgreSQL, "CommandComplete"): `INSERT 0 3`. Empty where there was no
        /// statement, or where it has more rows.
        tag: String,
        /// Whether it has more rows than were asked for.
        is_cut: bool,
    },
}

/// A row, as the server's texts.
#[derive(Debug)]
pub struct SessionRow {
    values: Bytes,
    ranges: Vec<Option<std::ops::Range<usize>>>,
}

impl SessionRow {
    /// Bytes of all its texts.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// The texts, in the order of the columns; none for null.
    pub fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.ranges.iter().map(|range| range.clone().map(|range| &self.values[range]))
    }

    pub(super) fn read(body: &DataRowBody) -> Result<Self, PgError> {
        let ranges = body.ranges().collect().map_err(unreadable)?;
        Ok(Self { values: body.buffer_bytes().clone(), ranges })
    }
}
