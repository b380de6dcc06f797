//! `mcp`: the tools for agents, for a client that starts this program.

use clap::{ArgAction, Args};

use super::ProjectArguments;

/// What `mcp` can be told.
#[derive(Debug, Clone, Args)]
pub struct McpArguments {
    /// Whether nothing may be changed; --read-only=false lets the client apply migrations and write
    #[arg(
        long,
        action = ArgAction::Set,
        default_value_t = true,
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    pub read_only: bool,
    /// Only these groups of tools, between commas: docs, database, debugging, development, functions
    #[arg(long, value_name = "GROUPS")]
    pub features: Option<String>,
    #[command(flatten)]
    pub project: ProjectArguments,
}

/// Serves one client over standard input and output, where nothing else is written meanwhile.
///
/// # Errors
/// The project cannot be read, or its database cannot be had.
pub async fn serve_mcp(arguments: McpArguments) -> Result<(), Box<dyn std::error::Error>> {
    let (mut settings, files) = arguments.project.open_if_found()?;
    if files.is_some() {
        settings.serve_as_cli();
    }
    compat_stack::serve_agent(&settings, arguments.read_only, arguments.features.as_deref()).await
}
