//! The keys of a data folder, changed from the console in the same way as by the command `keys`.

use compat_stack::Application;
use serde_json::{Value, json};

use crate::browser::{Browser, PASSWORD};
use crate::world::World;

fn statuses(keys: &Value) -> Vec<&str> {
    keys["signing"].as_array().unwrap().iter().map(|key| key["status"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn rotated_signing_key_applies_after_restart() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&[], &[("CONSOLE", "loopback")]).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let keys = ada.get("/keys").await.json();
    assert_eq!((&keys["source"], &keys["needs_restart"]), (&json!("folder"), &json!(false)));
    assert_eq!(statuses(&keys), ["in_use"]);
    let old = keys["signing"][0]["kid"].as_str().unwrap().to_owned();

    for (action, expected) in
        [("standby", &["standby", "in_use"][..]), ("rotate", &["in_use", "previously_used"][..])]
    {
        let answer = ada.post("/signing-keys", json!({"action": action})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let keys = ada.get("/keys").await.json();
        assert_eq!(statuses(&keys), expected);
        assert_eq!(keys["needs_restart"], true);
    }
    let response = ada.post("/keys/service_role/value", json!({"password": PASSWORD})).await.json();
    let service_role = response["value"].as_str().unwrap().to_owned();
    assert_eq!(service_role, stack.keys.api.service_role);
    stack.stop().await;

    let stack = world.start(&[], &[("CONSOLE", "loopback")]).await;
    let now = stack.environment.clock.now().timestamp();
    assert!(stack.keys.ring.verify(&service_role, now).is_ok(), "what the old one signed counts");
    let router = stack.router(Application::default()).unwrap();
    let mut ada = Browser { router: &router, cookie: String::new() };
    ada.sign_in("ada@example.test").await;
    assert_eq!(ada.get("/keys").await.json()["needs_restart"], false);
    let answer = ada.post("/signing-keys", json!({"action": "revoke", "kid": old})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(statuses(&ada.get("/keys").await.json()), ["in_use", "revoked"]);
    stack.stop().await;
}

#[tokio::test]
async fn keys_of_settings_are_changed_in_settings() {
    let world = World::of_somebody_else().await;
    let secret = "0123456789abcdef0123456789abcdef";
    let variables = [("CONSOLE", "loopback"), ("JWT_SECRET", secret)];
    let stack = world.start(&[], &variables).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let keys = ada.get("/keys").await;
    assert!(!keys.text().contains(secret));
    assert_eq!(keys.json()["source"], "secret");
    assert_eq!(keys.json()["variables"], json!(["JWT_SECRET"]));
    let answer = ada.post("/signing-keys", json!({"action": "rotate"})).await;
    assert_eq!(answer.json()["error"]["code"], "keys_in_settings");
    let response = ada.post("/keys/jwt_secret/value", json!({"password": PASSWORD})).await;
    assert_eq!(response.json()["value"], secret);
    stack.stop().await;
}
