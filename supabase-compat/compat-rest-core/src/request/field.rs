//! Names and JSON paths, as they occur in every clause.

use super::cursor::{Cursor, END, MAX_DEPTH, ParseResult};

/// Which JSON arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// `->`: stays JSON.
    Json,
    /// `->>`: becomes text.
    Text,
}

/// What an arrow points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonOperand {
    Key(String),
    Index(i64),
}

/// One step of a JSON path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonStep {
    pub arrow: Arrow,
    pub operand: JsonOperand,
}

/// A column or computed field, possibly with a path into its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub path: Vec<JsonStep>,
}

impl Field {
    /// A field without a path.
    pub fn plain(name: impl Into<String>) -> Self {
        Self { name: name.into(), path: Vec::new() }
    }
}

/// The one character no name and no text in PostgreSQL can hold.
const NUL: char = '\0';

const FIELD_NAME: &str = "field name (* or [a..z0..9_$])";

/// A name: quoted, or letters, digits, `_ $`, inner spaces, and dashes that are no arrow.
pub fn name(cursor: &mut Cursor<'_>) -> ParseResult<String> {
    if cursor.sees("\"") {
        return quoted(cursor);
    }
    let name = dashed(cursor, is_name_char);
    if name.is_empty() {
        return Err(cursor.miss(FIELD_NAME));
    }
    for label in ["letter", "digit", "\"-\""] {
        cursor.miss(label);
    }
    Ok(name)
}

/// A key in a JSON path: quoted, or anything but the characters that end it.
fn json_key(cursor: &mut Cursor<'_>) -> ParseResult<String> {
    if cursor.sees("\"") {
        return quoted(cursor);
    }
    let key = dashed(cursor, |c| !matches!(c, '(' | '-' | ':' | '.' | ',' | '>' | ')' | NUL));
    if key.is_empty() {
        return Err(cursor.miss("any non reserved character different from: .,>()"));
    }
    Ok(key)
}

/// Words of such characters with dashes between them; a dash before `>` belongs to an arrow.
fn dashed(cursor: &mut Cursor<'_>, part: impl Fn(char) -> bool) -> String {
    let mut words = vec![cursor.take_while(&part).trim()];
    while words.last().is_some_and(|word| !word.is_empty())
        && cursor.sees("-")
        && !cursor.sees("->")
    {
        cursor.take("-");
        words.push(cursor.take_while(&part).trim());
    }
    if words.iter().any(|word| word.is_empty()) { String::new() } else { words.join("-") }
}

/// A double-quoted text with backslash escapes.
pub fn quoted(cursor: &mut Cursor<'_>) -> ParseResult<String> {
    cursor.expect("\"", "\"\\\"\"")?;
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|c| !matches!(c, '"' | '\\' | NUL)));
        if cursor.take("\"") {
            return Ok(text);
        }
        cursor.expect("\\", "\"\\\"\"")?;
        match cursor.take_if(|c| c != NUL) {
            Some(escaped) => text.push(escaped),
            None => return Err(cursor.miss("a character after \"\\\\\"")),
        }
    }
}

/// A name and the arrows after it, blanks around allowed.
pub fn field(cursor: &mut Cursor<'_>) -> ParseResult<Field> {
    cursor.blanks();
    let name = name(cursor)?;
    let path = json_path(cursor)?;
    cursor.blanks();
    Ok(Field { name, path })
}

/// Zero or more arrows with their operands.
pub fn json_path(cursor: &mut Cursor<'_>) -> ParseResult<Vec<JsonStep>> {
    let mut path = Vec::new();
    loop {
        let arrow = if cursor.take("->>") {
            Arrow::Text
        } else if cursor.take("->") {
            Arrow::Json
        } else {
            // PostgREST's messages list what would have been accepted here, in these words.
            cursor.miss("\"->>\"");
            cursor.miss("\"->\"");
            return Ok(path);
        };
        if path.len() >= MAX_DEPTH {
            return Err(cursor.complain(format!("a json path longer than {MAX_DEPTH} steps")));
        }
        let operand = if cursor.sees("-") {
            JsonOperand::Index(index(cursor)?)
        } else {
            match cursor.attempt(index) {
                Some(index) => JsonOperand::Index(index),
                None => {
                    cursor.miss("\"-\"");
                    cursor.miss("digit");
                    JsonOperand::Key(json_key(cursor)?)
                }
            }
        };
        path.push(JsonStep { arrow, operand });
    }
}

/// An array index: digits, perhaps negative, followed by something that cannot continue a key.
fn index(cursor: &mut Cursor<'_>) -> ParseResult<i64> {
    let negative = cursor.take("-");
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(cursor.miss("digit"));
    }
    let ended = [",", ")", ".", "::", "->"].iter().any(|end| cursor.sees(end));
    let number = digits.parse::<i32>().ok().filter(|_| ended || cursor.rest().is_empty());
    match number {
        Some(number) => Ok(i64::from(if negative { -number } else { number })),
        None => {
            for label in ["digit", "\"->\"", "\"::\"", "\".\"", "\",\""] {
                cursor.miss(label);
            }
            Err(cursor.miss(END))
        }
    }
}

/// Letters of a type name in a cast: no quotes, no punctuation.
pub fn identifier(cursor: &mut Cursor<'_>) -> ParseResult<String> {
    let text = cursor.take_while(is_name_char).trim();
    cursor.miss("letter");
    let missed = cursor.miss("digit");
    if text.is_empty() { Err(missed) } else { Ok(text.to_owned()) }
}

/// A dotted path: all parts but the last name embeds, the last is the field.
pub fn tree_path(cursor: &mut Cursor<'_>) -> ParseResult<(Vec<String>, Field)> {
    let mut path = vec![name(cursor)?];
    while cursor.take(".") {
        path.push(name(cursor)?);
    }
    let steps = json_path(cursor)?;
    let last = path.pop().unwrap_or_default();
    Ok((path, Field { name: last, path: steps }))
}

/// Names separated by commas, as in `columns` and `on_conflict`.
pub fn names(cursor: &mut Cursor<'_>) -> ParseResult<Vec<String>> {
    let mut names = Vec::new();
    loop {
        cursor.blanks();
        names.push(name(cursor)?);
        cursor.blanks();
        if !cursor.take(",") {
            // Text after the last name is ignored, as in PostgREST.
            return Ok(names);
        }
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '_' | ' ' | '$')
}
