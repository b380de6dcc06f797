use serde_json::json;

use crate::world::{World, assert_refused};

#[tokio::test]
async fn rate_limit_allows_thirty_requests_then_refills() {
    let world = World::with(|config| {
        config.limits.enabled = true;
        config.email.max_frequency = std::time::Duration::ZERO;
    })
    .await;
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
    let refusal = sign_up("bob").await;
    assert_refused(&refusal, 429, "over_email_send_rate_limit", "email rate limit exceeded");
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
    world.advance(3600);
    assert_eq!(sign_up("bob").await.status, 200);
    let never = World::with(|config| config.email.sent_per_hour = Some(0)).await;
    let body = json!({"email": "ada@example.test", "password": "correct horse"});
    assert_eq!(never.post("/signup", body).await.status, 429);
}
