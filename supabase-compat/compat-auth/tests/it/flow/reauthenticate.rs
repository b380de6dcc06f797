use serde_json::{Value, json};

use crate::world::{PASSWORD, World, assert_refused, text};

const ADA: &str = "ada@example.test";

/// A member whose session is two days old, so that a new password needs a code.
async fn strict() -> (World, String) {
    let world = World::with(|config| config.password.update_requires_reauthentication = true).await;
    let session = world.member("ada").await;
    world.run("update auth.sessions set created_at = created_at - interval '2 days'").await;
    (world, text(&session, "/access_token").to_owned())
}

async fn change(world: &World, token: &str, body: Value) -> compat_testkit::TestResponse {
    world.put_as(token, "/user", body).await
}

#[tokio::test]
async fn reauthentication_code_allows_one_password_change() {
    let (world, token) = strict().await;
    let new = json!({"password": "another password"});
    let refusal = change(&world, &token, new.clone()).await;
    let message = "Password update requires reauthentication";
    assert_refused(&refusal, 400, "reauthentication_needed", message);
    assert_eq!(world.get_as(&token, "/reauthenticate").await.text(), "{}");
    assert_eq!(world.mailbox.latest(ADA).unwrap().kind, "reauthentication");
    let code = world.code_to(ADA);
    let wrong = change(&world, &token, json!({"password": "another password", "nonce": "x"})).await;
    let message = "Nonce has expired or is invalid";
    assert_refused(&wrong, 422, "reauthentication_not_valid", message);
    let right = json!({"password": "another password", "nonce": code});
    assert_eq!(change(&world, &token, right).await.status, 200);
    let again = json!({"password": "a third password", "nonce": code});
    let spent = change(&world, &token, again).await;
    assert_refused(&spent, 422, "reauthentication_not_valid", message);
}

#[tokio::test]
async fn a_young_session_needs_no_code() {
    let world = World::with(|config| config.password.update_requires_reauthentication = true).await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let body = json!({"password": "another password"});
    assert_eq!(change(&world, token, body).await.status, 200);
}

#[tokio::test]
async fn reauthentication_code_is_rate_limited_and_expires() {
    let (world, token) = strict().await;
    assert_eq!(world.get_as(&token, "/reauthenticate").await.status, 200);
    let soon = world.get_as(&token, "/reauthenticate").await;
    let message = "For security purposes, you can only request this after 60 seconds.";
    assert_refused(&soon, 429, "over_email_send_rate_limit", message);
    let code = world.code_to(ADA);
    world
        .run("update auth.users set reauthentication_sent_at = reauthentication_sent_at - interval '2 days'")
        .await;
    let late = change(&world, &token, json!({"password": "another password", "nonce": code})).await;
    assert_eq!(late.json()["code"], "reauthentication_not_valid");
    assert_eq!(world.sign_in_as(ADA).await.status, 200);
}

#[tokio::test]
async fn account_without_verified_address_cannot_reauthenticate() {
    let world = World::with(|config| config.anonymous_users_enabled = true).await;
    let anonymous = world.post("/signup", json!({})).await.json();
    let answer = world.get_as(text(&anonymous, "/access_token"), "/reauthenticate").await;
    let message = "Reauthentication requires the user to have an email or a phone number";
    assert_refused(&answer, 400, "validation_failed", message);
    let world = World::with(|config| config.email.allow_unverified_sign_ins = true).await;
    world.post("/signup", json!({"email": ADA, "password": PASSWORD})).await;
    let session = world.sign_in("ada").await.json();
    let answer = world.get_as(text(&session, "/access_token"), "/reauthenticate").await;
    let message = "Please verify your email before reauthenticating.";
    assert_refused(&answer, 422, "email_not_confirmed", message);
    assert_eq!(world.get("/reauthenticate").await.json()["code"], "bad_jwt");
}
