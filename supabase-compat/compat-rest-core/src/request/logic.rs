//! Logical trees: `and=(…)`, `or=(…)`, their negations, and everything nested inside.

use super::cursor::{Cursor, Miss, ParseFailure, Parsed};
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
    let members = Cursor::parse(value, &format!("logic tree ({value})"), |cursor| {
        let members = members(cursor)?;
        cursor.end()?;
        Ok(members)
    })?;
    Ok((path, Logic::Group { negated, all, members }))
}

fn members(cursor: &mut Cursor<'_>) -> Parsed<Vec<Logic>> {
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
    cursor.expect(")", "\",\" or \")\"")?;
    cursor.blanks();
    Ok(members)
}

fn member(cursor: &mut Cursor<'_>) -> Parsed<Logic> {
    if let Some((negated, all)) = cursor.attempt(group_head) {
        return Ok(Logic::Group { negated, all, members: members(cursor)? });
    }
    let field = field::field(cursor)?;
    cursor.expect(".", "delimiter (.)")?;
    let (negated, operation) = filter::operation(cursor, &mut |c| Ok(value(c)))?;
    Ok(Logic::Filter(Filter { field, negated, operation }))
}

/// `and` or `or`, perhaps negated, only if a parenthesis follows.
fn group_head(cursor: &mut Cursor<'_>) -> Parsed<(bool, bool)> {
    let negated = cursor.take("not.");
    let all = cursor.take("and");
    if !all && !cursor.take("or") {
        return Err(Miss);
    }
    cursor.blanks();
    if cursor.sees("(") { Ok((negated, all)) } else { Err(Miss) }
}

/// A value inside a tree ends at `,` or `)` unless it is quoted or an array literal.
fn value(cursor: &mut Cursor<'_>) -> String {
    let ends = |c: &mut Cursor<'_>| c.rest().is_empty() || c.sees(",") || c.sees(")");
    let quoted = cursor.attempt(|c| {
        let text = field::quoted(c)?;
        if ends(c) { Ok(text) } else { Err(Miss) }
    });
    if let Some(text) = quoted {
        return text;
    }
    let array = cursor.attempt(|c| {
        c.expect("{", "\"{\"")?;
        let inside = c.take_while(|c| c != '{' && c != '}');
        c.expect("}", "\"}\"")?;
        if ends(c) { Ok(format!("{{{inside}}}")) } else { Err(Miss) }
    });
    array.unwrap_or_else(|| cursor.take_while(|c| c != ',' && c != ')').to_owned())
}
