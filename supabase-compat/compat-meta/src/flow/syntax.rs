//! Syntax trees of statements, and statements of trees, by PostgreSQL's own grammar.

use std::pin::Pin;

use serde_json::Value;

use crate::{MetaError, State};

/// Bytes of the longest text that is parsed.
const LONGEST: usize = 256 * 1024;

/// What a parser is asked for comes later.
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// PostgreSQL's own grammar, outside of this process.
pub trait SqlParser: Send + Sync {
    /// The syntax tree of statements, as JSON.
    fn parse(&self, query: String) -> BoxFuture<'_, Result<String, ParserError>>;

    /// The statements of a tree.
    fn deparse(&self, tree: Value) -> BoxFuture<'_, Result<String, ParserError>>;
}

/// Why there is neither a tree nor a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParserError {
    /// What the parser says of the text or the tree.
    Refused(String),
    /// It cannot be had here, in words for a person.
    Unavailable(String),
    /// It took too long.
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

/// The tree of statements.
///
/// # Errors
/// The text is too long or not PostgreSQL's; there is no parser.
pub(crate) async fn parse(state: &State, query: String) -> Result<Vec<u8>, MetaError> {
    if query.len() > LONGEST {
        return Err(MetaError::BodyTooLarge);
    }
    Ok(parser(state)?.parse(query).await?.into_bytes())
}

/// The statements of a tree.
///
/// # Errors
/// It is no tree; there is no parser.
pub(crate) async fn deparse(state: &State, tree: Value) -> Result<String, MetaError> {
    Ok(parser(state)?.deparse(tree).await?)
}

fn parser(state: &State) -> Result<&dyn SqlParser, MetaError> {
    state.parser().ok_or_else(|| MetaError::NoParser("this server has none".to_owned()))
}
