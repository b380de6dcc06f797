//! A server of the Model Context Protocol (MCP), with which an agent can examine a project: its
//! tables, advice on them, the documentation, and SQL.
//!
//! Tools, arguments and answers are those of the original's server
//! (`@supabase/mcp-server-supabase`), for one project. Nothing is changed unless the operator or
//! the connection allows it, no answer contains a secret key, and each call is limited in time and
//! size.
//!
//! `rmcp` implements the protocol. This crate does not know who mounts it, and keeps no state
//! between two calls.

mod docs;
mod error;
mod mode;
mod router;
mod server;
mod state;
mod tool;
mod tools;

pub use error::ToolError;
pub use mode::Mode;
pub use router::{McpHosts, advice_router, router};
pub use server::serve_stdio;
pub use state::{EdgeFunction, LogQuery, LogReader, McpConfig, McpState, SESSIONS, TypeGenerator};
