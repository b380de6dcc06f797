//! Splits SQL into tokens, in BigQuery's spelling: names in backticks, texts in either quotes.

use super::QueryError;

/// One token of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or a keyword, as written.
    Word(String),
    /// A name in backticks, which is never a keyword.
    Name(String),
    /// A text literal.
    Text(String),
    /// A number, as written.
    Number(String),
    /// An operator or a punctuation mark.
    Sign(&'static str),
}

const SIGNS: [&str; 18] =
    ["::", "<=", ">=", "<>", "!=", "(", ")", ",", ".", ";", "*", "=", "<", ">", "+", "-", "/", "@"];

/// Splits a statement into tokens, without comments.
pub(super) fn split(sql: &str) -> Result<Vec<Token>, QueryError> {
    let (mut tokens, mut rest) = (Vec::new(), sql.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '-' if rest.starts_with("--") => (None, rest.find('\n').unwrap_or(rest.len())),
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => (None, end + 2),
                None => return Err(QueryError::query("Unclosed comment")),
            },
            '\'' | '"' => quoted(rest, first, Token::Text)?,
            '`' => quoted(rest, first, Token::Name)?,
            '0'..='9' => {
                let is_end = |character: char| !character.is_ascii_digit() && character != '.';
                let length = rest.find(is_end).unwrap_or(rest.len());
                (Some(Token::Number(rest[..length].to_owned())), length)
            }
            character if character.is_ascii_alphabetic() || character == '_' => {
                let is_end =
                    |character: char| !character.is_ascii_alphanumeric() && character != '_';
                let length = rest.find(is_end).unwrap_or(rest.len());
                (Some(Token::Word(rest[..length].to_owned())), length)
            }
            other => match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (Some(Token::Sign(sign)), sign.len()),
                None => {
                    return Err(QueryError::query(format!(
                        "Syntax error: Illegal input '{other}'"
                    )));
                }
            },
        };
        tokens.extend(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Reads a text or name in quotes. A quote in it is doubled or follows a backslash, as Studio
/// writes it.
fn quoted(
    text: &str,
    quote: char,
    make: fn(String) -> Token,
) -> Result<(Option<Token>, usize), QueryError> {
    let (mut value, mut characters) = (String::new(), text.char_indices().skip(1).peekable());
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other @ ('\\' | '\'' | '"' | '`'))) => value.push(other),
                // BigQuery refuses unknown escapes, and Studio's templates have none.
                _ => return Err(QueryError::query("Syntax error: Illegal escape sequence")),
            },
            character if character == quote => match characters.peek() {
                Some((_, next)) if *next == quote => {
                    characters.next();
                    value.push(quote);
                }
                _ => return Ok((Some(make(value)), at + quote.len_utf8())),
            },
            character => value.push(character),
        }
    }
    Err(QueryError::query("Syntax error: Unclosed string literal"))
}
