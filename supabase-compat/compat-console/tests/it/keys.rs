//! The project's keys: their overview, secret keys for owners, and changes.

use serde_json::json;

use crate::mechanism::{NEW_KEY, SERVICE_KEY};
use crate::world::{PASSWORD, World, of, refusal};

#[tokio::test]
async fn secret_key_requires_owner_role_and_password() {
    let world = World::new().await;
    let owner = world.owner().await;
    let listed = owner.get("/keys").await;
    assert_eq!(listed.json()["secrets"], json!(["service_role"]));
    assert!(!listed.text().contains(SERVICE_KEY));
    let path = "/keys/service_role/value";
    let wrong = owner.post(path, json!({"password": "not the one it is"})).await;
    assert_eq!(refusal(&wrong), of(403, "wrong_password"));
    let response = owner.post(path, json!({"password": PASSWORD})).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"value": SERVICE_KEY})));
    assert_eq!(response.header("cache-control"), "no-store");
    let absent = owner.post("/keys/jwt_secret/value", json!({"password": PASSWORD})).await;
    assert_eq!(refusal(&absent), of(404, "key_not_found"));
    let developer = world.invited(&owner, "developer", "dev@example.test").await;
    let refused = developer.post(path, json!({"password": PASSWORD})).await;
    assert_eq!(refusal(&refused), of(403, "forbidden"));
    let entries = owner.get("/audit").await.text();
    assert!(entries.contains("secret key shown") && !entries.contains(SERVICE_KEY), "{entries}");
}

#[tokio::test]
async fn signing_keys_are_changed_by_owners_alone() {
    let world = World::new().await;
    let owner = world.owner().await;
    let changed = owner.post("/signing-keys", json!({"action": "rotate"})).await;
    assert_eq!((changed.status.as_u16(), changed.json()), (200, json!({"changed": ["second"]})));
    assert_eq!(owner.get("/keys").await.json()["needs_restart"], true);
    let in_use = owner.post("/signing-keys", json!({"action": "revoke", "kid": "first"})).await;
    assert_eq!(refusal(&in_use), of(409, "key_refused"));
    for body in [json!({}), json!({"action": "burn"}), json!({"action": "revoke"})] {
        let answer = owner.post("/signing-keys", body.clone()).await;
        assert_eq!(refusal(&answer), of(400, "invalid_request"), "{body}");
    }
    let reader = world.invited(&owner, "read_only", "eye@example.test").await;
    assert_eq!(reader.get("/keys").await.status, 200);
    let response = reader.post("/signing-keys", json!({"action": "standby"})).await;
    assert_eq!(refusal(&response), of(403, "forbidden"));
}

#[tokio::test]
async fn opaque_key_replacement_requires_owner_role_and_password() {
    let world = World::new().await;
    let owner = world.owner().await;
    let path = "/opaque-keys/secret";
    let wrong = owner.post(path, json!({"password": "not the one it is"})).await;
    assert_eq!(refusal(&wrong), of(403, "wrong_password"));
    let response = owner.post(path, json!({"password": PASSWORD})).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"value": NEW_KEY})));
    let unknown = owner.post("/opaque-keys/other", json!({"password": PASSWORD})).await;
    assert_eq!(refusal(&unknown), of(404, "not_found"));
    assert_eq!(owner.delete("/opaque-keys/sb_secret_before").await.status, 204);
    let in_use = owner.delete("/opaque-keys/sb_publishable_x").await;
    assert_eq!(refusal(&in_use), of(409, "key_refused"));
    let developer = world.invited(&owner, "developer", "dev@example.test").await;
    let refused = developer.post(path, json!({"password": PASSWORD})).await;
    assert_eq!(refusal(&refused), of(403, "forbidden"));
    let refused = developer.delete("/opaque-keys/sb_secret_before").await;
    assert_eq!(refusal(&refused), of(403, "forbidden"));
    let entries = owner.get("/audit").await.text();
    assert!(entries.contains("opaque key revoked: sb_secret_before"), "{entries}");
    assert!(!entries.contains(NEW_KEY), "{entries}");
}
