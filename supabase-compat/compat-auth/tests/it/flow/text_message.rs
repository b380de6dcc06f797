use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, Path};
use axum::routing::post;
use axum::{Json, Router};
use compat_auth::{Config, SmsProvider, TwilioConfig};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::world::{PASSWORD, World, assert_refused, text};

const NUMBER: &str = "33612345678";
const OTHER: &str = "33687654321";

/// Configures numbers with fixed codes, which need no provider of text messages.
fn with_test_numbers(config: &mut Config) {
    config.phone_enabled = true;
    config.sms.test_otp =
        BTreeMap::from([(NUMBER.into(), "123456".into()), (OTHER.into(), "654321".into())]);
}

async fn verify(
    world: &World,
    kind: &str,
    phone: &str,
    code: &str,
) -> compat_testkit::TestResponse {
    world.post("/verify", json!({"type": kind, "phone": phone, "token": code})).await
}

#[tokio::test]
async fn phone_sign_up_is_confirmed_by_code() {
    let world = World::with(with_test_numbers).await;
    let body = json!({"phone": "+33 6 12 34 56 78", "password": PASSWORD});
    let user = world.post("/signup", body).await.json();
    assert_eq!(user["phone"], NUMBER);
    assert!(user.get("confirmation_sent_at").is_some() && user.get("phone_confirmed_at").is_none());
    let sign_in = json!({"phone": NUMBER, "password": PASSWORD});
    let early = world.post("/token?grant_type=password", sign_in.clone()).await;
    assert_refused(&early, 400, "phone_not_confirmed", "Phone not confirmed");
    let wrong = verify(&world, "sms", NUMBER, "000000").await;
    assert_refused(&wrong, 403, "otp_expired", "Token has expired or is invalid");
    let session = verify(&world, "sms", NUMBER, "123456").await.json();
    assert_eq!(session["user"]["identities"][0]["identity_data"]["phone_verified"], true);
    assert_eq!(session["user"]["user_metadata"]["phone_verified"], true);
    assert_eq!(world.post("/token?grant_type=password", sign_in).await.status, 200);
    let again = verify(&world, "sms", NUMBER, "123456").await;
    assert_eq!(again.json()["code"], "otp_expired");
}

#[tokio::test]
async fn sms_code_expires_after_one_minute() {
    let world = World::with(with_test_numbers).await;
    let ask = |create: bool| world.post("/otp", json!({"phone": NUMBER, "create_user": create}));
    assert_refused(&ask(false).await, 422, "otp_disabled", "Signups not allowed for otp");
    assert_eq!(ask(true).await.json(), json!({"message_id": "test-otp"}));
    let message = "For security purposes, you can only request this after 60 seconds.";
    assert_refused(&ask(true).await, 429, "over_sms_send_rate_limit", message);
    world.advance(61);
    let late = verify(&world, "sms", NUMBER, "123456").await;
    assert_eq!(late.json()["code"], "otp_expired");
    let again = world.post("/resend", json!({"type": "sms", "phone": NUMBER})).await;
    assert_eq!(again.json(), json!({"message_id": "test-otp"}));
    assert_eq!(verify(&world, "sms", NUMBER, "123456").await.status, 200);
    let nothing = world.post("/resend", json!({"type": "sms", "phone": NUMBER})).await;
    assert_eq!(nothing.text(), "{}");
}

#[tokio::test]
async fn a_new_number_takes_effect_by_its_code() {
    let world = World::with(with_test_numbers).await;
    world.post("/otp", json!({"phone": NUMBER})).await;
    let session = verify(&world, "sms", NUMBER, "123456").await.json();
    let token = text(&session, "/access_token");
    let user = world.put_as(token, "/user", json!({"phone": OTHER})).await.json();
    assert_eq!((&user["phone"], &user["new_phone"]), (&json!(NUMBER), &json!(OTHER)));
    let changed = verify(&world, "phone_change", OTHER, "654321").await.json();
    assert_eq!(changed["user"]["phone"], OTHER);
    assert!(changed["user"].get("new_phone").is_none());
    assert_eq!(changed["user"]["identities"][0]["identity_data"]["phone"], OTHER);
}

#[tokio::test]
async fn phone_sign_up_fails_without_sms_provider() {
    let world = World::with(|config| config.phone_enabled = true).await;
    let body = json!({"phone": NUMBER, "password": PASSWORD});
    let answer = world.post("/signup", body).await;
    assert_refused(&answer, 500, "unexpected_failure", "Unable to get SMS provider");
    let answer = world.post("/otp", json!({"phone": NUMBER})).await;
    assert_refused(&answer, 500, "unexpected_failure", "Unable to get SMS provider");
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
}

#[tokio::test]
async fn resend_succeeds_for_unknown_numbers_without_sms_provider() {
    let world = World::with(|config| config.phone_enabled = true).await;
    for kind in ["sms", "sms", "phone_change", "phone_change"] {
        let answer = world.post("/resend", json!({"type": kind, "phone": NUMBER})).await;
        assert_eq!((answer.status.as_u16(), &*answer.text()), (200, "{}"), "{kind}");
    }
}

#[tokio::test]
async fn test_codes_end_when_they_are_said_to() {
    let world = World::with(|config| {
        with_test_numbers(config);
        config.sms.test_otp_valid_until = Some(chrono::DateTime::UNIX_EPOCH);
    })
    .await;
    let answer = world.post("/otp", json!({"phone": NUMBER})).await;
    assert_refused(&answer, 500, "unexpected_failure", "Unable to get SMS provider");
}

type SentMessages = Arc<Mutex<Vec<BTreeMap<String, String>>>>;

/// Starts a stand-in for Twilio that refuses numbers which end in a zero.
async fn twilio() -> (String, SentMessages) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let messages = SentMessages::default();
    let recorder = messages.clone();
    let take = move |Path(account): Path<String>,
                     headers: HeaderMap,
                     Form(form): Form<BTreeMap<String, String>>| {
        let recorder = recorder.clone();
        async move {
            // HTTP Basic credentials of `AC1:token`.
            let known = headers["authorization"] == "Basic QUMxOnRva2Vu" && account == "AC1";
            if !known || form["To"].ends_with('0') {
                return Err::<Json<Value>, _>(StatusCode::BAD_REQUEST);
            }
            recorder.lock().unwrap().push(form);
            Ok(Json(json!({"sid": "SM1"})))
        }
    };
    let router = Router::new().route("/2010-04-01/Accounts/{account}/Messages.json", post(take));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, messages)
}

#[tokio::test]
async fn messages_go_out_through_the_provider() {
    let (url, messages) = twilio().await;
    let world = World::with(|config| {
        config.phone_enabled = true;
        config.sms.provider = Some(SmsProvider::Twilio(TwilioConfig {
            account_sid: "AC1".to_owned(),
            auth_token: "token".into(),
            sender: "MG1".to_owned(),
            base_url: Some(url),
        }));
    })
    .await;
    let answer = world.post("/otp", json!({"phone": NUMBER})).await;
    assert_eq!(answer.json(), json!({"message_id": "SM1"}));
    let message = messages.lock().unwrap()[0].clone();
    assert_eq!(message["To"], "+33612345678");
    assert_eq!(message["MessagingServiceSid"], "MG1");
    let code = message["Body"].strip_prefix("Your code is ").unwrap();
    assert_eq!(verify(&world, "sms", NUMBER, code).await.status, 200);
    let answer = world.post("/otp", json!({"phone": "33612345670"})).await;
    assert_refused(&answer, 422, "sms_send_failed", "Error sending sms OTP to provider");
}

#[tokio::test]
async fn account_without_email_reauthenticates_by_text() {
    let world = World::with(|config| {
        with_test_numbers(config);
        config.sms_autoconfirm = true;
        config.password.update_requires_reauthentication = true;
    })
    .await;
    let body = json!({"phone": NUMBER, "password": PASSWORD});
    let session = world.post("/signup", body).await.json();
    let token = text(&session, "/access_token").to_owned();
    world.run("update auth.sessions set created_at = created_at - interval '25 hours'").await;
    let answer = world.get_as(&token, "/reauthenticate").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"message_id": "test-otp"})));
    let change = |nonce: &str| json!({"password": "another horse", "nonce": nonce});
    let wrong = world.put_as(&token, "/user", change("000000")).await;
    assert_eq!(wrong.json()["code"], "reauthentication_not_valid");
    assert_eq!(world.put_as(&token, "/user", change("123456")).await.status, 200);
}
