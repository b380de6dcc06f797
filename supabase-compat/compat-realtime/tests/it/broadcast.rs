//! Broadcasts from sockets.

use serde_json::json;

use crate::world::{TestFrame, World, ok, user_broadcast};

#[tokio::test]
async fn v1_broadcast_reaches_v2_client_unchanged() {
    let world = World::new().await;
    let (mut one, mut two) = (world.old_client().await, world.client().await);
    let join_ref = one.join("realtime:a", json!({})).await;
    two.join("realtime:a", json!({})).await;
    let payload = json!({"type": "broadcast", "event": "e", "payload": {"x": 1.0}, "more": [1]});
    one.push(Some(&join_ref), "realtime:a", "broadcast", payload.clone()).await;
    let expected = json!([null, null, "realtime:a", "broadcast", payload]);
    assert_eq!(two.message().await, expected);
    one.assert_no_message().await;
}

#[tokio::test]
async fn binary_reaches_version_two_as_kind_four() {
    let world = World::new().await;
    let (mut one, mut two) = (world.client().await, world.client().await);
    let mut three = world.old_client().await;
    let config = json!({"broadcast": {"ack": true, "self": true}});
    let join_ref = one.join("realtime:a", config).await;
    two.join("realtime:a", json!({})).await;
    three.join("realtime:a", json!({})).await;
    one.raw(user_broadcast(&join_ref, "7", "realtime:a", "e", r#"{"x":1}"#)).await;
    let mut frame = vec![4, 10, 1, 0, 1];
    frame.extend(br#"realtime:ae{"x":1}"#);
    assert_eq!(one.next().await, TestFrame::Binary(frame.clone()));
    assert_eq!(one.message().await, json!([join_ref, "7", "realtime:a", "phx_reply", ok()]));
    assert_eq!(two.next().await, TestFrame::Binary(frame));
    let payload = json!({"event": "e", "payload": {"x": 1}, "type": "broadcast"});
    assert_eq!(three.event().await, ("broadcast".to_owned(), payload));
}

#[tokio::test]
async fn broadcasts_stay_in_their_topic() {
    let world = World::new().await;
    let (mut one, mut two) = (world.client().await, world.client().await);
    let join_ref = one.join("realtime:a", json!({})).await;
    two.join("realtime:b", json!({})).await;
    one.push(Some(&join_ref), "realtime:a", "broadcast", json!({"event": "e"})).await;
    one.assert_no_message().await;
    two.assert_no_message().await;
}

#[tokio::test]
async fn oversized_payloads_are_refused_where_acks_are_on() {
    let world = World::with(|config| config.max_payload_kilobytes = 1).await;
    let mut client = world.client().await;
    let acks = client.join("realtime:a", json!({"broadcast": {"ack": true}})).await;
    let silent = client.join("realtime:b", json!({})).await;
    let payload = json!({"event": 1, "payload": "x".repeat(2_000)});
    client.push(Some(&silent), "realtime:b", "broadcast", payload.clone()).await;
    let reference = client.push(Some(&acks), "realtime:a", "broadcast", payload).await;
    let refusal = json!({"status": "error", "response": "payload_size_exceeded"});
    let reply = json!([acks, reference, "realtime:a", "phx_reply", refusal]);
    assert_eq!(client.message().await, reply);
    client.assert_no_message().await;
}
