//! A server of the Model Context Protocol (MCP), so that a program that writes code for somebody can look
//! at their project: its tables, advice on them, its documentation, and SQL.
//!
//! Tools, arguments and answers are those of the original's server (`@supabase/mcp-server-supabase`), for
//! one project. It promises that nothing is changed unless whoever runs or connects it has allowed it,
//! that no answer holds a secret key, and that each call is bounded in time and size.
//!
//! The protocol is `rmcp`'s part. It does not know who mounts it, and keeps nothing between two calls.

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
