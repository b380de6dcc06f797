//! Sockets that another part of the process accepted: they receive messages, send none, and close
//! when their terms end.

use compat_http::ListenerTerms;
use serde_json::json;

use crate::world::{TestFrame, World};

#[tokio::test]
async fn listener_receives_broadcasts_and_sends_none() {
    let world = World::new().await;
    let terms = ListenerTerms::default();
    let mut listener = world.one.listener(&world.personas.api_keys().anon, terms.clone()).await;
    let own = listener.join("realtime:room", json!({"broadcast": {"self": true}})).await;
    for event in ["broadcast", "presence"] {
        let payload = json!({"type": event, "event": "track", "payload": {}});
        listener.push(Some(&own), "realtime:room", event, payload).await;
        let (answer, reply) = listener.event().await;
        assert_eq!((&*answer, &reply["status"]), ("phx_reply", &json!("error")), "{reply}");
    }
    let mut client = world.client().await;
    let join = client.join("realtime:room", json!({})).await;
    let payload = json!({"type": "broadcast", "event": "cursor", "payload": {"x": 1}});
    client.push(Some(&join), "realtime:room", "broadcast", payload).await;
    let (event, payload) = listener.event().await;
    assert_eq!((&*event, &payload["payload"]), ("broadcast", &json!({"x": 1})));
}

#[tokio::test]
async fn listener_ends_when_its_terms_end() {
    let world = World::new().await;
    let terms = ListenerTerms::default();
    let mut listener = world.one.listener(&world.personas.api_keys().anon, terms.clone()).await;
    listener.join("realtime:room", json!({})).await;
    terms.end().cancel();
    assert_eq!(listener.next().await, TestFrame::Closed(1008, "The session is over".to_owned()));
}
