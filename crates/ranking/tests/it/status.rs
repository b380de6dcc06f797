//! What is known of a game server: nothing yet, and nothing is made up.

use serde_json::{Value, json};

use crate::world::{World, refusal, told};

#[tokio::test]
async fn nothing_is_known_of_any_server() {
    let world = World::new().await;
    let body = json!({ "serverId": world.server("Avalon").await });
    let ip = [203, 0, 113, 1].into();
    let answer = world.function("POST", "steam-server-status", ip, &[], body).await;
    assert_eq!(told(&answer), (200, json!({ "server": null, "known": false })));
}

#[tokio::test]
async fn a_question_without_a_server_is_a_bad_request() {
    let world = World::new().await;
    let ip = [203, 0, 113, 1].into();
    let message = "The body must be JSON with serverId (a UUID)";
    for body in [Value::Null, json!({}), json!({ "serverId": 1 })] {
        let answer = world.function("POST", "steam-server-status", ip, &[], body).await;
        assert_eq!(told(&answer), refusal(400, "bad_request", message));
    }
}
