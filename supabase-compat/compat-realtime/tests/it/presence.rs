//! Presence.

use serde_json::{Value, json};

use crate::world::{World, ok};

fn track(payload: Value) -> Value {
    json!({"type": "presence", "event": "track", "payload": payload})
}

/// The first entry under a key: its reference, and the entry without the reference.
fn entry(presences: &Value, key: &str) -> (String, Value) {
    let mut meta = presences[key]["metas"][0].as_object().unwrap().clone();
    let reference = meta.remove("phx_ref").unwrap().as_str().unwrap().to_owned();
    (reference, meta.into())
}

#[tokio::test]
async fn presences_come_change_and_go() {
    let world = World::new().await;
    let (mut one, mut two) = (world.client().await, world.old_client().await);
    let config = json!({"presence": {"enabled": true, "key": "ada"}});
    let join_ref = one.join("realtime:a", config).await;
    assert_eq!(one.event().await, ("presence_state".to_owned(), json!({})));
    // Members of a public channel receive presences even if they did not enable presence.
    two.join("realtime:a", json!({})).await;

    one.push(Some(&join_ref), "realtime:a", "presence", track(json!({"x": 1}))).await;
    let (event, diff) = two.event().await;
    let (first, payload) = entry(&diff["joins"], "ada");
    assert_eq!((&*event, payload, &diff["leaves"]), ("presence_diff", json!({"x": 1}), &json!({})));
    assert_eq!(one.event().await, ("presence_diff".to_owned(), diff));
    assert_eq!(one.event().await, ("phx_reply".to_owned(), ok()));

    // A repeated track is acknowledged and changes nothing.
    one.push(Some(&join_ref), "realtime:a", "presence", track(json!({"x": 1}))).await;
    assert_eq!(one.event().await, ("phx_reply".to_owned(), ok()));
    one.push(Some(&join_ref), "realtime:a", "presence", track(json!({"x": 2}))).await;
    let (_, diff) = two.event().await;
    let (_, payload) = entry(&diff["joins"], "ada");
    assert_eq!(payload, json!({"x": 2, "phx_ref_prev": first}));
    assert_eq!(entry(&diff["leaves"], "ada"), (first, json!({"x": 1})));

    let mut three = world.client().await;
    three.join("realtime:a", json!({"presence": {"enabled": true}})).await;
    let (event, state) = three.event().await;
    assert_eq!((&*event, &entry(&state, "ada").1["x"]), ("presence_state", &json!(2)));

    drop(one);
    let (_, diff) = two.event().await;
    assert_eq!((&diff["joins"], &entry(&diff["leaves"], "ada").1["x"]), (&json!({}), &json!(2)));
}

#[tokio::test]
async fn track_enables_presence_and_untrack_ends_it() {
    let world = World::new().await;
    let (mut one, mut two) = (world.client().await, world.client().await);
    let first = one.join("realtime:a", json!({"presence": {"key": "ada"}})).await;
    one.push(Some(&first), "realtime:a", "presence", track(json!({}))).await;
    assert_eq!(one.event().await, ("presence_state".to_owned(), json!({})));
    assert_eq!(one.event().await.0, "presence_diff");
    assert_eq!(one.event().await, ("phx_reply".to_owned(), ok()));
    let second = two.join("realtime:a", json!({})).await;
    two.push(Some(&second), "realtime:a", "presence", track(json!({}))).await;
    let (event, state) = two.event().await;
    assert_eq!((&*event, state["ada"]["metas"].as_array().unwrap().len()), ("presence_state", 1));
    one.event().await;
    let untrack = json!({"type": "presence", "event": "UNTRACK"});
    one.push(Some(&first), "realtime:a", "presence", untrack).await;
    let (_, diff) = one.event().await;
    assert!(diff["leaves"]["ada"].is_object() && diff["joins"] == json!({}));
    assert_eq!(one.event().await, ("phx_reply".to_owned(), ok()));
}

#[tokio::test]
async fn wrong_events_of_presence_are_refused() {
    let world = World::with(|config| config.max_presence_kilobytes = 1).await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({})).await;
    client.push(Some(&join_ref), "realtime:a", "presence", track(json!([1]))).await;
    let reason = json!({"reason": "Presence track payload must be a map"});
    let refusal = json!({"status": "error", "response": reason});
    assert_eq!(client.event().await, ("phx_reply".to_owned(), refusal));
    client.push(Some(&join_ref), "realtime:a", "presence", json!({"event": "sing"})).await;
    let refusal = json!({"status": "error", "response": {}});
    assert_eq!(client.event().await, ("phx_reply".to_owned(), refusal));
    let long = track(json!({"x": "x".repeat(2_000)}));
    client.push(Some(&join_ref), "realtime:a", "presence", long).await;
    let (event, payload) = client.event().await;
    assert_eq!((&*event, &payload["message"]), ("system", &json!("Track message size exceeded")));
    assert_eq!(client.event().await.0, "phx_close");
}

#[tokio::test]
async fn calls_beyond_the_limit_close_the_channel() {
    let world = World::with(|config| config.client_presence_calls = 2).await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({"presence": {"enabled": true}})).await;
    client.event().await;
    let untrack = json!({"event": "untrack"});
    for _ in 0..3 {
        client.push(Some(&join_ref), "realtime:a", "presence", untrack.clone()).await;
    }
    assert_eq!(client.event().await.0, "phx_reply");
    assert_eq!(client.event().await.0, "phx_reply");
    let (event, payload) = client.event().await;
    let text = json!("Client presence rate limit exceeded");
    assert_eq!((&*event, &payload["message"]), ("system", &text));
    assert_eq!(client.event().await.0, "phx_close");
}

#[tokio::test]
async fn payload_that_cannot_be_tracked_is_refused() {
    let world = World::new().await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({})).await;
    let deep = format!("{}{}", "[".repeat(40_000), "]".repeat(40_000));
    for payload in [format!(r#"{{"a":{deep}}}"#), r#"{"a":"\ud800"}"#.to_owned(), deep] {
        let text = format!(
            r#"["{join_ref}","t","realtime:a","presence",{{"event":"track","payload":{payload}}}]"#
        );
        client.text(&text).await;
        let refusal = json!({"reason": "Presence track payload must be a map"});
        let (event, reply) = loop {
            let (event, payload) = client.event().await;
            if event != "presence_state" {
                break (event, payload);
            }
        };
        let expected = json!({"status": "error", "response": refusal});
        assert_eq!((&*event, reply), ("phx_reply", expected));
    }
    client.assert_no_message().await;
}
