//! The command `mcp`: serves the tools for agents to a client that starts this program.

use clap::{ArgAction, Args};

use super::ProjectArguments;

/// The arguments of `mcp`.
#[derive(Debug, Clone, Args)]
pub struct McpArguments {
    /// Refuse all changes; --read-only=false lets the client apply migrations and write
    #[arg(
        long,
        action = ArgAction::Set,
        default_value_t = true,
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    pub read_only: bool,
    /// Only these groups of tools, separated by commas: docs, database, debugging, development,
    /// functions
    #[arg(long, value_name = "GROUPS")]
    pub features: Option<String>,
    #[command(flatten)]
    pub project: ProjectArguments,
}

/// Serves one client over standard input and output, where nothing else is written meanwhile.
///
/// # Errors
/// The project's settings are invalid, or its database cannot be opened.
pub async fn serve_mcp(arguments: McpArguments) -> Result<(), Box<dyn std::error::Error>> {
    let (mut settings, files) = arguments.project.open_if_found()?;
    if files.is_some() {
        settings.serve_as_cli();
    }
    compat_stack::serve_agent(&settings, arguments.read_only, arguments.features.as_deref()).await
}
