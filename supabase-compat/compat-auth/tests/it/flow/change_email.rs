use serde_json::json;

use crate::world::{World, assert_refused, parameters, text};

const NEW: &str = "new@example.test";
const OLD: &str = "ada@example.test";

#[tokio::test]
async fn both_addresses_must_agree_in_any_order() {
    for (first, second) in [(OLD, NEW), (NEW, OLD)] {
        let world = World::new().await;
        let session = world.member("ada").await;
        let token = text(&session, "/access_token");
        let answer = world.put_as(token, "/user", json!({"email": NEW})).await;
        assert_eq!(answer.json()["new_email"], NEW);
        assert_eq!(answer.json()["email"], OLD);
        let half = world.get(&world.link_to(first)).await;
        assert_eq!(
            half.header("location"),
            "https://site.example#message=Confirmation+link+accepted.+Please+proceed+to+confirm\
             +link+sent+to+the+other+email&sb="
        );
        let spent = world.get(&world.link_to(first)).await;
        assert_eq!(parameters(&spent, '#')["error_code"], "otp_expired");
        let response = world.get(&world.link_to(second)).await;
        let token = parameters(&response, '#')["access_token"].clone();
        let me = world.get_as(&token, "/user").await.json();
        assert_eq!(me["email"], NEW);
        assert!(me.get("new_email").is_none());
        assert_eq!(me["identities"][0]["email"], NEW);
        assert_eq!(me["user_metadata"]["email"], NEW);
    }
}

#[tokio::test]
async fn codes_typed_by_hand_work_as_well() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.put_as(text(&session, "/access_token"), "/user", json!({"email": NEW})).await;
    let verify = |email: &'static str| {
        let body = json!({"type": "email_change", "email": email, "token": world.code_to(email)});
        world.post("/verify", body)
    };
    let half = verify(NEW).await;
    assert_eq!(
        half.json(),
        json!({
            "msg": "Confirmation link accepted. Please proceed to confirm link sent to the other email",
            "code": "200",
        })
    );
    assert_eq!(verify(OLD).await.json()["user"]["email"], NEW);
}

#[tokio::test]
async fn new_address_alone_confirms_without_secure_change() {
    let world = World::with(|config| config.email.secure_change_enabled = false).await;
    let session = world.member("ada").await;
    world.put_as(text(&session, "/access_token"), "/user", json!({"email": NEW})).await;
    assert_eq!(world.mailbox.latest(OLD), None);
    let response = world.get(&world.link_to(NEW)).await;
    assert!(response.header("location").contains("#access_token="));
}

#[tokio::test]
async fn taken_email_is_refused_at_request_and_confirmation() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.member("bob").await;
    let token = text(&session, "/access_token");
    let message = "A user with this email address has already been registered";
    let answer = world.put_as(token, "/user", json!({"email": "bob@example.test"})).await;
    assert_refused(&answer, 422, "email_exists", message);
    world.put_as(token, "/user", json!({"email": NEW})).await;
    world.get(&world.link_to(OLD)).await;
    world.member("new").await;
    let late = world.get(&world.link_to(NEW)).await;
    assert_eq!(parameters(&late, '#')["error_code"], "email_exists");
    assert_eq!(world.text("select email from auth.users where email_change <> ''").await, OLD);
}

#[tokio::test]
async fn a_pending_change_is_mailed_again_to_both() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.put_as(text(&session, "/access_token"), "/user", json!({"email": NEW})).await;
    world.advance(61);
    let answer = world.post("/resend", json!({"type": "email_change", "email": OLD})).await;
    assert_eq!(answer.text(), "{}");
    assert_eq!(world.mailbox.list().len(), 4);
}
