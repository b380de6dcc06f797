use serde_json::json;

use crate::world::{World, assert_refused, parameters, text};

const ADA: &str = "ada@example.test";

#[tokio::test]
async fn a_member_gets_a_link_and_a_code() {
    let world = World::new().await;
    world.member("ada").await;
    assert_eq!(world.post("/otp", json!({"email": ADA})).await.text(), "{}");
    assert_eq!(world.mailbox.latest(ADA).unwrap().kind, "magic_link");
    let body = json!({"type": "email", "email": ADA, "token": world.code_to(ADA)});
    assert_eq!(world.post("/verify", body).await.json()["user"]["email"], ADA);
}

#[tokio::test]
async fn otp_signs_up_and_confirms_unknown_address() {
    let world = World::new().await;
    let body = json!({"email": ADA, "data": {"lang": "es"}, "create_user": true});
    assert_eq!(world.post("/otp", body).await.text(), "{}");
    let mail = world.mailbox.latest(ADA).unwrap();
    assert_eq!(
        (&*mail.kind, mail.subject.as_str()),
        ("confirmation", "Confirma tu correo electrónico")
    );
    let body = json!({"type": "email", "email": ADA, "token": world.code_to(ADA)});
    let session = world.post("/verify", body).await.json();
    assert!(session["user"].get("email_confirmed_at").is_some());
}

#[tokio::test]
async fn otp_sign_up_is_refused_when_disabled() {
    let world = World::new().await;
    let answer = world.post("/otp", json!({"email": ADA, "create_user": false})).await;
    assert_refused(&answer, 422, "otp_disabled", "Signups not allowed for otp");
    let closed = World::with(|config| config.disable_signup = true).await;
    let answer = closed.post("/otp", json!({"email": ADA})).await;
    assert_refused(&answer, 422, "signup_disabled", "Signups not allowed for this instance");
    let answer = world.post("/otp", json!({"phone": "33612345678"})).await;
    assert_refused(&answer, 400, "phone_provider_disabled", "Unsupported phone provider");
}

#[tokio::test]
async fn magic_link_with_pkce_returns_a_code() {
    let world = World::new().await;
    world.member("ada").await;
    let body = json!({
        "email": ADA,
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "s256",
    });
    assert_eq!(world.post("/magiclink", body).await.text(), "{}");
    let code = parameters(&world.get(&world.link_to(ADA)).await, '?')["code"].clone();
    let body =
        json!({"auth_code": code, "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"});
    let session = world.post("/token?grant_type=pkce", body).await.json();
    let claims = world
        .personas
        .keys()
        .verify(text(&session, "/access_token"), world.personas.clock().unix())
        .unwrap();
    assert_eq!(claims.get("amr").unwrap()[0]["method"], "magiclink");
}

#[tokio::test]
async fn resend_does_not_reveal_pending_confirmations() {
    let world = World::new().await;
    world.member("bob").await;
    world.post("/otp", json!({"email": ADA})).await;
    world.advance(61);
    for email in [ADA, "bob@example.test", "nobody@example.test"] {
        let answer = world.post("/resend", json!({"type": "signup", "email": email})).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "{}"), "{email}");
    }
    assert_eq!(world.mailbox.list().len(), 2);
    let answer = world.post("/resend", json!({"type": "recovery", "email": ADA})).await;
    let message = "Missing one of these types: signup, email_change, sms, phone_change";
    assert_refused(&answer, 400, "validation_failed", message);
    let answer = world.post("/resend", json!({"type": "signup"})).await;
    assert_refused(&answer, 400, "validation_failed", "Type provided requires an email address");
}
