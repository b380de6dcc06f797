//! The `order` clause.

use super::cursor::{Cursor, ParseFailure, Parsed};
use super::field::{self, Field};

/// Ascending or descending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

/// Where nulls go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    First,
    Last,
}

/// One sort key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTerm {
    /// The embedded to-one resource whose column sorts, for `rel(col)`.
    pub relation: Option<String>,
    pub field: Field,
    pub direction: Option<Direction>,
    pub nulls: Option<Nulls>,
}

/// Parses one order clause.
pub fn parse(value: &str) -> Result<Vec<OrderTerm>, ParseFailure> {
    Cursor::parse(value, &format!("order ({value})"), |cursor| {
        let mut terms = Vec::new();
        loop {
            cursor.blanks();
            terms.push(term(cursor)?);
            cursor.blanks();
            if !cursor.take(",") {
                break;
            }
        }
        cursor.miss("\",\"");
        cursor.end()?;
        Ok(terms)
    })
}

fn term(cursor: &mut Cursor<'_>) -> Parsed<OrderTerm> {
    let related = cursor.attempt(|c| {
        let relation = field::name(c)?;
        c.expect("(", "\"(\"")?;
        let field = field::field(c)?;
        c.expect(")", "\")\"")?;
        Ok((Some(relation), field))
    });
    let (relation, field) = match related {
        Some(related) => related,
        None => (None, field::field(cursor)?),
    };
    let mut term = OrderTerm { relation, field, direction: None, nulls: None };
    while cursor.take(".") {
        modifier(cursor, &mut term)?;
    }
    if term.nulls.is_none() {
        cursor.miss("delimiter (.)");
    }
    Ok(term)
}

fn modifier(cursor: &mut Cursor<'_>, term: &mut OrderTerm) -> Parsed<()> {
    if term.nulls.is_none() {
        if cursor.take("nullsfirst") {
            term.nulls = Some(Nulls::First);
            return Ok(());
        }
        if cursor.take("nullslast") {
            term.nulls = Some(Nulls::Last);
            return Ok(());
        }
        if term.direction.is_none() {
            if cursor.take("asc") {
                term.direction = Some(Direction::Ascending);
                return Ok(());
            }
            if cursor.take("desc") {
                term.direction = Some(Direction::Descending);
                return Ok(());
            }
            cursor.miss("\"asc\"");
            cursor.miss("\"desc\"");
        }
        cursor.miss("\"nullsfirst\"");
        return Err(cursor.miss("\"nullslast\""));
    }
    cursor.miss("\",\"");
    Err(cursor.miss("end of input"))
}
