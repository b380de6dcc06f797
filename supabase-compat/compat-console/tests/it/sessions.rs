//! Signing in and out, and the lifetime of sessions.

use std::time::Duration;

use http::Method;
use serde_json::json;
use totp_rs::{Builder, Secret};

use crate::world::{OWNER, PASSWORD, World, of, refusal};

#[tokio::test]
async fn session_expires_after_inactivity_and_maximum_age() {
    let world = World::new().await;
    let owner = world.owner().await;
    for _ in 0..6 {
        world.personas.advance(Duration::from_secs(119 * 60));
        assert_eq!(owner.get("/session").await.status, 200);
    }
    world.personas.advance(Duration::from_secs(6 * 60));
    assert_eq!(refusal(&owner.get("/session").await), of(401, "not_signed_in"));
    let mut other = world.browser();
    assert_eq!(other.sign_in(OWNER, PASSWORD).await.status, 200);
    world.personas.advance(Duration::from_secs(2 * 60 * 60));
    assert_eq!(refusal(&other.get("/overview").await), of(401, "not_signed_in"));
}

#[tokio::test]
async fn sign_out_ends_session_and_expires_cookie() {
    let world = World::new().await;
    let owner = world.owner().await;
    let answer = owner.delete("/session").await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(refusal(&owner.get("/session").await), of(401, "not_signed_in"));
}

#[tokio::test]
async fn cookie_is_hidden_from_scripts_and_other_sites() {
    let world = World::new().await;
    world.owner().await;
    let answer = world.browser().sign_in(OWNER, PASSWORD).await;
    let cookie = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/console"] {
        assert!(cookie.contains(part), "{cookie}");
    }
}

#[tokio::test]
async fn wrong_passwords_and_unknown_addresses_are_answered_alike() {
    let world = World::new().await;
    world.owner().await;
    let wrong = world.browser().sign_in(OWNER, "another password").await;
    let unknown = world.browser().sign_in("eve@example.test", PASSWORD).await;
    assert_eq!(refusal(&wrong), of(401, "invalid_credentials"));
    assert_eq!(wrong.json(), unknown.json());
}

#[tokio::test]
async fn failed_sign_ins_are_rate_limited() {
    let world = World::new().await;
    world.owner().await;
    for _ in 0..5 {
        let answer = world.browser().sign_in(OWNER, "another password").await;
        assert_eq!(refusal(&answer), of(401, "invalid_credentials"));
    }
    let answer = world.browser().sign_in(OWNER, PASSWORD).await;
    assert_eq!(refusal(&answer), of(429, "too_many_attempts"));
    assert_eq!(answer.header("retry-after"), "60");
    world.personas.advance(Duration::from_secs(60));
    assert_eq!(world.browser().sign_in(OWNER, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn new_password_ends_the_other_sessions() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut other = world.browser();
    other.sign_in(OWNER, PASSWORD).await;
    let wrong = json!({"current": "another password", "new": "a whole new password"});
    assert_eq!(refusal(&owner.put("/password", wrong).await), of(403, "wrong_password"));
    let weak = json!({"current": PASSWORD, "new": "short"});
    assert_eq!(refusal(&owner.put("/password", weak).await), of(422, "weak_password"));
    let body = json!({"current": PASSWORD, "new": "a whole new password"});
    assert_eq!(owner.put("/password", body).await.status, 204);
    assert_eq!(owner.get("/session").await.status, 200);
    assert_eq!(refusal(&other.get("/session").await), of(401, "not_signed_in"));
    assert_eq!(other.sign_in(OWNER, "a whole new password").await.status, 200);
}

pub fn code_of(secret: &str, unix: i64) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    totp.generate(unix.unsigned_abs()).to_string()
}

#[tokio::test]
async fn second_factor_is_required_with_single_use_codes() {
    let world = World::new().await;
    let owner = world.owner().await;
    let enrolment = owner.post("/second-factor", json!({})).await.json();
    let secret = enrolment["secret"].as_str().unwrap();
    assert!(enrolment["uri"].as_str().unwrap().starts_with("otpauth://totp/"));
    let wrong = owner.post("/second-factor/confirmation", json!({"code": "abc"})).await;
    assert_eq!(refusal(&wrong), of(403, "wrong_code"));
    let code = code_of(secret, world.personas.clock().unix());
    let confirmed = owner.post("/second-factor/confirmation", json!({"code": code})).await;
    assert_eq!(confirmed.status, 204);
    let again = owner.post("/second-factor", json!({})).await;
    assert_eq!(refusal(&again), of(409, "second_factor_exists"));

    let mut other = world.browser();
    assert_eq!(refusal(&other.sign_in(OWNER, PASSWORD).await), of(401, "code_required"));
    let with = |code: &str| json!({"email": OWNER, "password": PASSWORD, "code": code});
    let used = other.sign_in_at("/session", with(&code)).await;
    assert_eq!(refusal(&used), of(401, "invalid_credentials"), "the code was used");
    world.personas.advance(Duration::from_secs(300));
    let code = code_of(secret, world.personas.clock().unix());
    assert_eq!(other.sign_in_at("/session", with(&code)).await.status, 200);

    let removed = |password: &str| {
        let body = json!({"password": password});
        let other = &other;
        async move { other.send(Method::DELETE, "/second-factor", Some(body), &[]).await }
    };
    assert_eq!(refusal(&removed("another password").await), of(403, "wrong_password"));
    assert_eq!(removed(PASSWORD).await.status, 204);
    world.personas.advance(Duration::from_secs(300));
    assert_eq!(world.browser().sign_in(OWNER, PASSWORD).await.status, 200);
}
