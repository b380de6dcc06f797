//! Broadcasts over REST.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use compat_testkit::call;
use http::Request;
use serde_json::json;

use crate::world::{TestFrame, World};

#[tokio::test]
async fn batch_reaches_members_as_text() {
    let world = World::new().await;
    let mut client = world.client().await;
    client.join("realtime:a", json!({})).await;
    let messages = json!({"messages": [
        {"topic": "a", "event": "e", "payload": {"x": 1.0}, "id": "i"},
        {"topic": "b", "event": "e", "payload": {}},
        {"topic": "a", "event": "private", "payload": {}, "private": true},
    ]});
    let answer = world.post("/api/broadcast", world.personas.as_anon(), &messages).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (202, ""));
    assert_eq!(answer.headers["x-rate-limit"], "100");
    assert_eq!(answer.headers["x-rate-limit-remaining"], "97");
    let payload = json!({
        "event": "e", "payload": {"x": 1.0}, "type": "broadcast", "meta": {"id": "i"},
    });
    assert_eq!(client.event().await, ("broadcast".to_owned(), payload));
    client.assert_no_message().await;
}

#[tokio::test]
async fn invalid_batches_are_reported() {
    let world = World::new().await;
    let post = async |body: serde_json::Value| {
        let answer = world.post("/api/broadcast", world.personas.as_anon(), &body).await;
        (answer.status.as_u16(), answer.json())
    };
    let problems = json!({"errors": {"messages": [
        {"topic": ["can't be blank"], "payload": ["is invalid"]}, {},
    ]}});
    let messages = json!({"messages": [
        {"event": "e", "payload": []}, {"topic": "a", "event": "e", "payload": {}},
    ]});
    assert_eq!(post(messages).await, (422, problems));
    let problems = json!({"errors": {"messages": ["can't be blank"]}});
    assert_eq!(post(json!({})).await, (422, problems));
    let problems = json!({"errors": {"messages": ["is invalid"]}});
    assert_eq!(post(json!({"messages": 1})).await, (422, problems));
    let many: Vec<_> =
        (0..101).map(|_| json!({"topic": "a", "event": "e", "payload": {}})).collect();
    assert_eq!(post(json!({"messages": many})).await.0, 429);
    let long = json!({"topic": "a", "event": "e", "payload": {"x": "x".repeat(3_100_000)}});
    let problems =
        json!({"errors": {"messages": [{"payload": ["Payload size exceeds tenant limit"]}]}});
    assert_eq!(post(json!({"messages": [long]})).await, (422, problems));
    let answer = world.send("/api/broadcast", world.personas.as_anon(), "{").await;
    assert_eq!(answer.status.as_u16(), 400);
    let answer = world.post("/api/broadcast", Vec::new(), &json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (401, json!({"message": "Unauthorized"})));
    let answer = world.post("/api/broadcast", world.personas.as_bearer("a.b.c"), &json!({})).await;
    assert_eq!(answer.status.as_u16(), 401);
}

#[tokio::test]
async fn single_message_is_json_or_bytes() {
    let world = World::new().await;
    let mut client = world.client().await;
    client.join("realtime:a:é", json!({})).await;
    let path = "/api/broadcast/a%3A%C3%A9/events/e";
    let send = async |kind: Option<&str>, body: &'static [u8]| {
        let mut headers = world.personas.as_anon();
        headers.extend(kind.map(|kind| ("content-type", kind.to_owned())));
        let answer = world.send(path, headers, body).await;
        (answer.status.as_u16(), answer.text())
    };
    for (kind, body, encoding, expected) in [
        (None, &b"{\"x\":1}"[..], 1, &b"{\"x\":1}"[..]),
        (Some("application/json; charset=utf-8"), b"[1]", 1, b"{\"_json\":[1]}"),
        (Some("application/octet-stream"), &[0, 255], 0, &[0, 255]),
    ] {
        assert_eq!(send(kind, body).await, (202, String::new()));
        let topic = "realtime:a:é";
        let mut frame = vec![4, u8::try_from(topic.len()).unwrap(), 1, 0, encoding];
        frame.extend(topic.as_bytes());
        frame.push(b'e');
        frame.extend(expected);
        assert_eq!(client.next().await, TestFrame::Binary(frame));
    }
    let (status, body) = send(Some("text/plain"), b"x").await;
    let text = "Unsupported Media Type. Use application/json or application/octet-stream";
    assert_eq!((status, body), (415, json!({"error": text}).to_string()));
    assert_eq!(send(None, b"{").await.0, 400);
}

#[tokio::test]
async fn private_message_needs_the_right_to_write() {
    let world = World::new().await;
    world
        .sql(
            "create policy \"writes\" on realtime.messages for insert to authenticated
            with check (realtime.topic() = 'a')",
        )
        .await;
    let send = async |headers, topic: &str| {
        let path = format!("/api/broadcast/{topic}/events/e?private=true");
        let answer = world.post(&path, headers, &json!({})).await;
        (answer.status.as_u16(), answer.text())
    };
    let refusal = (403, json!({"message": "Unauthorized"}).to_string());
    assert_eq!(send(world.personas.as_anon(), "a").await, refusal);
    assert_eq!(send(world.personas.as_user("ada"), "b").await, refusal);
    assert_eq!(send(world.personas.as_user("ada"), "a").await, (202, String::new()));
    assert_eq!(send(world.personas.as_service(), "b").await, (202, String::new()));
}

#[tokio::test]
async fn address_that_sends_too_much_is_refused() {
    let world = World::with(|config| config.max_events_per_second = 2).await;
    let send = async || {
        let path = "/api/broadcast/a/events/e";
        world.post(path, world.personas.as_anon(), &json!({})).await.status.as_u16()
    };
    assert_eq!([send().await, send().await, send().await], [202, 202, 429]);
}

#[tokio::test]
async fn ipv6_network_is_one_sender() {
    let world = World::with(|config| config.max_events_per_second = 1).await;
    let send = async |address: &str| {
        let mut request = Request::post("/api/broadcast/a/events/e");
        for (name, value) in world.personas.as_anon() {
            request = request.header(name, value);
        }
        let mut request = request.body(Body::from("{}")).unwrap();
        let peer = SocketAddr::new(address.parse().unwrap(), 1);
        request.extensions_mut().insert(ConnectInfo(peer));
        call(&world.one.router, request).await.status.as_u16()
    };
    assert_eq!(send("2001:db8::1").await, 202);
    assert_eq!(send("2001:db8::2").await, 429);
    assert_eq!(send("2001:db8:0:1::1").await, 202);
}

#[tokio::test]
async fn batch_with_too_many_messages_is_refused() {
    let world = World::with(|config| config.max_events_per_second = 2).await;
    let text = "Too many messages to broadcast, please reduce the batch size";
    for messages in ["{},".repeat(100_000), "{\"topic\":1},".repeat(3)] {
        let body = format!(r#"{{"messages":[{}]}}"#, messages.trim_end_matches(','));
        let mut headers = world.personas.as_anon();
        headers.push(("content-type", "application/json".to_owned()));
        let answer = world.send("/api/broadcast", headers, body).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (429, json!({"message": text})));
    }
}

#[tokio::test]
async fn bodies_leave_memory_to_others() {
    let world = World::with(|config| {
        config.max_payload_kilobytes = 1;
        config.max_pending_kilobytes = 40;
    })
    .await;
    let send = async |body: String| {
        let path = "/api/broadcast/a/events/e";
        world.send(path, world.personas.as_anon(), body).await.status.as_u16()
    };
    assert_eq!(send(format!("{{}}{}", " ".repeat(12_000))).await, 429);
    assert_eq!(send("{}".to_owned()).await, 202);
    assert_eq!(send("x".repeat(9_000)).await, 400, "the memory of the first is free again");
}

#[tokio::test]
async fn topics_of_odd_characters_are_topics() {
    let world = World::new().await;
    world
        .sql(
            "create policy \"reads\" on realtime.messages for select to anon using (true);
            create policy \"writes\" on realtime.messages for insert to anon with check (true)",
        )
        .await;
    let mut client = world.client().await;
    for topic in ["\u{0}", "a\"b\\c", "\u{1f600}/%00?#", "' or 1=1 --", "\u{202e}\n\t", " "] {
        let full_topic = format!("realtime:{topic}");
        client.join(&full_topic, json!({})).await;
        let message = json!({"topic": topic, "event": topic, "payload": {"a": topic}});
        let body = json!({"messages": [message]});
        let answer = world.post("/api/broadcast", world.personas.as_anon(), &body).await;
        assert_eq!(answer.status.as_u16(), 202, "{topic:?}");
        let (event, payload) = client.event().await;
        assert_eq!((&*event, &payload["payload"]["a"]), ("broadcast", &json!(topic)));
        // PostgreSQL text cannot contain NUL, so nobody may read such a private channel.
        let payload = json!({"config": {"private": true}});
        let (_, reply) = world.client().await.try_join(&full_topic, payload).await;
        let expected = if topic == "\u{0}" { "error" } else { "ok" };
        assert_eq!(reply["status"], expected, "{topic:?} {reply}");
        if let Some(reason) = reply["response"]["reason"].as_str() {
            assert!(reason.starts_with("Unauthorized: "), "{reason}");
        }
    }
}
