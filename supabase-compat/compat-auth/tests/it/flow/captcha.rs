use std::time::Duration;

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use compat_auth::config::{CaptchaConfig, CaptchaProvider};
use http::Method;
use serde_json::{Value, json};

use crate::external_provider::ExternalProvider;
use crate::world::{PASSWORD, World, assert_refused};

async fn world(outside: &ExternalProvider) -> World {
    World::with(|config| {
        config.captcha = Some(CaptchaConfig {
            provider: CaptchaProvider::Turnstile,
            secret: "captcha-secret".into(),
            timeout: Duration::from_secs(5),
            siteverify_url: Some(format!("{}/siteverify", outside.url)),
        });
    })
    .await
}

fn with(token: &str) -> Value {
    json!({
        "email": "ada@example.test", "password": PASSWORD,
        "gotrue_meta_security": {"captcha_token": token},
    })
}

#[tokio::test]
async fn only_a_right_answer_opens_the_door() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let missing = "captcha protection: request disallowed (no captcha_token found)";
    for path in
        ["/signup", "/recover", "/resend", "/otp", "/magiclink", "/token?grant_type=password"]
    {
        for body in [json!({}), with(" ")] {
            assert_refused(&world.post(path, body).await, 400, "captcha_failed", missing);
        }
    }
    let wrong = "captcha protection: request disallowed (invalid-input-response)";
    assert_refused(&world.post("/signup", with("wrong")).await, 400, "captcha_failed", wrong);
    let broken = world.post("/signup", with("broken")).await;
    assert_refused(&broken, 500, "unexpected_failure", "captcha verification process failed");
    assert_eq!(world.post("/signup", with("right")).await.status, 200);
}

#[tokio::test]
async fn administrators_and_refreshes_are_not_asked() {
    let outside = ExternalProvider::start().await;
    let world = world(&outside).await;
    let body = json!({"email": "ada@example.test"});
    let headers = world.personas.as_service();
    assert_eq!(world.send(Method::POST, "/recover", headers, Some(body)).await.status, 200);
    let body = json!({"refresh_token": "abcdefghijkl"});
    let answer = world.post("/token?grant_type=refresh_token", body).await;
    assert_eq!(answer.json()["code"], "refresh_token_not_found");
}

async fn posing() -> World {
    World::with(|config| {
        config.captcha = Some(CaptchaConfig {
            provider: CaptchaProvider::Altcha,
            secret: "captcha-secret".into(),
            timeout: Duration::from_secs(5),
            siteverify_url: None,
        });
    })
    .await
}

/// Solves a challenge as the widget does.
async fn solved(world: &World, change: impl FnOnce(&mut Payload)) -> String {
    let answer = world.get("/captcha").await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let challenge: Challenge = serde_json::from_value(answer.json()).unwrap();
    let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).unwrap().unwrap();
    let mut payload = Payload { challenge, solution };
    change(&mut payload);
    STANDARD.encode(serde_json::to_vec(&payload).unwrap())
}

#[tokio::test]
async fn work_of_ones_own_opens_the_door_once() {
    let world = posing().await;
    let answer = solved(&world, |_| {}).await;
    assert_eq!(world.post("/signup", with(&answer)).await.status, 200);
    let spent = "captcha protection: request disallowed (timeout-or-duplicate)";
    assert_refused(&world.post("/recover", with(&answer)).await, 400, "captcha_failed", spent);
}

#[tokio::test]
async fn changed_late_and_foreign_answers_are_refused() {
    let world = posing().await;
    let wrong = "captcha protection: request disallowed (invalid-input-response)";
    let late = "captcha protection: request disallowed (timeout-or-duplicate)";
    for malformed in ["x", "e30=", &STANDARD.encode("[]"), &"A".repeat(5000)] {
        assert_refused(&world.post("/signup", with(malformed)).await, 400, "captcha_failed", wrong);
    }
    let forged = solved(&world, |payload| payload.challenge.parameters.cost = 1).await;
    assert_refused(&world.post("/signup", with(&forged)).await, 400, "captcha_failed", wrong);
    let foreign = solved(&world, |payload| payload.challenge.parameters.data = None).await;
    assert_refused(&world.post("/signup", with(&foreign)).await, 400, "captcha_failed", wrong);
    let answer = solved(&world, |_| {}).await;
    world.advance(601);
    assert_refused(&world.post("/signup", with(&answer)).await, 400, "captcha_failed", late);
}

#[tokio::test]
async fn challenges_come_only_from_where_they_are_judged() {
    let world = World::new().await;
    let answer = world.get("/captcha").await;
    assert_refused(&answer, 404, "feature_disabled", "Challenges are not issued here");
}
