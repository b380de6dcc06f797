//! Rows in the form in which they arrived: a column is a slice of the answer, not a copy.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::{DataRowBody, RowDescriptionBody};
use tokio_postgres::types::{FromSql, Type};

use crate::PgError;

/// The name and type of a column.
#[derive(Debug)]
pub(super) struct Column {
    name: Box<str>,
    kind: Type,
}

/// The columns of a statement's rows.
pub(super) type Columns = Arc<[Column]>;

pub(super) fn columns(body: &RowDescriptionBody) -> Result<Columns, PgError> {
    let column = |field: postgres_protocol::message::backend::Field<'_>| {
        // Types that the database defines itself are requested and read as text.
        let kind = Type::from_oid(field.type_oid()).unwrap_or(Type::UNKNOWN);
        Ok(Column { name: field.name().into(), kind })
    };
    body.fields().map(column).collect::<Vec<_>>().map(Into::into).map_err(protocol)
}

/// A row of a statement's answer.
#[derive(Debug)]
pub struct Row {
    columns: Columns,
    body: Bytes,
    places: Vec<Option<Range<usize>>>,
}

impl Row {
    pub(super) fn new(columns: Columns, body: &DataRowBody) -> Result<Self, PgError> {
        let places: Vec<_> = body.ranges().collect().map_err(protocol)?;
        if places.len() != columns.len() {
            return Err(PgError::Protocol("row does not match its description".into()));
        }
        Ok(Self { columns, body: body.buffer_bytes().clone(), places })
    }

    /// How many columns the row has.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether the row has no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A column's value, by number or name.
    ///
    /// # Errors
    /// [`PgError::Protocol`] when there is no such column or it is of another type.
    pub fn try_get<'r, T: FromSql<'r>>(&'r self, column: impl ColumnIndex) -> Result<T, PgError> {
        let at = column.at(self).ok_or_else(|| PgError::Protocol("no such column".into()))?;
        let kind = &self.columns[at].kind;
        if !T::accepts(kind) {
            let name = &self.columns[at].name;
            return Err(PgError::Protocol(format!("column {name} is {kind}").into()));
        }
        let value = self.places[at].clone().map(|place| &self.body[place]);
        T::from_sql_nullable(kind, value).map_err(PgError::Protocol)
    }

    /// A column's bytes exactly as the server sent them, in binary form: for `text` and `json` the
    /// text itself. `None` is null, or no such column.
    pub fn bytes(&self, column: usize) -> Option<Bytes> {
        self.places.get(column)?.clone().map(|place| self.body.slice(place))
    }

    /// A column's type.
    pub fn kind(&self, column: usize) -> Option<&Type> {
        self.columns.get(column).map(|column| &column.kind)
    }
}

/// A column's number or name.
pub trait ColumnIndex {
    /// The column's number in `row`, if there is such a column.
    fn at(&self, row: &Row) -> Option<usize>;
}

impl ColumnIndex for usize {
    fn at(&self, row: &Row) -> Option<usize> {
        (*self < row.len()).then_some(*self)
    }
}

impl ColumnIndex for &str {
    fn at(&self, row: &Row) -> Option<usize> {
        row.columns.iter().position(|column| &*column.name == *self)
    }
}

fn protocol(error: std::io::Error) -> PgError {
    PgError::Protocol(Box::new(error))
}
