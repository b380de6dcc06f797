//! Converts statements into syntax trees and back by PostgreSQL's own grammar.

use std::pin::Pin;

use serde_json::Value;

use crate::{MetaError, State};

/// The longest text that is parsed, in bytes.
const LONGEST: usize = 256 * 1024;

/// The future of a parser's answer.
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// PostgreSQL's own grammar, which runs outside of this process.
pub trait SqlParser: Send + Sync {
    /// Parses statements into a syntax tree, as JSON.
    fn parse(&self, query: String) -> BoxFuture<'_, Result<String, ParserError>>;

    /// Converts a syntax tree into statements.
    fn deparse(&self, tree: Value) -> BoxFuture<'_, Result<String, ParserError>>;
}

/// Why the parser has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParserError {
    /// The parser refused the text or the tree, with its message.
    Refused(String),
    /// The parser is not available, with a description.
    Unavailable(String),
    /// The parser exceeded its time limit.
    TooLong,
}

impl From<ParserError> for MetaError {
    fn from(error: ParserError) -> Self {
        match error {
            ParserError::Refused(message) => Self::Invalid(message),
            ParserError::Unavailable(reason) => Self::NoParser(reason),
            ParserError::TooLong => Self::Timeout,
        }
    }
}

/// Parses statements into a syntax tree.
///
/// # Errors
/// The text is too long or invalid, or there is no parser.
pub(crate) async fn parse(state: &State, query: String) -> Result<Vec<u8>, MetaError> {
    if query.len() > LONGEST {
        return Err(MetaError::BodyTooLarge);
    }
    Ok(parser(state)?.parse(query).await?.into_bytes())
}

/// Converts a syntax tree into statements.
///
/// # Errors
/// The tree is invalid, or there is no parser.
pub(crate) async fn deparse(state: &State, tree: Value) -> Result<String, MetaError> {
    Ok(parser(state)?.deparse(tree).await?)
}

fn parser(state: &State) -> Result<&dyn SqlParser, MetaError> {
    state.parser().ok_or_else(|| MetaError::NoParser("this server has none".to_owned()))
}
