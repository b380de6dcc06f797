//! Setup links.

use std::time::Duration;

use compat_console::owner_link;
use compat_testkit::{Personas, TestDatabase};
use serde_json::json;

use crate::world::{OWNER, PASSWORD, World, of, refusal};

#[tokio::test]
async fn setup_link_makes_one_owner_once() {
    let world = World::new().await;
    let link = world.state.first_link().await.unwrap().unwrap();
    let response = world.browser().get(&format!("/setup?token={link}")).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"role": "owner"})));
    let owner = world.accept(&link, " Ada@Example.test").await;
    let session = owner.get("/session").await.json();
    assert_eq!(session["operator"]["email"], OWNER);
    assert_eq!(session["operator"]["role"], "owner");
    assert_eq!(session["project"]["name"], "shop");
    assert_eq!(session["keys"]["anon"], world.personas.api_keys().anon.as_str());
    let body = json!({"token": link, "email": "eve@example.test", "password": PASSWORD});
    assert_eq!(refusal(&world.browser().post("/setup", body).await), of(410, "link_expired"));
    let again = world.browser().get(&format!("/setup?token={link}")).await;
    assert_eq!(refusal(&again), of(410, "link_expired"));
    assert_eq!(world.state.first_link().await.unwrap(), None, "there is an owner");
}

#[tokio::test]
async fn setup_link_expires_after_replacement_or_a_day() {
    let world = World::new().await;
    let first = world.state.first_link().await.unwrap().unwrap();
    let second = world.state.first_link().await.unwrap().unwrap();
    let answer = world.browser().get(&format!("/setup?token={first}")).await;
    assert_eq!(refusal(&answer), of(410, "link_expired"));
    world.personas.advance(Duration::from_secs(24 * 60 * 60));
    let answer = world.browser().get(&format!("/setup?token={second}")).await;
    assert_eq!(refusal(&answer), of(410, "link_expired"));
}

#[tokio::test]
async fn concurrent_setup_creates_one_operator() {
    let world = World::new().await;
    let link = world.state.first_link().await.unwrap().unwrap();
    let (one, two) = (world.browser(), world.browser());
    let body = |email: &str| json!({"token": link, "email": email, "password": PASSWORD});
    let (first, second) = tokio::join!(
        one.post("/setup", body("one@example.test")),
        two.post("/setup", body("two@example.test"))
    );
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410]);
    let count = world.text("select count(*)::text from _console.operators").await;
    assert_eq!(count.as_deref(), Some("1"));
}

#[tokio::test]
async fn unusable_addresses_and_passwords_leave_the_link_whole() {
    let world = World::new().await;
    let link = world.state.first_link().await.unwrap().unwrap();
    let try_with = async |email: &str, password: &str| {
        let body = json!({"token": link, "email": email, "password": password});
        refusal(&world.browser().post("/setup", body).await)
    };
    assert_eq!(try_with(OWNER, "elevenchars").await, of(422, "weak_password"));
    assert_eq!(try_with(OWNER, &"x".repeat(1025)).await, of(422, "weak_password"));
    assert_eq!(try_with("nobody", PASSWORD).await, of(422, "invalid_email"));
    let owner = world.accept(&link, OWNER).await;
    let invitation = owner.post("/operators/invitations", json!({"role": "developer"})).await;
    let url = invitation.json()["url"].as_str().unwrap().to_owned();
    let token = url.split_once('=').unwrap().1.to_owned();
    let body = json!({"token": token, "email": OWNER, "password": PASSWORD});
    assert_eq!(refusal(&world.browser().post("/setup", body).await), of(409, "email_taken"));
    world.accept(&token, "bob@example.test").await;
}

#[tokio::test]
async fn link_of_the_command_makes_one_more_owner() {
    let world = World::new().await;
    let owner = world.owner().await;
    let environment = world.personas.environment();
    let database = &world.db.pools().owner;
    let link = owner_link(database, &environment.clock, &environment.entropy).await;
    let link = link.unwrap().unwrap();
    let response = world.browser().get(&format!("/setup?token={link}")).await;
    assert_eq!(response.json(), json!({"role": "owner"}));
    let other = world.accept(&link, "bob@example.test").await;
    let list = other.get("/operators").await.json();
    assert_eq!(list["operators"].as_array().unwrap().len(), 2);
    let body = json!({"token": link, "email": "eve@example.test", "password": PASSWORD});
    assert_eq!(refusal(&world.browser().post("/setup", body).await), of(410, "link_expired"));
    let log = owner.get("/audit").await.json();
    let entry = &log["entries"][1];
    assert_eq!(entry["operator"], "command line");
    assert_eq!(entry["path"], "console owner-link");
}

#[tokio::test]
async fn database_without_a_console_gets_no_link() {
    let db = TestDatabase::empty().await;
    let environment = Personas::new().environment();
    let link = owner_link(&db.pools().owner, &environment.clock, &environment.entropy).await;
    assert_eq!(link.unwrap(), None);
}
