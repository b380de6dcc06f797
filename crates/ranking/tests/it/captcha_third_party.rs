//! Votes with hCaptcha or Turnstile. A stand-in for both answers over HTTP; like them it accepts an
//! answer once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::extract::{Form, State};
use axum::routing::post;
use axum::{Json, Router};
use http::StatusCode;
use ranking::{CaptchaProvider, Config};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::world::{VoteAttempt, World, refusal, status_and_body};

type Requests = Arc<Mutex<Vec<BTreeMap<String, String>>>>;

/// A stand-in provider that records its requests.
struct Judge {
    url: String,
    requests: Requests,
}

impl Judge {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/siteverify", listener.local_addr().expect("an address"));
        let requests = Requests::default();
        let router =
            Router::new().route("/siteverify", post(judge)).with_state(Arc::clone(&requests));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, requests }
    }

    fn request_count(&self) -> usize {
        self.requests.lock().expect("whole").len()
    }

    fn set(&self, config: &mut Config, provider: CaptchaProvider) {
        config.captcha.provider = provider;
        config.captcha.site_key = Some("our-key".into());
        config.captcha.secret = Some("our-secret".into());
        config.captcha.siteverify_url = Some(self.url.clone());
    }
}

async fn judge(
    State(requests): State<Requests>,
    Form(form): Form<BTreeMap<String, String>>,
) -> Result<Json<Value>, StatusCode> {
    let mut requests = requests.lock().expect("whole");
    let known: BTreeSet<String> = requests.iter().map(|form| form["response"].clone()).collect();
    let (secret, answer) = (form["secret"].clone(), form["response"].clone());
    requests.push(form);
    match (&*secret, &*answer) {
        ("our-secret", "broken") => Err(StatusCode::BAD_GATEWAY),
        ("our-secret", right) if right.starts_with("right") && !known.contains(right) => {
            Ok(Json(json!({ "success": true, "hostname": "palmares.example" })))
        }
        ("our-secret", right) if right.starts_with("right") => {
            Ok(Json(json!({ "success": false, "error-codes": ["timeout-or-duplicate"] })))
        }
        _ => Ok(Json(json!({ "success": false, "error-codes": ["invalid-input-response"] }))),
    }
}

fn not_passed() -> (u16, Value) {
    refusal(400, "captcha_failed", "The captcha was not passed; please try again")
}

#[tokio::test]
async fn vote_requires_an_accepted_captcha_answer() {
    for provider in [CaptchaProvider::Hcaptcha, CaptchaProvider::Turnstile] {
        let judge = Judge::start().await;
        let world = World::with(|config| judge.set(config, provider)).await;
        let ada = VoteAttempt::guest(world.server("Avalon").await, "Ada", 1);
        for bad in ["", "  ", "wrong", &"x".repeat(5000)] {
            assert_eq!(
                status_and_body(&world.vote_with(&ada, bad).await),
                not_passed(),
                "{bad:.9}"
            );
        }
        assert_eq!(judge.request_count(), 1, "what can be no answer is nobody's to judge");
        assert_eq!(world.vote_with(&ada, "right 1").await.status, 200);
        assert_eq!(world.vote_count().await, 1);
        let requests = judge.requests.lock().expect("whole").clone();
        assert_eq!(requests[1]["remoteip"], "203.0.113.1");
        assert_eq!(requests[1]["secret"], "our-secret");
    }
}

#[tokio::test]
async fn spent_captcha_answer_is_not_accepted_again() {
    let judge = Judge::start().await;
    let world = World::with(|config| judge.set(config, CaptchaProvider::Turnstile)).await;
    let server = world.server("Avalon").await;
    let other = world.server("Camelot").await;
    assert_eq!(world.vote_with(&VoteAttempt::guest(server, "Ada", 1), "right 1").await.status, 200);
    for again in [VoteAttempt::guest(server, "Bob", 2), VoteAttempt::guest(other, "Ada", 1)] {
        assert_eq!(status_and_body(&world.vote_with(&again, "right 1").await), not_passed());
    }
    assert_eq!(world.vote_count().await, 1);
}

#[tokio::test]
async fn invalid_nickname_does_not_spend_captcha_answer() {
    let judge = Judge::start().await;
    let world = World::with(|config| judge.set(config, CaptchaProvider::Hcaptcha)).await;
    let server = world.server_of("Minecraft", "Avalon").await;
    let bad = world.vote_with(&VoteAttempt::guest(server, "Ada with blanks", 1), "right 1").await;
    assert_eq!((bad.status.as_u16(), &bad.json()["code"]), (400, &json!("nickname_pattern")));
    assert_eq!(
        world.vote_with(&VoteAttempt::guest(server, "Ada_42", 1), "right 1").await.status,
        200
    );
    assert_eq!(judge.request_count(), 1);
}

#[tokio::test]
async fn unavailable_captcha_provider_returns_503() {
    let judge = Judge::start().await;
    let world = World::with(|config| judge.set(config, CaptchaProvider::Turnstile)).await;
    let ada = VoteAttempt::guest(world.server("Avalon").await, "Ada", 1);
    let answer = world.vote_with(&ada, "broken").await;
    let message = "The captcha cannot be checked at the moment; please try again";
    assert_eq!(status_and_body(&answer), refusal(503, "captcha_unavailable", message));
    assert_eq!(&answer.headers["retry-after"], "5");
    assert_eq!(world.vote_count().await, 0);
}

#[tokio::test]
async fn challenges_are_posed_only_where_they_are_taken() {
    let judge = Judge::start().await;
    let world = World::with(|config| judge.set(config, CaptchaProvider::Turnstile)).await;
    let path = format!("captcha-challenge?purpose=vote&server={}", world.server("Avalon").await);
    let answer = world.function("GET", &path, [203, 0, 113, 1].into(), &[], Value::Null).await;
    let message = "Challenges are posed by the captcha's provider";
    assert_eq!(status_and_body(&answer), refusal(400, "bad_request", message));
}
