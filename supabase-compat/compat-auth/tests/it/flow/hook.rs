use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compat_auth::Hook;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::HeaderMap;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::net::TcpListener;

use crate::world::{World, assert_refused, text};

fn function(name: &str) -> Option<Hook> {
    Some(Hook::parse(&format!("pg-functions://postgres/public/{name}"), "").unwrap())
}

#[tokio::test]
async fn a_function_adds_claims_to_every_token() {
    let world = World::with(|config| config.hooks.custom_access_token = function("claims")).await;
    world
        .run(
            "create function public.claims(event jsonb) returns jsonb language sql as $$
                select jsonb_build_object(
                    'claims',
                    event -> 'claims' || jsonb_build_object('plan', 'gold', 'how', event -> 'authentication_method')
                )
            $$",
        )
        .await;
    let session = world.member("ada").await;
    let now = world.personas.clock().unix();
    let claims = world.personas.keys().verify(text(&session, "/access_token"), now).unwrap();
    assert_eq!(claims.get("plan").unwrap(), "gold");
    assert_eq!(claims.get("how").unwrap(), "password");
    assert_eq!(world.get_as(text(&session, "/access_token"), "/user").await.status, 200);
}

#[tokio::test]
async fn failing_access_token_hook_prevents_sign_in() {
    let world = World::with(|config| config.hooks.custom_access_token = function("claims")).await;
    let sign_up = || {
        let user = compat_auth::NewUser {
            email: "ada@example.test".to_owned(),
            password: "correct horse".into(),
            user_metadata: serde_json::Map::new(),
            app_metadata: serde_json::Map::new(),
            confirmed: true,
        };
        compat_auth::ensure_user(&world.state, user)
    };
    sign_up().await.unwrap();
    let missing = world.sign_in("ada").await;
    assert_refused(&missing, 500, "unexpected_failure", "Error running hook");
    world.run("create function public.claims(event jsonb) returns jsonb language sql as $$ select '{\"claims\": {}}'::jsonb $$").await;
    let forgetful = world.sign_in("ada").await;
    let message = "output claims do not conform to the expected schema: aud is required";
    assert_refused(&forgetful, 500, "unexpected_failure", message);
    world
        .run(
            "create or replace function public.claims(event jsonb) returns jsonb language sql
            as $$ select '{\"error\": {\"http_code\": 403, \"message\": \"Not you\"}}'::jsonb $$",
        )
        .await;
    assert_refused(&world.sign_in("ada").await, 403, "unknown", "Not you");
    assert_eq!(world.count("select count(*) from auth.sessions").await, 0);
}

#[tokio::test]
async fn a_function_may_keep_people_out() {
    let world = World::with(|config| config.hooks.before_user_created = function("screen")).await;
    world
        .run(
            "create function public.screen(event jsonb) returns jsonb language sql as $$
                select case
                    when event -> 'user' ->> 'email' like '%@example.test' then '{}'::jsonb
                    else '{\"error\": {\"http_code\": 403, \"message\": \"Only our own\"}}'::jsonb
                end
            $$",
        )
        .await;
    let body = |email: &str| json!({"email": email, "password": "correct horse"});
    assert_eq!(world.post("/signup", body("ada@example.test")).await.status, 200);
    let refusal = world.post("/signup", body("ada@evil.test")).await;
    assert_refused(&refusal, 403, "unknown", "Only our own");
    assert_eq!(world.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn password_attempt_hook_rejection_ends_sessions() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let strict =
        World::with(|config| config.hooks.password_verification_attempt = function("guard")).await;
    strict
        .run(
            "create function public.guard(event jsonb) returns jsonb language sql as $$
                select jsonb_build_object('decision', case when (event ->> 'valid')::boolean then 'continue' else 'reject' end)
            $$",
        )
        .await;
    let signed_in = strict.member("ada").await;
    let body = json!({"email": "ada@example.test", "password": "wrong"});
    let refusal = strict.post("/token?grant_type=password", body).await;
    assert_refused(&refusal, 400, "unknown", "Invalid login credentials");
    let signed_out = strict.get_as(text(&signed_in, "/access_token"), "/user").await;
    assert_eq!(signed_out.json()["code"], "session_not_found");
    assert_eq!(world.get_as(text(&session, "/access_token"), "/user").await.status, 200);
}

type RecordedCalls = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

/// Starts a hook that gives these answers in turn and then repeats the last; returns its URL and
/// its calls.
async fn listener(answers: Vec<(u16, Value)>) -> (String, RecordedCalls) {
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", socket.local_addr().unwrap());
    let calls = RecordedCalls::default();
    let recorder = calls.clone();
    let receive = move |headers: HeaderMap, body: Bytes| {
        let mut recorder = recorder.lock().unwrap();
        recorder.push((headers, body));
        let (status, answer) = answers[(recorder.len() - 1).min(answers.len() - 1)].clone();
        async move { (http::StatusCode::from_u16(status).unwrap(), answer.to_string()) }
    };
    let router = Router::new().route("/hook", post(receive));
    tokio::spawn(async move { axum::serve(socket, router).await });
    (url, calls)
}

#[tokio::test]
async fn http_hook_is_signed_and_retried_after_503() {
    let (url, calls) = listener(vec![(503, json!({})), (200, json!({}))]).await;
    let key = b"a key of some length";
    let secrets = format!("v1,whsec_{}", STANDARD.encode(key));
    let hook = Hook::parse(&url, &secrets).unwrap();
    let world = World::with(|config| config.hooks.before_user_created = Some(hook)).await;
    let body = json!({"email": "ada@example.test", "password": "correct horse"});
    assert_eq!(world.post("/signup", body).await.status, 200);
    let calls = calls.lock().unwrap();
    assert_eq!(calls.len(), 2);
    let (headers, body) = &calls[1];
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(format!("{}.{}.", header("webhook-id"), header("webhook-timestamp")).as_bytes());
    mac.update(body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(header("webhook-signature"), expected);
    let payload: Value = serde_json::from_slice(body).unwrap();
    assert_eq!(payload["user"]["email"], "ada@example.test");
    assert_eq!(payload["metadata"]["name"], "before-user-created");
}

#[tokio::test]
async fn an_address_that_fails_keeps_people_out() {
    let (url, _) = listener(vec![(500, json!({}))]).await;
    let hook = Hook::parse(&url, &format!("v1,whsec_{}", STANDARD.encode("key"))).unwrap();
    let world = World::with(|config| config.hooks.before_user_created = Some(hook)).await;
    let body = json!({"email": "ada@example.test", "password": "correct horse"});
    let refusal = world.post("/signup", body).await;
    assert_refused(&refusal, 500, "unexpected_failure", "Error running hook");
    assert_eq!(world.count("select count(*) from auth.users").await, 0);
}

#[test]
fn invalid_hook_settings_are_refused() {
    for (uri, secrets) in [
        ("", ""),
        ("pg-functions://postgres/public", ""),
        ("http://hooks.example/x", "v1,whsec_YQ=="),
        ("https://hooks.example/x", "whsec_YQ=="),
        ("https://hooks.example/x", "v1,whsec_!!"),
    ] {
        assert!(Hook::parse(uri, secrets).is_err(), "{uri}");
    }
}
