use serde_json::json;

use crate::world::{World, assert_refused};

#[tokio::test]
async fn a_client_has_thirty_at_once_and_then_what_refills() {
    let world = World::with(|config| config.limits.enabled = true).await;
    let ask = || world.post("/recover", json!({"email": "nobody@example.test"}));
    for _ in 0..30 {
        assert_eq!(ask().await.status, 200);
    }
    assert_refused(&ask().await, 429, "over_request_rate_limit", "Request rate limit reached");
    let other =
        world.post("/resend", json!({"type": "signup", "email": "nobody@example.test"})).await;
    assert_eq!(other.status, 200);
    world.advance(10);
    assert_eq!(ask().await.status, 200);
    assert_eq!(ask().await.status, 429);
}

#[tokio::test]
async fn anonymous_people_are_counted_by_the_hour() {
    let world = World::with(|config| {
        config.limits.enabled = true;
        config.limits.otp = 3000;
        config.anonymous_users_enabled = true;
    })
    .await;
    for _ in 0..30 {
        assert_eq!(world.post("/signup", json!({})).await.status, 200);
        world.advance(1);
    }
    assert_eq!(world.post("/signup", json!({})).await.status, 429);
    world.advance(120);
    assert_eq!(world.post("/signup", json!({})).await.status, 200);
}

#[tokio::test]
async fn the_installation_sends_so_many_mails_an_hour() {
    let world = World::with(|config| config.email.sent_per_hour = Some(1)).await;
    let sign_up = |name: &str| {
        let body = json!({"email": format!("{name}@example.test"), "password": "correct horse"});
        let world = &world;
        async move { world.post("/signup", body).await }
    };
    assert_eq!(sign_up("ada").await.status, 200);
    let refused = sign_up("bob").await;
    assert_refused(&refused, 429, "over_email_send_rate_limit", "email rate limit exceeded");
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
    world.advance(3600);
    assert_eq!(sign_up("bob").await.status, 200);
    let never = World::with(|config| config.email.sent_per_hour = Some(0)).await;
    let body = json!({"email": "ada@example.test", "password": "correct horse"});
    assert_eq!(never.post("/signup", body).await.status, 429);
}

#[tokio::test]
async fn guesses_are_counted_per_account_and_only_when_they_fail() {
    let world = World::new().await;
    world.member("ada").await;
    for name in ["ada", "nobody"] {
        let email = format!("{name}@example.test");
        let wrong = || json!({"email": email, "password": "wrong"});
        for _ in 0..30 {
            let answer = world.post("/token?grant_type=password", wrong()).await;
            assert_eq!(answer.json()["code"], "invalid_credentials");
        }
        let answer = world.post("/token?grant_type=password", wrong()).await;
        assert_refused(&answer, 429, "over_request_rate_limit", "Request rate limit reached");
    }
    assert_eq!(world.sign_in("ada").await.status, 429);
    world.advance(11);
    for _ in 0..5 {
        assert_eq!(world.sign_in("ada").await.status, 200);
    }
}

#[tokio::test]
async fn codes_cannot_be_tried_until_one_fits() {
    let world = World::new().await;
    world.member("ada").await;
    world.post("/recover", json!({"email": "ada@example.test"})).await;
    let right = world.code_to("ada@example.test");
    let verify = |code: &str| {
        let body = json!({"type": "recovery", "email": "ada@example.test", "token": code});
        let world = &world;
        async move { world.post("/verify", body).await }
    };
    for _ in 0..10 {
        assert_eq!(verify("wrong").await.json()["code"], "otp_expired");
    }
    assert_eq!(verify(&right).await.json()["code"], "over_request_rate_limit");
    world.advance(361);
    assert_eq!(verify(&right).await.status, 200);
}
