//! Limits, idle sockets, slow readers, and the shutdown of the process.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;

use crate::world::{Client, TestFrame, World};

#[tokio::test]
async fn messages_beyond_the_limit_close_the_channel() {
    let world = World::with(|config| config.max_events_per_second = 3).await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({})).await;
    for _ in 0..4 {
        client.push(Some(&join_ref), "realtime:a", "broadcast", json!({"event": "e"})).await;
    }
    let (event, payload) = client.event().await;
    assert_eq!((&*event, &payload["message"]), ("system", &json!("Too many messages per second")));
    assert_eq!(client.event().await.0, "phx_close");
}

#[tokio::test]
async fn joins_beyond_the_limit_close_the_socket() {
    let world = World::with(|config| config.max_joins_per_second = 1).await;
    let mut client = world.client().await;
    client.push(Some("1"), "realtime:a", "phx_join", json!({})).await;
    client.push(Some("2"), "realtime:b", "phx_join", json!({})).await;
    let text = "ClientJoinRateLimitReached: Too many joins per second";
    let mut replies = Vec::new();
    let end = loop {
        match client.next().await {
            TestFrame::Text(reply) => replies.push(reply),
            end => break end,
        }
    };
    assert!(matches!(end, TestFrame::Closed(1008, _)), "{end:?}");
    let refusal = |reply: &serde_json::Value| reply[4]["response"]["reason"] == text;
    assert!(replies.iter().any(refusal), "{replies:?}");
}

#[tokio::test]
async fn close_reason_names_the_limit() {
    let world = World::with(|config| config.max_joins_per_second = 1).await;
    let mut client = world.client().await;
    // The second join may wait until the first one ends.
    client.push(Some("1"), "realtime:", "phx_join", json!({})).await;
    client.push(Some("2"), "realtime:", "phx_join", json!({})).await;
    let end = loop {
        match client.next().await {
            TestFrame::Text(_) => {}
            end => break end,
        }
    };
    assert_eq!(end, TestFrame::Closed(1008, "Too many joins per second".to_owned()));
}

#[tokio::test]
async fn bytes_beyond_the_limit_close_the_socket() {
    let world = World::with(|config| config.max_bytes_per_second = 1_000).await;
    let mut client = world.client().await;
    client.assert_no_message().await;
    client.text(&" ".repeat(1_001)).await;
    let end = TestFrame::Closed(1008, "Too many bytes per second".to_owned());
    assert_eq!(client.next().await, end);
}

#[tokio::test]
async fn sockets_of_an_address_are_limited() {
    let world = World::with(|config| config.max_sockets_per_address = 1).await;
    let client = world.client().await;
    let query = format!("apikey={}&vsn=2.0.0", world.personas.api_keys().anon);
    let refusal = world.one.open(&query).await.err().expect("refused");
    let Error::Http(answer) = refusal else { panic!("{refusal}") };
    assert_eq!(answer.status(), 429);
    drop(client);
    while world.one.state.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    world.client().await.assert_no_message().await;
}

#[tokio::test]
async fn presences_of_a_channel_are_bounded() {
    let world = World::with(|config| config.max_channel_presence_kilobytes = 1).await;
    let (mut one, mut other) = (world.client().await, world.client().await);
    let one_ref = one.join("realtime:a", json!({})).await;
    let other_ref = other.join("realtime:a", json!({})).await;
    let track = json!({"event": "track", "payload": {"a": "x".repeat(600)}});
    one.push(Some(&one_ref), "realtime:a", "presence", track.clone()).await;
    while one.event().await.0 != "phx_reply" {}
    assert_eq!(other.event().await.0, "presence_diff");
    other.push(Some(&other_ref), "realtime:a", "presence", track.clone()).await;
    let refusal = loop {
        let (event, payload) = other.event().await;
        if event == "phx_reply" {
            break payload;
        }
    };
    let reason = json!({"reason": "Too much is tracked by presence"});
    assert_eq!(refusal, json!({"status": "error", "response": reason}));
    one.assert_no_message().await;
    one.push(Some(&one_ref), "realtime:a", "presence", json!({"event": "untrack"})).await;
    assert_eq!(other.event().await.0, "presence_diff");
    other.push(Some(&other_ref), "realtime:a", "presence", track).await;
    assert_eq!(other.event().await.0, "presence_diff");
    assert_eq!(other.event().await.1["status"], "ok");
}

/// The payload of the next reply; other messages are skipped.
async fn reply(client: &mut Client) -> Value {
    loop {
        let (event, payload) = client.event().await;
        if event == "phx_reply" {
            return payload;
        }
    }
}

#[tokio::test]
async fn one_address_leaves_presences_to_others() {
    let world = World::with(|config| {
        config.max_presence_kilobytes = 1;
        config.max_channel_presence_kilobytes = 8;
    })
    .await;
    // Two of these payloads are about a quarter of the channel's limit.
    let track = json!({"event": "track", "payload": {"a": "x".repeat(800)}});
    let mut clients = Vec::new();
    for expected in ["ok", "ok", "error"] {
        let mut client = world.client().await;
        let join_ref = client.join("realtime:a", json!({})).await;
        client.push(Some(&join_ref), "realtime:a", "presence", track.clone()).await;
        assert_eq!(reply(&mut client).await["status"], expected);
        clients.push((client, join_ref));
    }
    let (first, first_ref) = &mut clients[0];
    first
        .push(Some(first_ref.as_str()), "realtime:a", "presence", json!({"event": "untrack"}))
        .await;
    assert_eq!(reply(first).await["status"], "ok");
    let (last, last_ref) = &mut clients[2];
    last.push(Some(last_ref.as_str()), "realtime:a", "presence", track).await;
    assert_eq!(reply(last).await["status"], "ok");
}

#[tokio::test]
async fn one_address_leaves_memory_to_others() {
    let world = World::with(|config| {
        config.join_backoff = Duration::from_secs(600);
        config.max_payload_kilobytes = 1;
        config.max_pending_kilobytes = 40;
    })
    .await;
    // Short enough that it does not count as an unfinished message while it arrives.
    let payload = json!({"event": "e", "payload": "x".repeat(3_800)});
    let mut first = world.client().await;
    // The rejection of this join is delayed, so that its channel is busy.
    first.push(Some("1"), "realtime:", "phx_join", json!({})).await;
    first.push(Some("1"), "realtime:", "broadcast", payload.clone()).await;
    first.push(Some("1"), "realtime:", "broadcast", payload.clone()).await;
    first.assert_no_message().await;
    let mut second = world.client().await;
    second.push(Some("1"), "realtime:", "phx_join", json!({})).await;
    second.push(Some("1"), "realtime:", "broadcast", payload).await;
    let end = TestFrame::Closed(1008, "Too many messages per second".to_owned());
    assert_eq!(second.next().await, end);
    let long = json!({"config": {"presence": {"key": "k".repeat(9_000)}}});
    let mut third = world.client().await;
    third.push(Some("1"), "realtime:a", "phx_join", long.clone()).await;
    let end = TestFrame::Closed(1013, "Too many unfinished messages are kept".to_owned());
    assert_eq!(third.next().await, end);
    drop((first, second, third));
    while world.one.state.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    let (_, answer) = world.client().await.try_join("realtime:a", long).await;
    assert_eq!(answer["status"], "ok", "{answer}");
}

#[tokio::test]
async fn silent_sockets_are_closed() {
    let world = World::with(|config| config.silence_timeout = Duration::from_millis(80)).await;
    let mut client = world.client().await;
    client.push(Some("1"), "realtime:a", "phx_join", json!({})).await;
    let end = loop {
        match client.next().await {
            TestFrame::Text(_) => {}
            end => break end,
        }
    };
    assert!(matches!(end, TestFrame::Closed(1000, _)), "{end:?}");
    let world = World::with(|config| config.no_channel_timeout = Duration::from_millis(80)).await;
    let mut client = world.client().await;
    assert!(matches!(client.next().await, TestFrame::Closed(1000, _)));
}

#[tokio::test]
async fn slow_reader_is_disconnected_without_affecting_others() {
    let world = World::with(|config| {
        config.max_events_per_second = 1_000_000;
        config.max_bytes_per_second = u32::MAX;
        config.queue_frames = 64;
    })
    .await;
    let (mut sender, mut reader) = (world.client().await, world.client().await);
    let mut slow = world.client().await;
    let join_ref = sender.join("realtime:a", json!({})).await;
    reader.join("realtime:a", json!({})).await;
    slow.join("realtime:a", json!({})).await;
    let payload = json!({"event": "e", "payload": "x".repeat(100_000)});
    while world.one.state.counts().slow_readers == 0 {
        sender.push(Some(&join_ref), "realtime:a", "broadcast", payload.clone()).await;
        assert_eq!(reader.event().await.0, "broadcast");
    }
    while world.one.state.counts().sockets > 2 {
        tokio::task::yield_now().await;
    }
    sender.push(Some(&join_ref), "realtime:a", "broadcast", payload.clone()).await;
    assert_eq!(reader.event().await.0, "broadcast");
    let end = loop {
        match slow.next().await {
            TestFrame::Text(_) => {}
            end => break end,
        }
    };
    assert!(matches!(end, TestFrame::Closed(1013 | 1006, _)), "{end:?}");
}

#[tokio::test]
async fn stopping_process_sends_its_clients_elsewhere() {
    let world = World::new().await;
    let mut client = world.client().await;
    client.join("realtime:a", json!({})).await;
    world.one.stop.cancel();
    let end = TestFrame::Closed(1001, "Server is shutting down".to_owned());
    assert_eq!(client.next().await, end);
    let key = &world.personas.api_keys().anon;
    assert!(world.one.open(&format!("vsn=2.0.0&apikey={key}")).await.is_err());
}

#[tokio::test]
async fn counts_follow_the_events() {
    let world = World::new().await;
    let mut client = world.client().await;
    let join_ref = client.join("realtime:a", json!({"broadcast": {"self": true}})).await;
    client.push(Some(&join_ref), "realtime:a", "broadcast", json!({"event": "e"})).await;
    client.event().await;
    let counts = world.one.state.counts();
    assert_eq!((counts.sockets, counts.channels, counts.joins), (1, 1, 1));
    assert_eq!((counts.broadcasts, counts.deliveries, counts.slow_readers), (1, 1, 0));
    drop(client);
    while world.one.state.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.one.state.counts().channels, 0);
}

#[tokio::test]
async fn flood_for_a_busy_channel_closes_the_socket() {
    let world = World::with(|config| {
        config.join_backoff = Duration::from_secs(600);
        config.queue_bytes = 10_000;
    })
    .await;
    let mut client = world.client().await;
    // The rejection of this join is delayed, so that its channel is busy.
    client.push(Some("1"), "realtime:", "phx_join", json!({})).await;
    let payload = json!({"event": "e", "payload": "x".repeat(6_000)});
    client.push(Some("1"), "realtime:", "broadcast", payload.clone()).await;
    client.assert_no_message().await;
    client.push(Some("1"), "realtime:", "broadcast", payload).await;
    let end = TestFrame::Closed(1008, "Too many messages per second".to_owned());
    assert_eq!(client.next().await, end);
}

#[tokio::test]
async fn long_names_count_for_a_busy_channel() {
    let world = World::with(|config| {
        config.join_backoff = Duration::from_secs(600);
        config.queue_bytes = 10_000;
    })
    .await;
    let mut client = world.client().await;
    client.push(Some("1"), "realtime:", "phx_join", json!({})).await;
    client.push(Some("1"), "realtime:", &"e".repeat(20_000), json!({})).await;
    let end = TestFrame::Closed(1008, "Too many messages per second".to_owned());
    assert_eq!(client.next().await, end);
}

#[tokio::test]
async fn oversized_joins_are_refused_and_keep_nothing() {
    let world = World::new().await;
    let mut client = world.client().await;
    let key = "k".repeat(300_000);
    let payload = json!({"config": {"presence": {"key": key}}});
    let (_, reply) = client.try_join("realtime:a", payload).await;
    let reason = "InvalidJoinPayload: The join is too large";
    assert_eq!(reply, json!({"status": "error", "response": {"reason": reason}}));
    let bindings: Vec<_> = (0..101).map(|n| json!({"table": format!("t{n}")})).collect();
    let payload = json!({"config": {"postgres_changes": bindings}});
    let (_, reply) = client.try_join("realtime:a", payload).await;
    let reason = "InvalidJoinPayload: Too many bindings of postgres_changes";
    assert_eq!(reply, json!({"status": "error", "response": {"reason": reason}}));
    client.join("realtime:a", json!({})).await;
    assert_eq!(world.one.state.counts().channels, 1);
}

/// A frame that announces `length` bytes, with only `sent_length` of them.
fn unfinished_frame(first: u8, length: u64, sent_length: usize) -> Vec<u8> {
    let mut bytes = vec![first, 0xff];
    bytes.extend(length.to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(vec![b' '; sent_length]);
    bytes
}

#[tokio::test]
async fn unfinished_messages_leave_memory_to_others() {
    let world = World::with(|config| {
        config.max_payload_kilobytes = 1;
        config.max_pending_kilobytes = 160;
    })
    .await;
    let mut first = world.client().await;
    first.bytes(&unfinished_frame(0x81, 4_000_000, 30_000)).await;
    // Fragments without a final one, which are buffered as well.
    let mut second = world.client().await;
    let end = TestFrame::Closed(1013, "Too many unfinished messages are kept".to_owned());
    for _ in 0..10 {
        second.bytes(&unfinished_frame(0x01, 5_000, 5_000)).await;
        second.bytes(&unfinished_frame(0x00, 0, 0)).await;
    }
    assert!(matches!(second.next().await, TestFrame::Closed(1002, _)), "two texts at once");
    let mut second = world.client().await;
    second.bytes(&unfinished_frame(0x01, 5_000, 5_000)).await;
    for _ in 0..10 {
        second.bytes(&unfinished_frame(0x00, 5_000, 5_000)).await;
    }
    assert_eq!(second.next().await, end);
    drop(first);
    while world.one.state.counts().sockets > 0 {
        tokio::task::yield_now().await;
    }
    let mut third = world.client().await;
    third
        .text(&format!("{}{}", " ".repeat(35_000), json!([null, "1", "phoenix", "heartbeat", {}])))
        .await;
    assert_eq!(third.event().await.0, "phx_reply");
}

#[tokio::test]
async fn wrong_frames_end_the_socket_with_a_reason() {
    let world = World::new().await;
    for (frame, code) in [
        (unfinished_frame(0x81, 5_000_001, 0), 1009),
        (unfinished_frame(0x81, u64::MAX, 0), 1009),
        (unfinished_frame(0x83, 1, 1), 1002),
        (unfinished_frame(0x8b, 1, 1), 1002),
        (unfinished_frame(0xc1, 1, 1), 1002),
        (unfinished_frame(0x80, 1, 1), 1002),
        (unfinished_frame(0x09, 1, 1), 1002),
        (unfinished_frame(0x89, 126, 126), 1002),
        (vec![0x81, 0x01, b'a'], 1002),
        (vec![0x81, 0x81, 0, 0, 0, 0, 0xff], 1007),
    ] {
        let mut client = world.client().await;
        client.bytes(&frame).await;
        let end = client.next().await;
        assert!(matches!(end, TestFrame::Closed(it, _) if it == code), "{frame:?}: {end:?}");
    }
}

#[tokio::test]
async fn messages_in_fragments_are_whole_again() {
    let world = World::new().await;
    let mut client = world.client().await;
    let text = json!([null, "1", "phoenix", "heartbeat", {"é": "é".repeat(20_000)}]).to_string();
    // The cuts may split a two-byte character.
    let mut pieces = text.as_bytes().chunks(4_999).peekable();
    let mut first = 0x01;
    while let Some(piece) = pieces.next() {
        let last = if pieces.peek().is_none() { 0x80 } else { 0 };
        let mut frame = unfinished_frame(first | last, piece.len() as u64, 0);
        frame.extend(piece);
        client.bytes(&frame).await;
        // A ping may arrive between fragments.
        client.bytes(&unfinished_frame(0x89, 2, 2)).await;
        first = 0;
    }
    assert_eq!(client.event().await.0, "phx_reply");
    client.assert_no_message().await;
}

#[tokio::test]
async fn flood_of_empty_frames_closes_the_socket() {
    let world = World::with(|config| {
        config.max_frames_per_second = 10;
        config.max_events_per_second = 1;
    })
    .await;
    let mut client = world.client().await;
    client.bytes(&[0x89, 0x80, 0, 0, 0, 0].repeat(5_000)).await;
    let end = TestFrame::Closed(1008, "Too many messages per second".to_owned());
    assert_eq!(client.next().await, end);
}

#[tokio::test]
async fn unread_replies_leave_memory_to_others() {
    let world = World::with(|config| {
        config.max_payload_kilobytes = 1;
        config.max_unread_kilobytes = 4_000;
        config.max_bytes_per_second = u32::MAX;
        config.send_timeout = Duration::from_secs(600);
    })
    .await;
    // Replies repeat the client's reference, and the client reads none.
    let heartbeat = json!([null, "r".repeat(500_000), "phoenix", "heartbeat", {}]).to_string();
    let mut frame = unfinished_frame(0x81, heartbeat.len() as u64, 0);
    frame.extend(heartbeat.as_bytes());
    let frame: Arc<[u8]> = frame.into();
    for _ in 0..8 {
        let (mut client, frame) = (world.client().await, Arc::clone(&frame));
        tokio::spawn(async move { while client.bytes(&frame).await {} });
    }
    while world.one.state.counts().slow_readers == 0 {
        tokio::task::yield_now().await;
    }
    world.client().await.assert_no_message().await;
}

#[tokio::test]
async fn unread_broadcasts_count_for_their_sender() {
    let world = World::with(|config| {
        config.max_payload_kilobytes = 500;
        config.max_unread_kilobytes = 4_000;
        config.max_bytes_per_second = u32::MAX;
        config.max_events_per_second = 1_000_000;
        config.send_timeout = Duration::from_secs(600);
    })
    .await;
    let payload = json!({"event": "e", "payload": "x".repeat(400_000)});
    let (mut sender, mut slow) = (world.client().await, world.client().await);
    let join_ref = sender.join("realtime:a", json!({"broadcast": {"ack": true}})).await;
    slow.join("realtime:a", json!({})).await;
    let reason = loop {
        sender.push(Some(&join_ref), "realtime:a", "broadcast", payload.clone()).await;
        match sender.event().await {
            (event, payload) if event == "system" => break payload["message"].clone(),
            (event, _) => assert_eq!(event, "phx_reply"),
        }
    };
    assert_eq!(reason, "Too many messages per second");
    assert_eq!(world.one.state.counts().sockets, 2, "neither is closed");
    let message = json!({"topic": "a", "event": "e", "payload": {"a": "x".repeat(400_000)}});
    let body = json!({"messages": [message]});
    let send = async || {
        let answer = world.post("/api/broadcast", world.personas.as_anon(), &body).await;
        answer.status.as_u16()
    };
    assert_eq!(send().await, 429);
    drop(slow);
    while world.one.state.counts().sockets > 1 {
        tokio::task::yield_now().await;
    }
    assert_eq!(send().await, 202);
}
