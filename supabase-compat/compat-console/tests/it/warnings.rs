//! Security warnings.

use std::time::Duration;

use compat_console::ConsoleAccess;
use serde_json::json;

use crate::world::{OWNER, World};

#[tokio::test]
async fn warnings_name_settings_owners_and_missing_backups() {
    let world = World::reached_from("", ConsoleAccess::Everywhere).await;
    let owner = world.owner().await;
    let warnings = owner.get("/warnings").await.json();
    assert_eq!(
        warnings["warnings"],
        json!([
            {"name": "known_api_keys", "level": "error", "subjects": []},
            {"name": "owner_without_second_factor", "level": "warning", "subjects": [OWNER]},
        ])
    );
    world.personas.advance(Duration::from_secs(8 * 24 * 60 * 60));
    let owner = world.signed_in().await;
    let warnings = owner.get("/warnings").await.json();
    let last = warnings["warnings"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["name"], &last["level"]), (&json!("no_recent_backup"), &json!("warning")));
}
