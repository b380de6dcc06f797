//! The handshake: which sockets the server accepts.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, frame::coding::CloseCode};
use tokio_tungstenite::tungstenite::{self, Message, client::IntoClientRequest as _};

use crate::world::{TestFrame, World, ok};

async fn refusal(world: &World, query: &str) -> (u16, Value) {
    match world.one.open(query).await.err() {
        Some(tungstenite::Error::Http(response)) => {
            let body = response.body().clone().unwrap_or_default();
            (response.status().as_u16(), serde_json::from_slice(&body).unwrap())
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn handshake_refuses_invalid_or_expired_keys() {
    let world = World::new().await;
    let now = world.personas.clock().unix();
    let sign = |claims: Value| world.personas.keys().sign(&claims).unwrap();
    let other = compat_testkit::Personas::new();
    for (key, text) in [
        (String::new(), "API key is missing"),
        ("sb_secret_guess".to_owned(), "The token provided is not a valid JWT"),
        ("a.b.c".to_owned(), "The token provided is not a valid JWT"),
        (sign(json!({"role": "anon"})), "Fields `role` and `exp` are required in JWT"),
        (sign(json!({"exp": now + 60})), "Fields `role` and `exp` are required in JWT"),
        (sign(json!({"role": "anon", "exp": now - 90})), "Token has expired 90 seconds ago"),
        (sign(json!({"role": "anon", "exp": now - 2})), "Token has expired 2 seconds ago"),
        (other.api_keys().anon.clone(), "Failed to validate JWT signature"),
    ] {
        let refusal = refusal(&world, &format!("vsn=2.0.0&apikey={key}")).await;
        assert_eq!(refusal, (401, json!({"error": text})));
    }
    assert_eq!(refusal(&world, "vsn=2.0.0").await.1, json!({"error": "API key is missing"}));
    let key = &world.personas.api_keys().anon;
    assert_eq!(refusal(&world, &format!("vsn=9&apikey={key}")).await.0, 400);
}

#[tokio::test]
async fn opaque_keys_open_sockets_like_their_tokens() {
    let world = World::new().await;
    for key in [&world.personas.api_keys().publishable, &world.personas.api_keys().secret] {
        world.one.client("2.0.0", key).await.assert_no_message().await;
    }
    let fraction = world.personas.clock().unix() as f64 + 60.5;
    let token = world.personas.keys().sign(&json!({"role": "anon", "exp": fraction})).unwrap();
    world.one.client("1.0.0", &token).await.assert_no_message().await;
}

#[tokio::test]
async fn header_takes_precedence_over_the_query() {
    let world = World::new().await;
    let url = format!("ws://{}/websocket?apikey=wrong&vsn=1.0.0", world.one.address);
    let mut request = url.into_client_request().unwrap();
    let key = world.personas.api_keys().anon.parse().unwrap();
    request.headers_mut().insert("x-api-key", key);
    tokio_tungstenite::connect_async(request).await.unwrap();
}

#[tokio::test]
async fn heartbeats_are_answered_in_both_versions() {
    let world = World::new().await;
    for mut client in [world.client().await, world.old_client().await] {
        let reference = client.push(None, "phoenix", "heartbeat", json!({})).await;
        let answer = json!([null, reference, "phoenix", "phx_reply", ok()]);
        assert_eq!(client.next().await, TestFrame::Text(answer));
    }
}

#[tokio::test]
async fn malformed_frames_are_dropped_and_the_socket_stays() {
    let world = World::new().await;
    let mut client = world.client().await;
    for text in ["", "{", "[1]", "null", r#"{"topic":"phoenix","event":"heartbeat"}"#] {
        client.text(text).await;
    }
    client.raw(tungstenite::Message::binary(vec![3, 255, 0, 0])).await;
    client.assert_no_message().await;
}

#[tokio::test]
async fn sockets_beyond_the_limit_are_refused() {
    let world = World::with(|config| config.max_sockets = 1).await;
    let client = world.client().await;
    let key = &world.personas.api_keys().anon;
    let query = format!("vsn=2.0.0&apikey={key}");
    let text = json!({"error": "Too many connected users"});
    assert_eq!(refusal(&world, &query).await, (429, text));
    drop(client);
    let suspended = World::with(|config| config.suspended = true).await;
    let query = format!("vsn=2.0.0&apikey={}", suspended.personas.api_keys().anon);
    let text = json!({"error": "Realtime was disabled for this tenant"});
    assert_eq!(refusal(&suspended, &query).await, (403, text));
}

#[tokio::test]
async fn close_of_the_client_is_answered() {
    let world = World::new().await;
    let mut client = world.client().await;
    client.join("realtime:a", json!({})).await;
    let (code, reason) = (CloseCode::Normal, "done".into());
    client.raw(Message::Close(Some(CloseFrame { code, reason }))).await;
    assert_eq!(client.next().await, TestFrame::Closed(1000, "done".to_owned()));
}
