//! What a new application needs: keys for clients, and types.

use serde_json::{Value, json};

use crate::ToolError;
use crate::state::McpState;

/// The keys that clients may know, and no others.
pub(super) fn keys(state: &McpState) -> Value {
    let config = state.config();
    let known = [
        (
            &config.publishable_key,
            "default",
            "publishable",
            "The publishable key, for new applications",
        ),
        (&config.anon_key, "anon", "legacy", "The legacy key of the role anon"),
    ];
    let keys: Vec<Value> = known
        .into_iter()
        .filter(|(key, ..)| !key.is_empty())
        .map(|(key, name, kind, description)| {
            json!({
                "api_key": key, "name": name, "type": kind, "description": description,
                "id": name, "disabled": false,
            })
        })
        .collect();
    json!({ "keys": keys })
}

pub(super) async fn types(state: &McpState) -> Result<Value, ToolError> {
    let Some(write) = &state.config().types else {
        return Err(ToolError::Missing {
            kind: "tool",
            name: "generate_typescript_types".to_owned(),
        });
    };
    let types = write().await.map_err(ToolError::File)?;
    Ok(json!({ "types": types }))
}
