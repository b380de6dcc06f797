//! Joining, leaving, and the expiry and renewal of tokens.

use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{TestFrame, World, ok};

fn reason(reply: &Value) -> &str {
    assert_eq!(reply["status"], "error", "{reply}");
    reply["response"]["reason"].as_str().unwrap()
}

#[tokio::test]
async fn join_is_answered_with_its_bindings_and_presences() {
    let world = World::new().await;
    for mut client in [world.client().await, world.old_client().await] {
        let (_, reply) = client.try_join("realtime:a", json!({})).await;
        assert_eq!(reply, json!({"status": "ok", "response": {"postgres_changes": []}}));
        client.assert_no_message().await;
        let config = json!({"presence": {"enabled": true, "key": ""}});
        let join_ref = client.join("realtime:b", config).await;
        let state = json!([join_ref, null, "realtime:b", "presence_state", {}]);
        assert_eq!(client.message().await, state);
    }
}

#[tokio::test]
async fn bindings_are_echoed_in_their_order_with_ids() {
    let world = World::new().await;
    let mut client = world.client().await;
    let bindings = json!([
        {"event": "INSERT", "schema": "public", "table": "b", "filter": "id=eq.1"},
        {"event": "*", "schema": "public"},
    ]);
    let config = json!({"config": {"postgres_changes": bindings}});
    let (_, reply) = client.try_join("realtime:a", config).await;
    let echoed = reply["response"]["postgres_changes"].as_array().unwrap();
    for (echoed, requested) in echoed.iter().zip(bindings.as_array().unwrap()) {
        let mut echoed = echoed.as_object().unwrap().clone();
        assert!(echoed.remove("id").unwrap().is_u64());
        assert_eq!(&Value::from(echoed), requested);
    }
    let (event, payload) = client.event().await;
    assert_eq!((&*event, &payload["extension"]), ("system", &json!("postgres_changes")));
    assert_eq!(payload["channel"], "a");
}

#[tokio::test]
async fn refused_joins_have_a_reason() {
    let world = World::with(|config| config.max_channels_per_socket = 1).await;
    let mut client = world.client().await;
    let (_, reply) = client.try_join("realtime:", json!({})).await;
    assert_eq!(reason(&reply), "TopicNameRequired: You must provide a topic name");
    let other = compat_testkit::Personas::new();
    for (token, text) in [
        ("a.b.c", "MalformedJWT: The token provided is not a valid JWT"),
        (&other.api_keys().anon, "JwtSignatureError: Failed to validate JWT signature"),
    ] {
        let (_, reply) = client.try_join("realtime:a", json!({"access_token": token})).await;
        assert_eq!(reason(&reply), text);
    }
    let replay = json!({"config": {"broadcast": {"replay": {"since": 1}}}});
    let (_, reply) = client.try_join("realtime:a", replay).await;
    let text = "UnableToReplayMessages: Replay is not allowed for public channels";
    assert_eq!(reason(&reply), text);
    client.join("realtime:a", json!({})).await;
    let (_, reply) = client.try_join("realtime:b", json!({})).await;
    assert_eq!(reason(&reply), "ChannelRateLimitReached: Too many channels");
    let private = World::with(|config| config.private_only = true).await;
    let (_, reply) = private.client().await.try_join("realtime:a", json!({})).await;
    let text = "PrivateOnly: This project only allows private channels";
    assert_eq!(reason(&reply), text);
}

#[tokio::test]
async fn rejoin_closes_the_previous_channel_first() {
    let world = World::new().await;
    let mut client = world.client().await;
    let first = client.join("realtime:a", json!({})).await;
    let second = client.push(Some("9"), "realtime:a", "phx_join", json!({})).await;
    let close = json!([first, first, "realtime:a", "phx_close", {}]);
    assert_eq!(client.message().await, close);
    let reply = client.message().await;
    assert_eq!((&reply[0], &reply[1]), (&json!("9"), &json!(second)));
}

#[tokio::test]
async fn left_channel_is_answered_and_closed() {
    let world = World::new().await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({})).await;
    let reference = client.push(Some(&join_ref), "realtime:a", "phx_leave", json!({})).await;
    let reply = json!([join_ref, reference, "realtime:a", "phx_reply", ok()]);
    assert_eq!(client.message().await, reply);
    let close = json!([join_ref, join_ref, "realtime:a", "phx_close", {}]);
    assert_eq!(client.message().await, close);
    let reference = client.push(Some("1"), "realtime:a", "broadcast", json!({})).await;
    let response = json!({"status": "error", "response": {"reason": "unmatched topic"}});
    let reply = json!(["1", reference, "realtime:a", "phx_reply", response]);
    assert_eq!(client.message().await, reply);
}

#[tokio::test]
async fn unknown_events_are_ignored() {
    let world = World::new().await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({})).await;
    client.push(Some(&join_ref), "realtime:a", "dance", json!({})).await;
    client.assert_no_message().await;
}

#[tokio::test]
async fn channel_ends_with_its_token() {
    let world = World::with(|config| config.token_check = Duration::from_millis(20)).await;
    let mut client = world.client().await;
    let exp = world.personas.clock().unix() + 5;
    let token = world.personas.user_token("ada", json!({"exp": exp}));
    let payload = json!({"config": {}, "access_token": token});
    let (join_ref, reply) = client.try_join("realtime:a", payload).await;
    assert_eq!(reply["status"], "ok");
    world.personas.advance(Duration::from_secs(7));
    let system = json!({
        "message": "Token has expired 2 seconds ago", "status": "error",
        "extension": "system", "channel": "a",
    });
    let message = json!([join_ref, null, "realtime:a", "system", system]);
    assert_eq!(client.message().await, message);
    assert_eq!(client.message().await[3], "phx_close");
}

#[tokio::test]
async fn new_token_keeps_a_channel_alive() {
    let world = World::with(|config| config.token_check = Duration::from_millis(20)).await;
    let mut client = world.client().await;
    let exp = world.personas.clock().unix() + 5;
    let token = world.personas.user_token("ada", json!({"exp": exp}));
    let payload = json!({"config": {}, "access_token": token});
    let (join_ref, _) = client.try_join("realtime:a", payload).await;
    for token in [json!(token), json!(null), json!("sb_publishable_x")] {
        let payload = json!({"access_token": token});
        client.push(Some(&join_ref), "realtime:a", "access_token", payload).await;
    }
    let fresh = world.personas.user_token("ada", json!({"exp": exp + 60}));
    let payload = json!({"access_token": fresh});
    client.push(Some(&join_ref), "realtime:a", "access_token", payload).await;
    // Another channel keeps the old token: its end shows that tokens were checked.
    let payload = json!({"config": {}, "access_token": token});
    client.try_join("realtime:b", payload).await;
    world.personas.advance(Duration::from_secs(7));
    assert_eq!(client.message().await[2], "realtime:b");
    assert_eq!(client.message().await[3], "phx_close");
    client.assert_no_message().await;
    let payload = json!({"access_token": "a.b.c"});
    client.push(Some(&join_ref), "realtime:a", "access_token", payload).await;
    let (event, payload) = client.event().await;
    assert_eq!((&*event, &payload["status"]), ("system", &json!("error")));
    assert_eq!(payload["message"], "The token provided is not a valid JWT");
    assert!(matches!(client.next().await, TestFrame::Text(close) if close[3] == "phx_close"));
}
