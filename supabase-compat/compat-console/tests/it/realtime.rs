//! Listening sockets: the accepted origins, and the roles.

use compat_testkit::TestResponse;
use compat_token::Credentials;
use http::Method;
use serde_json::json;

use crate::services::last_call;
use crate::world::{Browser, World, of, refusal};

const PATH: &str = "/realtime/websocket?vsn=2.0.0";

async fn open(browser: &Browser<'_>, path: &str) -> TestResponse {
    browser.send(Method::GET, path, None, &[("sec-websocket-version", "13")]).await
}

/// The address, role and subject of the last opened socket.
fn last_socket(world: &World) -> (String, String, String) {
    let (_, address, headers) = world.calls.lock().unwrap().last().cloned().expect("a call");
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    for name in ["cookie", "origin", "authorization", "apikey", "x-console-request"] {
        assert_eq!(text(name), None, "{name}");
    }
    assert_eq!(text("sec-websocket-version"), Some("13"));
    let environment = world.personas.environment();
    let credentials = Credentials { apikey: text("x-api-key"), authorization: None };
    let caller = environment.authenticator.caller(credentials, environment.clock.unix()).unwrap();
    let sub = caller.claims().unwrap().sub_text().unwrap_or_default().to_owned();
    (address, caller.role().to_owned(), sub)
}

#[tokio::test]
async fn socket_opens_with_the_chosen_role() {
    let world = World::new().await;
    let owner = world.owner().await;
    for (query, role) in
        [("", "service_role"), ("&role=anon", "anon"), ("&role=authenticated", "authenticated")]
    {
        assert_eq!(open(&owner, &format!("{PATH}{query}")).await.status, 200, "{query}");
        let (address, used, _) = last_socket(&world);
        assert_eq!((&*address, &*used), ("/realtime/v1/websocket?vsn=2.0.0", role));
        assert!(world.terms.lock().unwrap().is_some(), "it may say nothing");
    }
    let before = world.calls.lock().unwrap().len();
    for query in ["&role=service_role", "&role=postgres", "&user=me"] {
        let answer = open(&owner, &format!("{PATH}{query}")).await;
        assert_eq!(refusal(&answer), of(400, "invalid_request"), "{query}");
    }
    let answer = open(&owner, "/realtime/websocket?vsn=2%26apikey=x").await;
    assert_eq!(refusal(&answer), of(400, "invalid_request"));
    assert_eq!(world.calls.lock().unwrap().len(), before);
}

#[tokio::test]
async fn no_other_page_opens_a_socket() {
    let world = World::new().await;
    let owner = world.owner().await;
    for origin in ["https://evil.example", "http://localhost:3000", "null"] {
        let answer = owner.send(Method::GET, PATH, None, &[("origin", origin)]).await;
        assert_eq!(refusal(&answer), of(403, "cross_site_request"), "{origin}");
    }
    assert!(world.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn reader_cannot_choose_role_or_broadcast() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    assert_eq!(open(&reader, PATH).await.status, 200);
    let answer = open(&reader, &format!("{PATH}&role=anon")).await;
    assert_eq!(refusal(&answer), of(403, "forbidden"));
    let path = "/services/realtime/v1/api/broadcast";
    let messages = json!({"messages": [{"topic": "room", "event": "e", "payload": {}}]});
    assert_eq!(refusal(&reader.post(path, messages.clone()).await), of(403, "forbidden"));
    assert_eq!(owner.post(path, messages.clone()).await.status, 200);
    let role = [("x-console-role", "anon")];
    owner.send(Method::POST, path, Some(messages), &role).await;
    let (address, role, _) = last_call(&world);
    assert_eq!((&*address, &*role), ("/realtime/v1/api/broadcast", "anon"));
}

#[tokio::test]
async fn socket_ends_with_its_session_or_its_role() {
    let world = World::new().await;
    let owner = world.owner().await;
    let cy = world.invited(&owner, "developer", "cy@example.test").await;
    let terms = || world.terms.lock().unwrap().take().expect("a socket");
    open(&owner, PATH).await;
    let of_owner = terms();
    open(&cy, PATH).await;
    let of_cy = terms();
    let list = owner.get("/operators").await.json();
    let operators = list["operators"].as_array().unwrap();
    let cy_row = operators.iter().find(|one| one["email"] == "cy@example.test").unwrap();
    let path = format!("/operators/{}", cy_row["id"].as_str().unwrap());
    assert!(owner.patch(&path, json!({"role": "read_only"})).await.status.is_success());
    of_cy.ended().await;
    assert!(!of_owner.end().is_cancelled());
    assert_eq!(owner.delete("/session").await.status, 204);
    of_owner.ended().await;
}
