use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::world::{World, assert_refused, text};

fn code(world: &World, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    totp.generate(world.personas.clock().unix().unsigned_abs()).to_string()
}

async fn enrol(world: &World, token: &str, name: &str) -> Value {
    let body = json!({"factor_type": "totp", "friendly_name": name});
    let answer = world.post_as(token, "/factors", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn challenge(world: &World, token: &str, factor: &str) -> Value {
    world.post_as(token, &format!("/factors/{factor}/challenge"), json!({})).await.json()
}

async fn verify(
    world: &World,
    token: &str,
    factor: &str,
    challenge: &Value,
    code: &str,
) -> TestResponse {
    let body = json!({"challenge_id": challenge["id"], "code": code});
    world.post_as(token, &format!("/factors/{factor}/verify"), body).await
}

/// Enrols and verifies a factor; returns it and the session of level `aal2`.
async fn protected(world: &World, token: &str) -> (Value, Value) {
    let factor = enrol(world, token, "phone").await;
    let id = text(&factor, "/id");
    let opened = challenge(world, token, id).await;
    let answer =
        verify(world, token, id, &opened, &code(world, text(&factor, "/totp/secret"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    (factor, answer.json())
}

fn claim(world: &World, session: &Value, name: &str) -> Value {
    let now = world.personas.clock().unix();
    let claims = world.personas.keys().verify(text(session, "/access_token"), now).unwrap();
    claims.get(name).unwrap().clone()
}

#[tokio::test]
async fn totp_verification_raises_aal_and_ends_weaker_sessions() {
    let world = World::new().await;
    let other = world.member("ada").await;
    let session = world.member("ada").await;
    world.advance(1);
    let (factor, stronger) = protected(&world, text(&session, "/access_token")).await;
    assert!(text(&factor, "/totp/qr_code").starts_with("<svg "));
    assert!(
        text(&factor, "/totp/uri").starts_with("otpauth://totp/site.example:ada%40example.test")
    );
    assert_eq!(factor["type"], "totp");
    assert_eq!(claim(&world, &stronger, "aal"), "aal2");
    let methods = claim(&world, &stronger, "amr");
    assert_eq!(
        (&methods[0]["method"], &methods[1]["method"]),
        (&json!("totp"), &json!("password"))
    );
    assert_eq!(claim(&world, &stronger, "session_id"), claim(&world, &session, "session_id"));
    assert_eq!(stronger["user"]["factors"][0]["status"], "verified");
    assert!(stronger["user"]["factors"][0].get("secret").is_none());
    let signed_out = world.get_as(text(&other, "/access_token"), "/user").await;
    assert_eq!(signed_out.json()["code"], "session_not_found");
    let body = json!({"refresh_token": stronger["refresh_token"]});
    let refreshed = world.post("/token?grant_type=refresh_token", body).await.json();
    assert_eq!(claim(&world, &refreshed, "aal"), "aal2");
}

#[tokio::test]
async fn names_conflict_even_when_both_are_empty() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    enrol(&world, token, "").await;
    let body = json!({"factor_type": "totp"});
    let answer = world.post_as(token, "/factors", body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (422, json!("mfa_factor_name_conflict"))
    );
    world.advance(301);
    enrol(&world, token, "").await;
}

#[tokio::test]
async fn kinds_that_are_off_or_unknown_are_refused() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    for (kind, status, code) in [
        ("phone", 422, "mfa_phone_enroll_not_enabled"),
        ("webauthn", 422, "mfa_webauthn_enroll_not_enabled"),
        ("smoke", 400, "validation_failed"),
    ] {
        let answer = world.post_as(token, "/factors", json!({"factor_type": kind})).await;
        assert_eq!((answer.status.as_u16(), answer.json()["code"].clone()), (status, json!(code)));
    }
    let anonymous = World::with(|config| config.anonymous_users_enabled = true).await;
    let session = anonymous.post("/signup", json!({})).await.json();
    let body = json!({"factor_type": "totp"});
    let answer = anonymous.post_as(text(&session, "/access_token"), "/factors", body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (403, json!("no_authorization"))
    );
}

#[tokio::test]
async fn totp_codes_are_single_use_and_challenges_expire() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let factor = enrol(&world, token, "phone").await;
    let id = text(&factor, "/id");
    let opened = challenge(&world, token, id).await;
    assert_eq!(opened["expires_at"], world.personas.clock().unix() + 300);
    let answer = verify(&world, token, id, &opened, "").await;
    assert_refused(&answer, 400, "validation_failed", "Code needs to be non-empty");
    let right = code(&world, text(&factor, "/totp/secret"));
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let answer = verify(&world, token, id, &opened, wrong).await;
    assert_refused(&answer, 422, "mfa_verification_failed", "Invalid TOTP code entered");
    let stronger = verify(&world, token, id, &opened, &right).await.json();
    let token = text(&stronger, "/access_token");
    let again = verify(&world, token, id, &opened, &right).await;
    assert_eq!(again.json()["code"], "mfa_ip_address_mismatch");
    let opened = challenge(&world, token, id).await;
    let replayed = verify(&world, token, id, &opened, &right).await;
    assert_eq!(replayed.json()["code"], "mfa_verification_failed");
    world.advance(301);
    let late =
        verify(&world, token, id, &opened, &code(&world, text(&factor, "/totp/secret"))).await;
    assert_eq!(
        (late.status.as_u16(), late.json()["code"].clone()),
        (422, json!("mfa_challenge_expired"))
    );
}

#[tokio::test]
async fn unknown_factors_and_challenges_are_not_found() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let unknown_id = "00000000-0000-4000-8000-000000000000";
    let answer = world.post_as(token, &format!("/factors/{unknown_id}/challenge"), json!({})).await;
    assert_refused(&answer, 404, "mfa_factor_not_found", "Factor not found");
    let answer = world.post_as(token, "/factors/x/challenge", json!({})).await;
    assert_refused(&answer, 404, "validation_failed", "factor_id must be an UUID");
    let factor = enrol(&world, token, "phone").await;
    let other = json!({"id": unknown_id});
    let answer = verify(&world, token, text(&factor, "/id"), &other, "123456").await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (422, json!("mfa_factor_not_found"))
    );
    let other_session = world.member("bob").await;
    let path = format!("/factors/{}/challenge", text(&factor, "/id"));
    let answer = world.post_as(text(&other_session, "/access_token"), &path, json!({})).await;
    assert_eq!(answer.json()["code"], "mfa_factor_not_found");
}

#[tokio::test]
async fn aal1_session_cannot_change_password_or_factors() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let (factor, stronger) = protected(&world, text(&session, "/access_token")).await;
    let weak = world.sign_in("ada").await.json();
    let token = text(&weak, "/access_token");
    assert_eq!(claim(&world, &weak, "aal"), "aal1");
    let answer = world.put_as(token, "/user", json!({"password": "a new password"})).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (401, json!("insufficient_aal"))
    );
    let body = json!({"factor_type": "totp", "friendly_name": "second"});
    let answer = world.post_as(token, "/factors", body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (403, json!("insufficient_aal"))
    );
    let path = format!("/factors/{}", text(&factor, "/id"));
    let unenrol = |token: String| {
        let headers = world.personas.as_bearer(&token);
        world.send(Method::DELETE, &path, headers, None)
    };
    let answer = unenrol(token.to_owned()).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].clone()),
        (422, json!("insufficient_aal"))
    );
    let answer = unenrol(text(&stronger, "/access_token").to_owned()).await;
    assert_eq!(answer.json(), json!({"id": factor["id"]}));
    let body = json!({"refresh_token": stronger["refresh_token"]});
    let after = world.post("/token?grant_type=refresh_token", body).await.json();
    assert_eq!(claim(&world, &after, "aal"), "aal1");
    assert_eq!(claim(&world, &after, "amr").as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn administrators_see_rename_and_remove_factors() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let (factor, _) = protected(&world, text(&session, "/access_token")).await;
    let list = format!("/admin/users/{}/factors", text(&session, "/user/id"));
    let one = format!("{list}/{}", text(&factor, "/id"));
    let send = |method, path: String, body| {
        let headers = world.personas.as_service();
        let world = &world;
        async move { world.send(method, &path, headers, body).await }
    };
    let answer = send(Method::GET, list.clone(), None).await;
    assert_eq!(answer.json()[0]["id"], factor["id"]);
    let answer = send(Method::PUT, one.clone(), Some(json!({"friendly_name": "key"}))).await;
    assert_eq!(answer.json()["friendly_name"], "key");
    let answer = send(Method::DELETE, one.clone(), None).await;
    assert_eq!(answer.json()["id"], factor["id"]);
    assert_eq!(send(Method::GET, list, None).await.json(), json!([]));
    assert_eq!(send(Method::DELETE, one, None).await.json()["code"], "mfa_factor_not_found");
}

fn with_texts(config: &mut compat_auth::Config) {
    config.mfa.phone_enroll_enabled = true;
    config.mfa.phone_verify_enabled = true;
    config.sms.test_otp = [("15550100".into(), "123456".into())].into();
}

#[tokio::test]
async fn phone_factor_codes_are_rate_limited_and_expire() {
    let world = World::with(with_texts).await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let body = json!({"factor_type": "phone", "friendly_name": "mobile", "phone": "+1 555 0100"});
    let factor = world.post_as(token, "/factors", body.clone()).await.json();
    let id = text(&factor, "/id");
    assert_eq!((&factor["type"], &factor["phone"]), (&json!("phone"), &json!("15550100")));
    let first = challenge(&world, token, id).await;
    let early = world.post_as(token, &format!("/factors/{id}/challenge"), json!({})).await;
    let wait = "For security purposes, you can only request this after 60 seconds.";
    assert_refused(&early, 429, "over_sms_send_rate_limit", wait);
    let wrong = verify(&world, token, id, &first, "654321").await;
    assert_refused(&wrong, 422, "mfa_verification_failed", "Invalid MFA Phone code entered");
    world.advance(301);
    let late = verify(&world, token, id, &first, "123456").await;
    assert_eq!(
        (late.status.as_u16(), &late.json()["code"]),
        (422, &json!("mfa_challenge_expired"))
    );
    let second = challenge(&world, token, id).await;
    let right = verify(&world, token, id, &second, "123456").await;
    assert_eq!(right.status, 200, "{}", right.text());
    assert_eq!(claim(&world, &right.json(), "aal"), "aal2");
    let stronger = right.json();
    let token = text(&stronger, "/access_token");
    let again = verify(&world, token, id, &second, "123456").await;
    assert_eq!(again.json()["code"], "mfa_ip_address_mismatch");
    let same_name = json!({"factor_type": "phone", "friendly_name": "other", "phone": "15550100"});
    let same_name = world.post_as(token, "/factors", same_name).await;
    assert_eq!(same_name.json()["code"], "mfa_verified_factor_exists");
}

#[tokio::test]
async fn unverified_phone_factor_is_replaced_on_next_enrolment() {
    let world = World::with(with_texts).await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    for name in ["one", "two"] {
        let body = json!({"factor_type": "phone", "friendly_name": name, "phone": "15550100"});
        assert_eq!(world.post_as(token, "/factors", body).await.status, 200);
    }
    assert_eq!(world.count("select count(*) from auth.mfa_factors").await, 1);
    let none = json!({"factor_type": "phone", "friendly_name": "three", "phone": "none"});
    let refusal = world.post_as(token, "/factors", none).await;
    let text = "Invalid phone number format (E.164 required)";
    assert_refused(&refusal, 400, "validation_failed", text);
}

#[tokio::test]
async fn webauthn_challenge_requires_origins_of_relying_party() {
    let world = World::with(|config| {
        config.mfa.webauthn_enroll_enabled = true;
        config.mfa.webauthn_verify_enabled = true;
    })
    .await;
    let session = world.member("ada").await;
    let token = text(&session, "/access_token");
    let body = json!({"factor_type": "webauthn", "friendly_name": "key"});
    let factor = world.post_as(token, "/factors", body).await.json();
    let path = format!("/factors/{}/challenge", text(&factor, "/id"));
    let ask = |party: Value| world.post_as(token, &path, json!({"webauthn": party}));
    let good = json!({"rpId": "site.example", "rpOrigins": ["https://app.site.example"]});
    let opened = ask(good).await.json();
    let options = &opened["webauthn"]["credential_options"]["publicKey"];
    assert_eq!(opened["webauthn"]["type"], "create");
    assert_eq!(options["rp"]["id"], "site.example");
    for wrong in [
        json!({"rpId": "site.example", "rpOrigins": ["https://evil.example"]}),
        json!({"rpId": "site.example", "rpOrigins": []}),
        json!({"rpOrigins": ["https://site.example"]}),
        Value::Null,
    ] {
        assert_eq!(ask(wrong).await.json()["code"], "validation_failed");
    }
    let junk =
        json!({"challenge_id": opened["id"], "webauthn": {"credential_response": {"id": 1}}});
    let verify = format!("/factors/{}/verify", text(&factor, "/id"));
    let refusal = world.post_as(token, &verify, junk).await;
    assert_refused(&refusal, 422, "mfa_verification_failed", "Invalid WebAuthn credential");
}
