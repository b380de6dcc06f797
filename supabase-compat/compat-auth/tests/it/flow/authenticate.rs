use http::Method;
use serde_json::json;

use crate::world::{World, assert_refused, text};

#[tokio::test]
async fn the_guards_answer_in_their_order() {
    let world = World::new().await;
    let get = |headers| world.send(Method::GET, "/user", headers, None);
    let anon = &world.personas.api_keys().anon;
    let answer = get(vec![("apikey", anon.clone())]).await;
    assert_refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
    let answer = get(world.personas.as_bearer("not.a.token")).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.json()["code"], "bad_jwt");
    assert!(answer.json()["message"].as_str().unwrap().starts_with("invalid JWT"));
    let answer = get(world.personas.as_anon()).await;
    assert_refused(&answer, 403, "bad_jwt", "invalid claim: missing sub claim");
    let answer = get(world.personas.as_user_with("ada", json!({"sub": "ada"}))).await;
    assert_refused(&answer, 400, "bad_jwt", "invalid claim: sub claim must be a UUID");
    let answer = get(world.personas.as_user("ada")).await;
    assert_refused(&answer, 403, "user_not_found", "User from sub claim in JWT does not exist");
}

#[tokio::test]
async fn ban_refuses_requests_but_keeps_session() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.run("update auth.users set banned_until = now() + interval '1 year'").await;
    let answer = world.get_as(text(&session, "/access_token"), "/user").await;
    assert_refused(&answer, 403, "user_banned", "User is banned");
    world.run("update auth.users set banned_until = null").await;
    assert_eq!(world.get_as(text(&session, "/access_token"), "/user").await.status, 200);
}

#[tokio::test]
async fn session_of_another_user_is_refused() {
    let world = World::new().await;
    let ada = world.member("ada").await;
    let bob = world.member("bob").await;
    let claims = world
        .personas
        .keys()
        .verify(text(&bob, "/access_token"), world.personas.clock().unix())
        .unwrap();
    let mixed = json!({"sub": ada["user"]["id"], "session_id": claims.get("session_id")});
    let answer =
        world.send(Method::GET, "/user", world.personas.as_user_with("ada", mixed), None).await;
    assert_eq!(answer.json()["code"], "session_not_found");
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.advance(3600 + 31);
    let answer = world.get_as(text(&session, "/access_token"), "/user").await;
    let text = "invalid JWT: unable to parse or verify signature, JWT expired";
    assert_refused(&answer, 403, "bad_jwt", text);
}

#[tokio::test]
async fn opaque_key_does_not_override_the_user_token() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let publishable = world.personas.api_keys().publishable.clone();
    let headers = vec![("apikey", publishable.clone())];
    let answer = world.send(Method::GET, "/user", headers, None).await;
    assert_refused(&answer, 403, "bad_jwt", "invalid claim: missing sub claim");
    let headers = vec![
        ("apikey", publishable.clone()),
        ("authorization", format!("Bearer {}", text(&session, "/access_token"))),
    ];
    assert_eq!(world.send(Method::GET, "/user", headers, None).await.status, 200);
    let headers =
        vec![("apikey", publishable.clone()), ("authorization", format!("Bearer {publishable}"))];
    assert_eq!(world.send(Method::GET, "/user", headers, None).await.status, 403);
}
