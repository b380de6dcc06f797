use serde_json::json;

use crate::world::{PASSWORD, World, assert_refused, parameters};

const ADA: &str = "ada@example.test";

#[tokio::test]
async fn resent_sign_up_mail_replaces_the_older_link() {
    let world = World::new().await;
    world.post("/signup", json!({"email": ADA, "password": PASSWORD})).await;
    let first = world.link_to(ADA);
    let again = || world.post("/resend", json!({"type": "signup", "email": ADA}));
    let text = "For security purposes, you can only request this after 60 seconds.";
    assert_refused(&again().await, 429, "over_email_send_rate_limit", text);
    world.advance(60);
    assert_eq!(again().await.text(), "{}");
    assert_eq!(world.mailbox.list().len(), 2);
    let second = world.link_to(ADA);
    assert_ne!(first, second);
    assert_eq!(parameters(&world.get(&first).await, '#')["error_code"], "otp_expired");
    assert!(parameters(&world.get(&second).await, '#').contains_key("access_token"));
    // The sign-up's password still counts; a resend does not change it.
    assert_eq!(world.sign_in("ada").await.status, 200);
}

#[tokio::test]
async fn resend_without_pending_code_sends_nothing() {
    let world = World::new().await;
    world.member("ada").await;
    for (kind, email) in [("signup", ADA), ("email_change", ADA), ("signup", "nobody@example.test")]
    {
        let body = json!({"type": kind, "email": email});
        assert_eq!(world.post("/resend", body.clone()).await.text(), "{}");
        assert_eq!(world.post("/resend", body).await.status, 429, "{kind} {email}");
    }
    assert_eq!(world.mailbox.list(), []);
    assert_eq!(world.count("select count(*) from auth.one_time_tokens").await, 0);
}

#[tokio::test]
async fn each_type_wants_its_own_kind_of_address() {
    let world = World::with(|config| config.phone_enabled = true).await;
    let types = "Missing one of these types: signup, email_change, sms, phone_change";
    let mail = "Type provided requires an email address";
    let phone = "Type provided requires a phone number";
    let both = "Only an email address or phone number should be provided";
    for (body, text) in [
        (json!({"email": ADA}), types),
        (json!({"type": "recovery", "email": ADA}), types),
        (json!({"type": "signup"}), mail),
        (json!({"type": "email_change", "phone": "33612345678"}), mail),
        (json!({"type": "sms", "email": ADA}), phone),
        (json!({"type": "phone_change"}), phone),
        (json!({"type": "signup", "email": ADA, "phone": "33612345678"}), both),
    ] {
        let answer = world.post("/resend", body).await;
        assert_refused(&answer, 400, "validation_failed", text);
    }
}

#[tokio::test]
async fn a_pending_number_is_texted_again() {
    let world = World::with(|config| {
        config.phone_enabled = true;
        config.sms.test_otp.insert("33612345678".to_owned(), "123456".to_owned());
    })
    .await;
    let phone = "33612345678";
    world.post("/signup", json!({"phone": phone, "password": PASSWORD})).await;
    let again = || world.post("/resend", json!({"type": "sms", "phone": "+33 6 12 34 56 78"}));
    assert_eq!(again().await.json()["code"], "over_sms_send_rate_limit");
    world.advance(60);
    assert_eq!(again().await.json(), json!({"message_id": "test-otp"}));
    let body = json!({"type": "sms", "phone": phone, "token": "123456"});
    assert_eq!(world.post("/verify", body).await.status, 200);
    world.advance(60);
    assert_eq!(again().await.text(), "{}");
}
