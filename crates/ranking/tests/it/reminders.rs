//! Vote reminders, with a push service in this process that can be unavailable or know no browser.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode};
use p256::SecretKey;
use ranking::jobs;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::world::{VoteAttempt, World, status_and_body, work};

const COOLDOWN: Duration = Duration::from_secs(2 * 60 * 60);
const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));

/// A message that the push service received.
#[derive(Clone, Debug)]
struct Message {
    browser: String,
    headers: HeaderMap,
    length: usize,
}

/// A push service on this machine.
#[derive(Clone)]
struct PushService {
    address: String,
    answers: Arc<Mutex<StatusCode>>,
    messages: Arc<Mutex<Vec<Message>>>,
}

impl PushService {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/send", listener.local_addr().expect("an address"));
        let answers = Arc::new(Mutex::new(StatusCode::CREATED));
        let service = Self { address, answers, messages: Arc::default() };
        let routes = Router::new().route("/send/{browser}", post(take)).with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        service
    }

    fn answers(&self, status: StatusCode) {
        *self.answers.lock().expect("whole") = status;
    }

    fn take_messages(&self) -> Vec<Message> {
        std::mem::take(&mut *self.messages.lock().expect("whole"))
    }

    /// A browser's subscription in the browsers' format.
    fn subscription(&self, browser: &str) -> Value {
        let key = SecretKey::from_slice(&[7; 32]).expect("a key");
        json!({
            "endpoint": format!("{}/{browser}", self.address),
            "expirationTime": null,
            "keys": {
                "p256dh": URL_SAFE_NO_PAD.encode(key.public_key().to_sec1_bytes()),
                "auth": URL_SAFE_NO_PAD.encode([1; 16]),
            },
        })
    }
}

async fn take(
    State(service): State<PushService>,
    Path(browser): Path<String>,
    headers: HeaderMap,
    body: bytes::Bytes,
) -> StatusCode {
    let status = *service.answers.lock().expect("whole");
    if status.is_success() {
        let message = Message { browser, headers, length: body.len() };
        service.messages.lock().expect("whole").push(message);
    }
    status
}

async fn ask(world: &World, subscription: Value, server: Uuid) -> compat_testkit::TestResponse {
    let body = json!({ "subscription": subscription, "serverId": server, "language": "fr" });
    world.function("POST", "vote-reminder", HOME, &world.personas.as_anon(), body).await
}

/// The status and the code of a refusal.
fn refusal(answer: &compat_testkit::TestResponse) -> (u16, String) {
    let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), code)
}

async fn counts(world: &World) -> (i64, i64) {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select (select count(*) from public.push_subscriptions),
            (select count(*) from public.vote_reminders)",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("counts")
}

#[tokio::test]
async fn reminder_is_sent_once_when_vote_is_due() {
    let (world, service) = (World::new().await, PushService::new().await);
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    let due = (world.clock().now() + COOLDOWN).timestamp();
    let answer = ask(&world, service.subscription("one"), server).await;
    assert_eq!(status_and_body(&answer), (200, json!({ "remindAt": due })));

    assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
    world.clock().advance(COOLDOWN);
    assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 1);
    assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
    let [message] = &service.take_messages()[..] else { panic!("one message") };
    assert_eq!(message.browser, "one");
    let header = |name: &str| message.headers[name].to_str().expect("text").to_owned();
    assert_eq!((header("content-encoding"), header("ttl")), ("aes128gcm".into(), "3600".into()));
    let key = world.function("GET", "vote-reminder", HOME, &[], Value::Null).await.json();
    let key = key["publicKey"].as_str().expect("a key").to_owned();
    assert!(header("authorization").ends_with(&format!(", k={key}")));
    // The header, the delimiter and the authentication tag of the record surround the message.
    assert!(message.length > 86 + 17 + 50, "{}", message.length);
    assert_eq!(counts(&world).await, (1, 0));
}

#[tokio::test]
async fn each_browser_receives_one_message_for_all_servers() {
    let (world, service) = (World::new().await, PushService::new().await);
    for name in ["One", "Two"] {
        let server = world.server(name).await;
        assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
        for browser in ["phone", "desk"] {
            assert_eq!(ask(&world, service.subscription(browser), server).await.status, 200);
        }
    }
    world.clock().advance(COOLDOWN);
    let second_process = world.second_process();
    second_process.clock().advance(COOLDOWN);
    let (one, two) = tokio::join!(
        jobs::send_reminders(&world.state),
        jobs::send_reminders(&second_process.state)
    );
    assert_eq!(one.expect("done") + two.expect("done"), 2);
    let mut browsers: Vec<_> =
        service.take_messages().into_iter().map(|message| message.browser).collect();
    browsers.sort();
    assert_eq!(browsers, ["desk", "phone"]);
    assert_eq!(counts(&world).await, (2, 0));
}

#[tokio::test]
async fn gone_subscription_is_deleted_and_unreachable_one_retried() {
    let (world, service) = (World::new().await, PushService::new().await);
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    for status in [StatusCode::NOT_FOUND, StatusCode::GONE] {
        assert_eq!(ask(&world, service.subscription("one"), server).await.status, 200);
        world.sql("update public.vote_reminders set due_at = '-infinity'").await;
        service.answers(status);
        assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
        assert_eq!(counts(&world).await, (0, 0), "{status}");
    }
    service.answers(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ask(&world, service.subscription("one"), server).await.status, 200);
    world.clock().advance(COOLDOWN);
    for _ in 0..3 {
        assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
        // A retry is not sent before it is due.
        assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
        assert_eq!(counts(&world).await, (1, 1));
        world.clock().advance(COOLDOWN);
    }
    service.answers(StatusCode::CREATED);
    assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 1);
    assert_eq!(counts(&world).await, (1, 0));
}

#[tokio::test]
async fn reminders_are_cancelled_singly_or_per_browser() {
    let (world, service) = (World::new().await, PushService::new().await);
    let mut servers = Vec::new();
    for name in ["One", "Two", "Three"] {
        let server = world.server(name).await;
        assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
        assert_eq!(ask(&world, service.subscription("one"), server).await.status, 200);
        servers.push(server);
    }
    let endpoint = service.subscription("one")["endpoint"].clone();
    let end = async |body: Value| {
        status_and_body(&world.function("DELETE", "vote-reminder", HOME, &[], body).await)
    };
    let one = json!({ "endpoint": endpoint, "serverId": servers[0] });
    assert_eq!(end(one.clone()).await, (200, json!({ "ended": 1 })));
    assert_eq!(end(one).await, (200, json!({ "ended": 0 })));
    assert_eq!(counts(&world).await, (1, 2));
    assert_eq!(end(json!({ "endpoint": endpoint })).await, (200, json!({ "ended": 2 })));
    assert_eq!(counts(&world).await, (0, 0));
    assert_eq!(end(json!({ "endpoint": endpoint })).await, (200, json!({ "ended": 0 })));
}

#[tokio::test]
async fn impossible_reminders_are_rejected_and_not_stored() {
    let (world, service) = (World::new().await, PushService::new().await);
    let server = world.server("Avalon").await;
    let good = service.subscription("one");
    assert_eq!(refusal(&ask(&world, good.clone(), server).await), (409, "no_vote".into()));
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    world.clock().advance(COOLDOWN);
    assert_eq!(refusal(&ask(&world, good.clone(), server).await), (409, "no_vote".into()));
    let with = |path: &str, value: Value| {
        let mut changed = good.clone();
        *changed.pointer_mut(path).expect("a field") = value;
        changed
    };
    let long = format!("https://push.example/{}", "a".repeat(1000));
    for bad in [
        json!({}),
        with("/endpoint", json!("ftp://push.example/a")),
        with("/endpoint", json!("/a")),
        with("/endpoint", json!(long)),
        with("/keys/p256dh", json!("AAAA")),
        with("/keys/p256dh", json!("not base64")),
        with("/keys/auth", json!("AAAA")),
    ] {
        let answer = ask(&world, bad.clone(), server).await;
        assert_eq!(refusal(&answer), (400, "bad_request".into()), "{bad}");
    }
    let answer = world.function("PUT", "vote-reminder", HOME, &[], json!({})).await;
    assert_eq!(refusal(&answer), (405, "method_not_allowed".into()));
    assert_eq!(counts(&world).await, (0, 0));
}

#[tokio::test]
async fn an_address_within_the_house_is_never_dialled() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    let mut inside = PushService::new().await;
    inside.address = inside.address.replace("127.0.0.1", "127.0.0.2");
    assert_eq!(ask(&world, inside.subscription("one"), server).await.status, 200);
    world.clock().advance(COOLDOWN);
    assert_eq!(jobs::send_reminders(&world.state).await.expect("done"), 0);
    // The reminder is dropped at once, because the address will not change.
    assert_eq!(counts(&world).await, (1, 0));
}

#[tokio::test]
async fn inactive_push_subscriptions_are_pruned() {
    let (world, service) = (World::new().await, PushService::new().await);
    let server = world.server("Avalon").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    assert_eq!(ask(&world, service.subscription("one"), server).await.status, 200);
    assert_eq!(work(&world.state, "ranking.prune_subscriptions").await.expect("done"), 0);
    world.clock().advance(Duration::from_secs(181 * 24 * 60 * 60));
    assert_eq!(work(&world.state, "ranking.prune_subscriptions").await.expect("done"), 1);
    assert_eq!(counts(&world).await, (0, 0));
}
