//! Random input from a socket: the server responds or ignores it, the socket stays open, and other
//! clients are not disturbed.

use compat_testkit::property_test_async;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::Message;

use crate::world::{Client, TestFrame, World};

const EVENTS: [&str; 8] = [
    "phx_join",
    "phx_leave",
    "broadcast",
    "presence",
    "access_token",
    "heartbeat",
    "phx_close",
    "",
];
const TOPICS: [&str; 5] = ["realtime:a", "realtime:b", "realtime:", "phoenix", "a"];
/// Field names and values that have a meaning in payloads.
const WORDS: [&str; 24] = [
    "config",
    "broadcast",
    "ack",
    "self",
    "replay",
    "since",
    "limit",
    "presence",
    "key",
    "enabled",
    "event",
    "payload",
    "track",
    "untrack",
    "private",
    "true",
    "postgres_changes",
    "schema",
    "table",
    "filter",
    "select",
    "public",
    "notes",
    "access_token",
];

fn value() -> impl Strategy<Value = Value> {
    let word = || prop_oneof![3 => select(&WORDS[..]).prop_map(str::to_owned), 1 => ".{0,8}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word().prop_map(Value::from),
        filter().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((word(), inner), 0..6)
                .prop_map(|fields| fields.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// A valid or slightly invalid filter.
fn filter() -> impl Strategy<Value = String> {
    let columns = select(&["id", "word", "code", "price", "missing", ""][..]);
    let operators = select(
        &[
            "eq",
            "neq",
            "lt",
            "gte",
            "in",
            "like",
            "ilike",
            "match",
            "is",
            "isdistinct",
            "not.eq",
            "near",
        ][..],
    );
    let values = prop_oneof![
        r#"[a-z0-9.,()"\\%*+\[ -]{0,12}"#,
        ".{0,6}",
        "\\([a-z0-9,\"]{0,9}\\)",
        Just("null".to_owned()),
    ];
    let one = (columns, operators, values)
        .prop_map(|(column, operator, value)| format!("{column}={operator}.{value}"));
    vec(one, 1..3).prop_map(|all| all.join(","))
}

fn frame() -> impl Strategy<Value = Message> {
    let message = (select(&EVENTS[..]), select(&TOPICS[..]), value(), any::<Option<u8>>());
    let message = message.prop_map(|(event, topic, payload, reference)| {
        let reference = reference.map(|number| number.to_string());
        Message::text(json!(["1", reference, topic, event, payload]).to_string())
    });
    let binary = (0u8..6, vec(0u8..20, 0..7), vec(any::<u8>(), 0..60));
    let binary = binary
        .prop_map(|(kind, lengths, rest)| Message::binary([vec![kind], lengths, rest].concat()));
    prop_oneof![6 => message, 2 => binary, 1 => ".{0,40}".prop_map(Message::text)]
}

async fn world() -> World {
    World::with(|config| {
        config.max_joins_per_second = u32::MAX;
        config.max_events_per_second = 1_000_000;
        config.max_sockets_per_address = usize::MAX >> 4;
        config.client_presence_calls = u32::MAX;
    })
    .await
}

/// Waits for the reply to a heartbeat; other messages are skipped.
async fn answers(client: &mut Client) {
    let reference = client.push(None, "phoenix", "heartbeat", json!({"last": true})).await;
    loop {
        match client.next().await {
            TestFrame::Text(reply) if reply[1] == reference && reply[2] == "phoenix" => return,
            TestFrame::Closed(code, reason) => panic!("closed with {code}: {reason}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn random_frames_do_not_affect_other_sockets() {
    let world = world().await;
    let mut neighbour = world.client().await;
    let join_ref = neighbour.join("realtime:quiet", json!({"broadcast": {"self": true}})).await;
    let neighbour = Mutex::new(neighbour);
    property_test_async("frames of a socket", vec(frame(), 1..12), async |frames| {
        let mut client = world.client().await;
        for frame in frames {
            client.raw(frame).await;
        }
        answers(&mut client).await;
        let mut neighbour = neighbour.lock().await;
        neighbour.push(Some(&join_ref), "realtime:quiet", "broadcast", json!({"event": "e"})).await;
        assert_eq!(neighbour.event().await.0, "broadcast");
    })
    .await;
}

#[tokio::test]
async fn random_filters_are_taken_or_refused() {
    let world = world().await;
    world
        .sql(
            "create table notes (id int primary key, word text, code char(4), price numeric);
            grant select on notes to anon;
            alter publication supabase_realtime add table notes",
        )
        .await;
    let client = Mutex::new(world.client().await);
    property_test_async("filters of a join", filter(), async |filter| {
        let binding = json!({"event": "*", "schema": "public", "table": "notes", "filter": filter});
        let mut client = client.lock().await;
        let payload = json!({"config": {"postgres_changes": [binding]}});
        let join_ref = client.push(Some("j"), "realtime:any", "phx_join", payload).await;
        let mut is_replied = false;
        loop {
            let message = client.message().await;
            match message[3].as_str() {
                Some("phx_reply") if message[1] == join_ref => {
                    assert_eq!(message[4]["status"], "ok", "{message}");
                    is_replied = true;
                }
                Some("system") if is_replied => {
                    let text = message[4]["message"].as_str().expect("a text");
                    let is_known = text == "Subscribed to PostgreSQL"
                        || text.starts_with("Unable to subscribe to changes with given parameters");
                    assert!(is_known, "{text}");
                    break;
                }
                // A late message for the channel of the previous case.
                _ => {}
            }
        }
    })
    .await;
}
