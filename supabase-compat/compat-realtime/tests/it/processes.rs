//! Several processes with one database.

use std::time::Duration;

use serde_json::json;

use crate::world::{Client, TestFrame, World, user_broadcast};

/// Two processes that know each other: a presence of each reached the other.
async fn pair(world: &World) -> (crate::world::Process, Client, String, Client, String) {
    let two = world.another().await;
    let key = world.personas.api_keys().anon.clone();
    let (mut here, mut there) = (world.client().await, two.client("2.0.0", &key).await);
    let config = json!({"presence": {"enabled": true, "key": "here"}});
    let here_ref = here.join("realtime:a", config).await;
    here.event().await;
    let config = json!({"presence": {"enabled": true, "key": "there"}});
    let there_ref = there.join("realtime:a", config).await;
    there.event().await;
    // Processes exchange presences when they discover each other, so a presence shows that they
    // have.
    let track = json!({"event": "track", "payload": {}});
    here.push(Some(&here_ref), "realtime:a", "presence", track.clone()).await;
    here.event().await;
    here.event().await;
    assert!(there.event().await.1["joins"]["here"].is_object());
    there.push(Some(&there_ref), "realtime:a", "presence", track).await;
    there.event().await;
    there.event().await;
    assert!(here.event().await.1["joins"]["there"].is_object());
    (two, here, here_ref, there, there_ref)
}

#[tokio::test]
async fn broadcasts_cross_in_their_order_short_and_long() {
    let world = World::new().await;
    let (_two, mut here, here_ref, mut there, _) = pair(&world).await;
    for (n, length) in [(1, 1), (2, 20_000), (3, 1), (4, 300_000)] {
        let json = json!({"n": n, "text": "é".repeat(length)}).to_string();
        here.raw(user_broadcast(&here_ref, "1", "realtime:a", "e", &json)).await;
        let TestFrame::Binary(frame) = there.next().await else { panic!("no frame") };
        assert!(frame.ends_with(json.as_bytes()), "{n}");
    }
    let payload = json!({"event": 1, "payload": {"x": 1.0}});
    here.push(Some(&here_ref), "realtime:a", "broadcast", payload.clone()).await;
    assert_eq!(there.event().await, ("broadcast".to_owned(), payload));
    here.assert_no_message().await;
}

#[tokio::test]
async fn presences_of_a_dead_process_leave() {
    let world = World::with(|config| config.node_heartbeat = Duration::from_millis(500)).await;
    let (mut two, mut here, _, there, _) = pair(&world).await;
    two.kill();
    let (event, diff) = here.event().await;
    assert_eq!(event, "presence_diff");
    assert!(diff["leaves"]["there"].is_object() && diff["joins"] == json!({}));
    drop(there);
}

#[tokio::test]
async fn presences_of_a_stopped_process_leave_at_once() {
    let world = World::with(|config| config.node_heartbeat = Duration::from_secs(600)).await;
    let (two, mut here, _, _there, _) = pair(&world).await;
    two.stop.cancel();
    assert!(here.event().await.1["leaves"]["there"].is_object());
}

#[tokio::test]
async fn late_process_learns_who_is_present() {
    let world = World::new().await;
    let mut here = world.client().await;
    let join_ref = here.join("realtime:a", json!({"presence": {"key": "here"}})).await;
    let track = json!({"event": "track", "payload": {"x": 1}});
    here.push(Some(&join_ref), "realtime:a", "presence", track).await;
    let two = world.another().await;
    let mut there = two.client("2.0.0", &world.personas.api_keys().anon).await;
    there.join("realtime:a", json!({"presence": {"enabled": true}})).await;
    // The presence arrives in the initial state or in a later diff.
    let known = loop {
        let (_, payload) = there.event().await;
        let found = payload.get("here").or_else(|| payload["joins"].get("here")).cloned();
        if let Some(found) = found {
            break found;
        }
    };
    assert_eq!(known["metas"][0]["x"], 1);
}
