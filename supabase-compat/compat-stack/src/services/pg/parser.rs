//! PostgreSQL's parser for `/pg`: npm's `pgsql-parser`, which postgres-meta has, run by deno. What strangers
//! send is parsed in a process of its own that reaches nothing.

use std::time::Duration;

use compat_functions::{BoxFuture, Tool, ToolLimits, ToolScript, ToolScriptError, ToolchainConfig};
use compat_meta::{ParserError, SqlParser};
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("sql_parser.mjs");
const LOCK: &str = include_str!("deno.lock");

/// A text is parsed in milliseconds; the process is kept for a person who goes on.
const LIMITS: ToolLimits = ToolLimits {
    start: Duration::from_secs(60),
    answer: Duration::from_secs(10),
    idle: Duration::from_secs(60),
};

/// The parser, whose process its first question starts.
pub(crate) struct DenoParser(Tool);

impl DenoParser {
    /// By the program that runs functions in TypeScript.
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
            // What it writes is a text, in JSON like every answer.
            serde_json::from_str(&text).map_err(|error| ParserError::Refused(error.to_string()))
        })
    }
}
