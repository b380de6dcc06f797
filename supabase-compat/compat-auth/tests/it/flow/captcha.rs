use std::time::Duration;

use compat_auth::config::{CaptchaConfig, CaptchaProvider};
use http::Method;
use serde_json::{Value, json};

use crate::outside::Outside;
use crate::world::{PASSWORD, World, assert_refused};

async fn world(outside: &Outside) -> World {
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
    let outside = Outside::start().await;
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
    let outside = Outside::start().await;
    let world = world(&outside).await;
    let body = json!({"email": "ada@example.test"});
    let headers = world.personas.as_service();
    assert_eq!(world.send(Method::POST, "/recover", headers, Some(body)).await.status, 200);
    let body = json!({"refresh_token": "abcdefghijkl"});
    let answer = world.post("/token?grant_type=refresh_token", body).await;
    assert_eq!(answer.json()["code"], "refresh_token_not_found");
}
