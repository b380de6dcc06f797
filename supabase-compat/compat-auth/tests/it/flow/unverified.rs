//! A person who signs up with another person's address loses all access once its owner proves it.

use http::Method;
use serde_json::{Value, json};

use crate::world::{PASSWORD, World, text};

const ADA: &str = "ada@example.test";
const THEIRS: &str = "the thief's password";

async fn with_a_thief() -> World {
    let world = World::new().await;
    let answer = world.post("/signup", json!({"email": ADA, "password": THEIRS})).await;
    assert_eq!(answer.status, 200);
    world.advance(61);
    world
}

async fn password(world: &World, password: &str) -> u16 {
    let body = json!({"email": ADA, "password": password});
    world.post("/token?grant_type=password", body).await.status.as_u16()
}

async fn follow_the_link(world: &World) {
    let followed = world.get(&world.link_to(ADA)).await;
    assert!(followed.header("location").contains("#access_token="));
}

#[tokio::test]
async fn confirmed_sign_up_replaces_earlier_unverified_password() {
    let world = with_a_thief().await;
    world.post("/signup", json!({"email": ADA, "password": PASSWORD})).await;
    follow_the_link(&world).await;
    assert_eq!((password(&world, THEIRS).await, password(&world, PASSWORD).await), (400, 200));
}

#[tokio::test]
async fn a_code_to_the_owner_leaves_no_password() {
    let world = with_a_thief().await;
    world.post("/otp", json!({"email": ADA})).await;
    let body = json!({"type": "email", "email": ADA, "token": world.code_to(ADA)});
    assert_eq!(world.post("/verify", body).await.status, 200);
    assert_eq!(password(&world, THEIRS).await, 400);
}

#[tokio::test]
async fn recovery_clears_unverified_password_and_sessions() {
    let world = World::with(|config| config.email.allow_unverified_sign_ins = true).await;
    world.post("/signup", json!({"email": ADA, "password": THEIRS})).await;
    let theirs = json!({"email": ADA, "password": THEIRS});
    let response = world.post("/token?grant_type=password", theirs).await.json();
    world.post("/recover", json!({"email": ADA})).await;
    follow_the_link(&world).await;
    assert_eq!(password(&world, THEIRS).await, 400);
    let signed_out = world.get_as(text(&response, "/access_token"), "/user").await;
    assert_eq!(signed_out.json()["code"], "session_not_found");
}

#[tokio::test]
async fn an_invitation_of_the_owner_leaves_no_password() {
    let world = with_a_thief().await;
    let ask = |path: &'static str, body: Value| {
        world.send(Method::POST, path, world.personas.as_service(), Some(body))
    };
    assert_eq!(ask("/invite", json!({"email": ADA})).await.status, 200);
    follow_the_link(&world).await;
    assert_eq!(password(&world, THEIRS).await, 400);
}

#[tokio::test]
async fn otp_confirmation_clears_unverified_phone_password() {
    let world = World::with(|config| {
        config.phone_enabled = true;
        config.sms.test_otp.insert("33612345678".to_owned(), "424242".to_owned());
    })
    .await;
    let phone = "+33612345678";
    assert_eq!(
        world.post("/signup", json!({"phone": phone, "password": THEIRS})).await.status,
        200
    );
    world.advance(61);
    assert_eq!(world.post("/otp", json!({"phone": phone})).await.status, 200);
    let body = json!({"type": "sms", "phone": phone, "token": "424242"});
    assert_eq!(world.post("/verify", body).await.status, 200);
    let body = json!({"phone": phone, "password": THEIRS});
    assert_eq!(world.post("/token?grant_type=password", body).await.status, 400);
}

#[tokio::test]
async fn confirmed_account_keeps_its_password() {
    let world = World::new().await;
    world.member("ada").await;
    world.post("/signup", json!({"email": ADA, "password": THEIRS})).await;
    world.post("/recover", json!({"email": ADA})).await;
    follow_the_link(&world).await;
    assert_eq!((password(&world, THEIRS).await, password(&world, PASSWORD).await), (400, 200));
}
