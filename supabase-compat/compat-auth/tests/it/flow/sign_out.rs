use http::{HeaderName, Method};
use serde_json::Value;

use crate::world::{World, assert_refused, text};

async fn sign_out(world: &World, session: &Value, scope: &str) -> compat_testkit::TestResponse {
    let headers = world.personas.as_bearer(text(session, "/access_token"));
    world.send(Method::POST, &format!("/logout{scope}"), headers, None).await
}

async fn is_in(world: &World, session: &Value) -> bool {
    let answer = world.get_as(text(session, "/access_token"), "/user").await;
    if answer.status != 200 {
        let text = "Session from session_id claim in JWT does not exist";
        assert_refused(&answer, 403, "session_not_found", text);
    }
    answer.status == 200
}

#[tokio::test]
async fn each_scope_ends_its_sessions_at_once() {
    for (scope, first_stays, second_stays) in [
        ("", false, false),
        ("?scope=global", false, false),
        ("?scope=local", false, true),
        ("?scope=others", true, false),
    ] {
        let world = World::new().await;
        let first = world.member("ada").await;
        let second = world.member("ada").await;
        let other_session = world.member("bob").await;
        let answer = sign_out(&world, &first, scope).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (204, ""), "{scope}");
        assert_eq!(is_in(&world, &first).await, first_stays, "{scope}");
        assert_eq!(is_in(&world, &second).await, second_stays, "{scope}");
        assert!(is_in(&world, &other_session).await);
    }
}

#[tokio::test]
async fn another_scope_is_refused_and_ends_nothing() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let answer = sign_out(&world, &session, "?scope=mine").await;
    assert_refused(&answer, 400, "validation_failed", "Unsupported logout scope \"mine\"");
    assert!(is_in(&world, &session).await);
}

#[tokio::test]
async fn refresh_tokens_fall_with_their_session() {
    let world = World::new().await;
    let session = world.member("ada").await;
    sign_out(&world, &session, "").await;
    let body = serde_json::json!({"refresh_token": session["refresh_token"]});
    let answer = world.post("/token?grant_type=refresh_token", body).await;
    let text = "Invalid Refresh Token: Refresh Token Not Found";
    assert_refused(&answer, 400, "refresh_token_not_found", text);
}

#[tokio::test]
async fn without_a_bearer_it_is_refused() {
    let world = World::new().await;
    let key = world.personas.api_keys().anon.clone();
    let headers = vec![(HeaderName::from_static("apikey").as_str().to_owned(), key)];
    let headers = headers.into_iter().map(|(_, value)| ("apikey", value)).collect();
    let answer = world.send(Method::POST, "/logout", headers, None).await;
    assert_refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
}
