//! PostgreSQL's parser for `/pg`: npm's `pgsql-parser`, as in postgres-meta, run by deno. Untrusted
//! input is parsed in a separate process without permissions.

use std::time::Duration;

use compat_functions::{BoxFuture, Tool, ToolLimits, ToolScript, ToolScriptError, ToolchainConfig};
use compat_meta::{ParserError, SqlParser};
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("sql_parser.mjs");
const LOCK: &str = include_str!("deno.lock");

/// Parsing takes milliseconds; the process is kept for a while for further requests.
const LIMITS: ToolLimits = ToolLimits {
    start: Duration::from_secs(60),
    answer: Duration::from_secs(10),
    idle: Duration::from_secs(60),
};

/// The parser; its process starts with the first request.
pub(crate) struct DenoParser(Tool);

impl DenoParser {
    /// A parser that runs in the toolchain of TypeScript functions.
    pub(crate) fn new(toolchain: ToolchainConfig) -> Self {
        let script =
            ToolScript { name: "sql-parser", source: SCRIPT, lock: LOCK, hosts: Vec::new() };
        Self(Tool::new(toolchain, script, LIMITS))
    }

    async fn ask(&self, question: Value) -> Result<String, ParserError> {
        self.0.ask(&question).await.map_err(|error| match error {
            ToolScriptError::Refused(message) => ParserError::Refused(message),
            ToolScriptError::Unavailable(reason) => ParserError::Unavailable(reason),
            ToolScriptError::TooLong(_) => ParserError::TooLong,
        })
    }
}

impl SqlParser for DenoParser {
    fn parse(&self, query: String) -> BoxFuture<'_, Result<String, ParserError>> {
        Box::pin(self.ask(json!({ "query": query })))
    }

    fn deparse(&self, tree: Value) -> BoxFuture<'_, Result<String, ParserError>> {
        Box::pin(async move {
            let text = self.ask(json!({ "tree": tree })).await?;
            // The answer is a text in JSON.
            serde_json::from_str(&text).map_err(|error| ParserError::Refused(error.to_string()))
        })
    }
}
