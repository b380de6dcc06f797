//! Logical trees: `and=(…)`, `or=(…)`, their negations, and everything nested inside.

use super::cursor::{Cursor, ParseFailure, ParseMiss, ParseResult};
use super::field;
use super::filter::{self, Filter};

/// A boolean tree over filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logic {
    Filter(Filter),
    Group {
        negated: bool,
        /// True for `and`, false for `or`.
        all: bool,
        members: Vec<Logic>,
    },
}

impl Logic {
    /// See [`Query::may_refer_back`](super::query::Query::may_refer_back).
    pub(super) fn may_refer_back(&self) -> bool {
        match self {
            Self::Filter(filter) => filter.may_refer_back(),
            Self::Group { members, .. } => members.iter().any(Self::may_refer_back),
        }
    }
}

/// Parses `[path.][not.]and|or = (…)` into the embed path and the tree.
pub fn parse(key: &str, value: &str) -> Result<(Vec<String>, Logic), ParseFailure> {
    let mut path = Cursor::parse(key, &format!("logic path ({key})"), |cursor| {
        let mut names = vec![field::name(cursor)?];
        while cursor.take(".") {
            names.push(field::name(cursor)?);
        }
        Ok(names)
    })?;
    let all = path.pop().is_some_and(|word| word == "and");
    let negated = path.iter().any(|word| word == "not");
    path.retain(|word| word != "not");
    // The operator is read along with the tree, so that positions in messages count from it.
    let text =
        format!("{}{}{value}", if negated { "not." } else { "" }, if all { "and" } else { "or" });
    let tree = Cursor::parse(&text, &format!("logic tree ({value})"), |cursor| {
        // Text after the closing parenthesis is ignored, as in PostgREST.
        group(cursor)
    })?;
    Ok((path, tree))
}

/// `[not.]and(…)` or `[not.]or(…)`.
fn group(cursor: &mut Cursor<'_>) -> ParseResult<Logic> {
    let negated = cursor.take("not.");
    let all = cursor.take("and");
    if !all {
        cursor.expect("or", "logic operator (and, or)")?;
    }
    Ok(Logic::Group { negated, all, members: members(cursor)? })
}

fn members(cursor: &mut Cursor<'_>) -> ParseResult<Vec<Logic>> {
    cursor.blanks();
    cursor.expect("(", "\"(\"")?;
    let mut members = Vec::new();
    loop {
        cursor.blanks();
        members.push(cursor.nested(member)?);
        cursor.blanks();
        if !cursor.take(",") {
            break;
        }
    }
    cursor.miss("\",\"");
    cursor.expect(")", "\")\"")?;
    cursor.blanks();
    Ok(members)
}

/// A filter, or else a group; if it is neither, the message says what a filter lacks.
fn member(cursor: &mut Cursor<'_>) -> ParseResult<Logic> {
    let starts_group = ["not.", "and", "or"].iter().any(|word| cursor.sees(word));
    if starts_group {
        return match cursor.attempt(logic_filter) {
            Some(filter) => Ok(filter),
            None => group(cursor),
        };
    }
    if let Some(filter) = cursor.probe(logic_filter) {
        return Ok(filter);
    }
    if cursor.is_last_miss() {
        cursor.miss("negation operator (not)");
        cursor.miss("logic operator (and, or)");
    }
    Err(ParseMiss)
}

fn logic_filter(cursor: &mut Cursor<'_>) -> ParseResult<Logic> {
    let field = field::field(cursor)?;
    cursor.expect(".", "delimiter (.)")?;
    let (negated, operation) = filter::operation(cursor, &mut |c| Ok(value(c)))?;
    Ok(Logic::Filter(Filter { field, negated, operation }))
}

/// A value inside a tree ends at `,` or `)` unless it is quoted or an array literal.
fn value(cursor: &mut Cursor<'_>) -> String {
    let ends = |c: &mut Cursor<'_>| c.rest().is_empty() || c.sees(",") || c.sees(")");
    let quoted = cursor.attempt(|c| {
        let text = field::quoted(c)?;
        if ends(c) { Ok(text) } else { Err(ParseMiss) }
    });
    if let Some(text) = quoted {
        return text;
    }
    let array = cursor.attempt(|c| {
        c.expect("{", "\"{\"")?;
        let inside = c.take_while(|c| c != '{' && c != '}');
        c.expect("}", "\"}\"")?;
        if ends(c) { Ok(format!("{{{inside}}}")) } else { Err(ParseMiss) }
    });
    array.unwrap_or_else(|| cursor.take_while(|c| c != ',' && c != ')').to_owned())
}
