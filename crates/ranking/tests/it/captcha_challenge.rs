//! The endpoint that issues challenges.

use std::time::Duration;

use ranking::RateLimitConfig;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{World, refusal, status_and_body};

#[tokio::test]
async fn challenge_is_server_bound_and_not_cached() {
    let world = World::new().await;
    let server = Uuid::from_u128(9);
    let path = format!("captcha-challenge?purpose=vote&server={server}");
    let answer = world.function("GET", &path, [203, 0, 113, 1].into(), &[], Value::Null).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["cache-control"]),
        (200, &"no-store".parse().expect("a value"))
    );
    let challenge = answer.json();
    let parameters = &challenge["parameters"];
    assert_eq!(parameters["data"], json!({ "purpose": "vote", "server": server }));
    assert_eq!(parameters["expiresAt"], world.clock().unix() + 600);
}

#[tokio::test]
async fn challenge_without_purpose_or_server_is_refused() {
    let world = World::new().await;
    let ask = |query: &'static str| {
        let path = format!("captcha-challenge?{query}");
        let world = &world;
        async move {
            let ip = [203, 0, 113, 1].into();
            status_and_body(&world.function("GET", &path, ip, &[], Value::Null).await)
        }
    };
    let purpose = refusal(400, "bad_request", "purpose must be `vote` or `notice`");
    let server = refusal(400, "bad_request", "server must be a UUID");
    assert_eq!(ask("").await, purpose);
    assert_eq!(ask("purpose=sign-in&server=6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a").await, purpose);
    assert_eq!(ask("purpose=vote").await, server);
    assert_eq!(ask("purpose=vote&server=%FF").await, server);
}

#[tokio::test]
async fn other_methods_are_not_answered() {
    let world = World::new().await;
    let answer = world
        .function("POST", "captcha-challenge", [203, 0, 113, 1].into(), &[], Value::Null)
        .await;
    let expected = refusal(405, "method_not_allowed", "Only GET is answered here");
    assert_eq!(status_and_body(&answer), expected);
    assert_eq!(answer.headers["allow"], "GET");
}

#[tokio::test]
async fn one_address_that_asks_too_often_waits() {
    let world = World::with(|config| {
        config.challenge_rate = RateLimitConfig { burst: 1, refill: Duration::from_secs(2) };
    })
    .await;
    let path = format!("captcha-challenge?purpose=vote&server={}", Uuid::nil());
    let ip = [203, 0, 113, 1].into();
    assert_eq!(world.function("GET", &path, ip, &[], Value::Null).await.status, 200);
    let second = world.function("GET", &path, ip, &[], Value::Null).await;
    let message = "Too many requests; please wait 2 seconds";
    assert_eq!(status_and_body(&second), refusal(429, "too_many_requests", message));
    world.clock().advance(Duration::from_secs(2));
    assert_eq!(world.function("GET", &path, ip, &[], Value::Null).await.status, 200);
}
