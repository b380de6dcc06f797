//! Settings of `/mcp`, for agents.

use secrecy::SecretString;

use super::reader::Reader;

/// What agents may do.
#[derive(Debug, Clone)]
pub struct McpSettings {
    /// `MCP_ENABLED`: whether `/mcp` is served.
    pub is_enabled: bool,
    /// `MCP_READ_ONLY`: true refuses every change, false allows changes to all; by default, a
    /// connection reads only unless its address has `read_only=false`.
    pub read_only: Option<bool>,
    /// `MCP_DATABASE_URL`: the login of agents' statements, for servers where the owner is a
    /// superuser. The embedded server has separate logins for agents.
    pub database_url: Option<SecretString>,
}

/// Reads the settings of `/mcp`.
pub fn read(reader: &mut Reader) -> McpSettings {
    let mut is_enabled = true;
    reader.over(&mut is_enabled, &["MCP_ENABLED"], "mcp.enabled");
    McpSettings {
        is_enabled,
        read_only: reader.get(&["MCP_READ_ONLY"], "mcp.read_only"),
        database_url: reader.text(&["MCP_DATABASE_URL"], "mcp.database_url").map(Into::into),
    }
}
