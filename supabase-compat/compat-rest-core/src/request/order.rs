//! The `order` clause.

use super::cursor::{Cursor, ParseFailure, ParseResult};
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
            cursor.room_for(terms.len())?;
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

fn term(cursor: &mut Cursor<'_>) -> ParseResult<OrderTerm> {
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
    while term.nulls.is_none() && cursor.take(".") {
        modifier(cursor, &mut term)?;
    }
    if term.nulls.is_none() {
        cursor.miss("delimiter (.)");
    }
    Ok(term)
}

/// A direction, then where nulls go; both may be absent.
fn modifier(cursor: &mut Cursor<'_>, term: &mut OrderTerm) -> ParseResult<()> {
    if term.direction.is_none() {
        let directions = [("asc", Direction::Ascending), ("desc", Direction::Descending)];
        if let Some((_, direction)) = directions.into_iter().find(|(word, _)| cursor.take(word)) {
            term.direction = Some(direction);
            return Ok(());
        }
        cursor.miss_text("asc", "\"asc\"");
        cursor.miss_text("desc", "\"desc\"");
    }
    let places = [("nullsfirst", Nulls::First), ("nullslast", Nulls::Last)];
    if let Some((_, nulls)) = places.into_iter().find(|(word, _)| cursor.take(word)) {
        term.nulls = Some(nulls);
        return Ok(());
    }
    cursor.miss_text("nullsfirst", "\"nullsfirst\"");
    Err(cursor.miss_text("nullslast", "\"nullslast\""))
}
