//! The rights of roles, and the rule that there is always an owner.

use std::time::Duration;

use serde_json::json;

use crate::world::{OWNER, World, of, refusal};

#[tokio::test]
async fn last_owner_keeps_the_role_and_the_account() {
    let world = World::new().await;
    let owner = world.owner().await;
    let list = owner.get("/operators").await.json();
    let id = list["operators"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/operators/{id}");
    let demoted = owner.patch(&path, json!({"role": "developer"})).await;
    assert_eq!(refusal(&demoted), of(409, "last_owner"));
    assert_eq!(refusal(&owner.delete(&path).await), of(409, "last_owner"));
    let other = world.invited(&owner, "owner", "bob@example.test").await;
    assert_eq!(owner.patch(&path, json!({"role": "read_only"})).await.status, 204);
    assert_eq!(refusal(&owner.get("/operators").await), of(403, "forbidden"), "at once");
    assert_eq!(other.delete(&path).await.status, 204);
    assert_eq!(refusal(&owner.get("/session").await), of(401, "not_signed_in"), "at once");
}

#[tokio::test]
async fn two_owners_cannot_demote_each_other_at_once() {
    let world = World::new().await;
    let one = world.owner().await;
    let two = world.invited(&one, "owner", "bob@example.test").await;
    let list = one.get("/operators").await.json();
    let id = |at: usize| list["operators"][at]["id"].as_str().unwrap().to_owned();
    let (path_of_one, path_of_two) =
        (format!("/operators/{}", id(0)), format!("/operators/{}", id(1)));
    let body = json!({"role": "developer"});
    tokio::join!(one.patch(&path_of_two, body.clone()), two.patch(&path_of_one, body));
    let count = "select count(*)::text from _console.operators where role = 'owner'";
    assert_eq!(world.text(count).await.as_deref(), Some("1"));
}

#[tokio::test]
async fn only_owners_list_and_invite_operators() {
    let world = World::new().await;
    let owner = world.owner().await;
    world.personas.advance(Duration::from_secs(1));
    let developer = world.invited(&owner, "developer", "bob@example.test").await;
    world.personas.advance(Duration::from_secs(1));
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    for browser in [&developer, &reader] {
        assert_eq!(refusal(&browser.get("/operators").await), of(403, "forbidden"));
        let invitation = browser.post("/operators/invitations", json!({"role": "owner"})).await;
        assert_eq!(refusal(&invitation), of(403, "forbidden"));
    }
    let list = owner.get("/operators").await.json();
    let emails: Vec<_> =
        list["operators"].as_array().unwrap().iter().map(|one| &one["email"]).collect();
    assert_eq!(emails, [OWNER, "bob@example.test", "cy@example.test"]);
    assert_eq!(list["operators"][0]["second_factor"], false);
    assert!(list["operators"][0]["last_seen_at"].is_string());
    let missing = owner.delete("/operators/6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a").await;
    assert_eq!(refusal(&missing), of(404, "operator_not_found"));
    let wrong = owner.post("/operators/invitations", json!({"role": "king"})).await;
    assert_eq!(refusal(&wrong), of(400, "invalid_request"));
}
