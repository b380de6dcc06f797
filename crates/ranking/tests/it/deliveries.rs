//! The delivery of votes to webhooks and Votifier listeners.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State as AppState;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::world::{VoteAttempt, World};

const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 200));

/// A webhook receiver that records its requests and answers as configured.
#[derive(Clone)]
struct Receiver {
    url: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    answers: Arc<Mutex<StatusCode>>,
    /// While this is set, the receiver answers only after the notification.
    held: Arc<Mutex<Option<Arc<Notify>>>>,
}

#[derive(Clone, Debug)]
struct ReceivedRequest {
    path: String,
    headers: HeaderMap,
    body: String,
}

async fn receiver() -> Receiver {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let receiver = Receiver {
        url: format!("http://{}", listener.local_addr().expect("an address")),
        requests: Arc::default(),
        answers: Arc::new(Mutex::new(StatusCode::OK)),
        held: Arc::default(),
    };
    let app = Router::new().fallback(receive).with_state(receiver.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    receiver
}

async fn receive(
    AppState(receiver): AppState<Receiver>,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> impl IntoResponse {
    let path = uri.path_and_query().expect("a path").to_string();
    receiver.requests.lock().expect("whole").push(ReceivedRequest { path, headers, body });
    let held = receiver.held.lock().expect("whole").clone();
    if let Some(held) = held {
        held.notified().await;
    }
    let status = *receiver.answers.lock().expect("whole");
    (status, "thank you")
}

impl Receiver {
    fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().expect("whole").clone()
    }

    fn answer(&self, status: StatusCode) {
        *self.answers.lock().expect("whole") = status;
    }
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }
}

async fn hook(world: &World, server: Uuid, url: &str, format: &str) {
    let mut owner = world.begin().await;
    sqlx::query(
        "insert into public.webhooks (server_id, url, secret, format)
         values ($1, $2, 'the secret', $3)",
    )
    .bind(server)
    .bind(url)
    .bind(format)
    .execute(&mut *owner)
    .await
    .expect("a webhook");
    owner.commit().await.expect("committed");
}

/// Delivers in the background until the number of rows with this condition is `expected`.
async fn deliver_until(world: &World, condition: &'static str, expected: i64) {
    let stop = CancellationToken::new();
    let running = tokio::spawn(ranking::run_deliveries(world.state.clone(), stop.clone()));
    reach(world, condition, expected).await;
    stop.cancel();
    running.await.expect("ended in order");
}

async fn reach(world: &World, condition: &'static str, expected: i64) {
    let reached = async {
        while count(world, condition).await != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), reached).await;
    assert!(waited.is_ok(), "{condition}: {}", count(world, condition).await);
}

async fn count(world: &World, question: &'static str) -> i64 {
    let mut owner = world.begin().await;
    sqlx::query_scalar(question).fetch_one(&mut *owner).await.expect("a count")
}

const DELIVERED: &str = "select count(*) from public.deliveries where status = 'delivered'";
const FAILED: &str = "select count(*) from public.deliveries where status = 'failed'";
const TRIED: &str = "select count(*) from public.deliveries where attempts > 0";

#[tokio::test]
async fn vote_webhook_is_signed_and_logged_without_secrets() {
    let world = World::new().await;
    let receiver = receiver().await;
    let server = world.server("Avalon").await;
    hook(&world, server, &format!("{}/private/path", receiver.url), "json").await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    deliver_until(&world, DELIVERED, 1).await;
    let requests = receiver.requests();
    let [one] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((one.path.as_str(), one.header("webhook-event")), ("/private/path", "vote.created"));
    let body: Value = serde_json::from_str(&one.body).expect("JSON");
    assert_eq!(body["id"], one.header("webhook-id"));
    assert_eq!(body["vote"]["nickname"], "Ada");
    let mut mac = Hmac::<Sha256>::new_from_slice(b"the secret").expect("a key");
    let signed =
        format!("{}.{}.{}", one.header("webhook-id"), one.header("webhook-timestamp"), one.body);
    mac.update(signed.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    assert_eq!(one.header("webhook-signature"), format!("v1,{signature}"));
    let mut owner = world.begin().await;
    let (request, status, answer): (String, i32, String) =
        sqlx::query_as("select request, answer_status, answer from public.deliveries")
            .fetch_one(&mut *owner)
            .await
            .expect("a line");
    assert_eq!((status, answer.as_str()), (200, "thank you"));
    for secret in ["private", "the secret", &signature] {
        assert!(!request.contains(secret), "{request}");
    }
}

#[tokio::test]
async fn retried_and_replayed_deliveries_keep_their_id() {
    let world = World::new().await;
    let receiver = receiver().await;
    let server = world.server("Avalon").await;
    hook(&world, server, &receiver.url, "json").await;
    receiver.answer(StatusCode::BAD_GATEWAY);
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    deliver_until(&world, TRIED, 1).await;
    assert_eq!(count(&world, "select count(*) from public.deliveries where status = 'pending' and fault = 'status' and next_attempt_at > created_at").await, 1);
    receiver.answer(StatusCode::OK);
    world.clock().advance(Duration::from_secs(60));
    deliver_until(&world, DELIVERED, 1).await;
    world
        .sql("update public.deliveries set status = 'failed'; select public.replay_deliveries(server_id) from public.servers as s, public.deliveries as d where d.server_id = s.id")
        .await;
    deliver_until(&world, DELIVERED, 1).await;
    let ids: Vec<_> =
        receiver.requests().iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test]
async fn unresponsive_receiver_does_not_delay_others() {
    let world = World::new().await;
    let (slow, quick) = (receiver().await, receiver().await);
    let forever = Arc::new(Notify::new());
    *slow.held.lock().expect("whole") = Some(Arc::clone(&forever));
    let (first, second) = (world.server("Slow").await, world.server("Quick").await);
    hook(&world, first, &slow.url, "json").await;
    hook(&world, second, &quick.url, "json").await;
    for last in 1..=20 {
        assert_eq!(
            world.vote(&VoteAttempt::guest(first, &format!("Slow{last}"), last)).await.status,
            200
        );
    }
    let stop = CancellationToken::new();
    let running = tokio::spawn(ranking::run_deliveries(world.state.clone(), stop.clone()));
    while slow.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    for last in 1..=5 {
        assert_eq!(
            world.vote(&VoteAttempt::guest(second, &format!("Quick{last}"), last)).await.status,
            200
        );
    }
    reach(&world, DELIVERED, 5).await;
    assert!(slow.requests().len() <= 2, "two at a time");
    stop.cancel();
    slow.held.lock().expect("whole").take();
    forever.notify_waiters();
    running.await.expect("ended in order");
}

#[tokio::test]
async fn two_processes_tell_each_vote_once() {
    let world = World::new().await;
    let second_process = world.second_process();
    let ahead = world.clock().now() - second_process.clock().now();
    if let Ok(ahead) = ahead.to_std() {
        second_process.clock().advance(ahead);
    }
    let receiver = receiver().await;
    for place in 0..2 {
        let server = world.server(&format!("Server {place}")).await;
        hook(&world, server, &receiver.url, "json").await;
        for last in 1..=10 {
            assert_eq!(
                world.vote(&VoteAttempt::guest(server, &format!("Ada{last}"), last)).await.status,
                200
            );
        }
    }
    let stop = CancellationToken::new();
    let both = [&world, &second_process]
        .map(|one| tokio::spawn(ranking::run_deliveries(one.state.clone(), stop.clone())));
    reach(&world, DELIVERED, 20).await;
    stop.cancel();
    for one in both {
        one.await.expect("ended in order");
    }
    let mut ids: Vec<_> =
        receiver.requests().iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 20);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
}

#[tokio::test]
async fn gone_receiver_is_disabled_and_owner_notified() {
    let world = World::new().await;
    let receiver = receiver().await;
    let ada = world.account("ada").await;
    let server = world.server("Avalon").await;
    let mut owner = world.begin().await;
    sqlx::query("with a as (update auth.users set email_confirmed_at = now()) update public.servers set owner_id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("an owner");
    owner.commit().await.expect("committed");
    hook(&world, server, &receiver.url, "json").await;
    receiver.answer(StatusCode::GONE);
    for last in 1..=3 {
        assert_eq!(
            world.vote(&VoteAttempt::guest(server, &format!("Ada{last}"), last)).await.status,
            200
        );
    }
    deliver_until(&world, FAILED, 3).await;
    assert_eq!(receiver.requests().len(), 2, "nobody is told after that");
    let off =
        "select count(*) from public.webhooks where not is_active and disabled_reason = 'gone'";
    assert_eq!(count(&world, off).await, 1);
    let recipients: Vec<String> = world.emails().await.into_iter().map(|email| email.to).collect();
    assert_eq!(recipients, ["ada@example.test"]);
    world.sql("update public.webhooks set is_active = true").await;
    assert_eq!(count(&world, off).await, 0, "switched on again nothing is held against it");
}

#[tokio::test]
async fn a_postback_fills_the_places_of_its_address() {
    let world = World::new().await;
    let receiver = receiver().await;
    let server = world.server("Avalon").await;
    hook(&world, server, &format!("{}/in?p={{nick}}&key={{secret}}", receiver.url), "postback")
        .await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada Co", 1)).await.status, 200);
    deliver_until(&world, DELIVERED, 1).await;
    assert_eq!(receiver.requests()[0].path, "/in?p=Ada%20Co&key=the%20secret");
    let redacted = "select count(*) from public.deliveries where request not like '%the%20secret%'";
    assert_eq!(count(&world, redacted).await, 1);
}

/// Starts a version 2 listener like NuVotifier; returns its port, and the votes with whether their
/// signatures were valid.
async fn listener(token: &'static str) -> (u16, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let commands = Arc::new(Mutex::new(Vec::new()));
    let votes = Arc::clone(&commands);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let votes = Arc::clone(&votes);
            tokio::spawn(async move {
                stream.write_all(b"VOTIFIER 2 thechallenge\n").await.expect("greeted");
                let mut head = [0; 4];
                stream.read_exact(&mut head).await.expect("a head");
                assert_eq!(head[..2], [0x73, 0x3a]);
                let mut message = vec![0; usize::from(u16::from_be_bytes([head[2], head[3]]))];
                stream.read_exact(&mut message).await.expect("a message");
                let message: Value = serde_json::from_slice(&message).expect("JSON");
                let payload = message["payload"].as_str().expect("text");
                let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("a key");
                mac.update(payload.as_bytes());
                let signature = STANDARD.decode(message["signature"].as_str().expect("text"));
                let answer = if mac.verify_slice(&signature.expect("base64")).is_ok() {
                    let vote: Value = serde_json::from_str(payload).expect("JSON");
                    assert_eq!(vote["challenge"], "thechallenge");
                    votes.lock().expect("whole").push(vote);
                    r#"{"status":"ok"}"#
                } else {
                    r#"{"status":"error","cause":"CorruptedFrameException","error":"Signature is not valid (invalid token?)"}"#
                };
                let _ = stream.write_all(format!("{answer}\r\n").as_bytes()).await;
            });
        }
    });
    (port, commands)
}

/// Opens a port that sends a greeting and closes, or sends nothing and waits.
async fn port_saying(greeting: Option<&'static str>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                match greeting {
                    Some(greeting) => drop(stream.write_all(greeting.as_bytes()).await),
                    None => drop(stream.read(&mut [0; 1]).await),
                }
            });
        }
    });
    port
}

async fn listens(world: &World, server: Uuid, port: u16, protocol: &str, token: Option<&str>) {
    let mut owner = world.begin().await;
    sqlx::query(
        "insert into public.votifier_configs (server_id, host, port, protocol, token, public_key)
         values ($1, '127.0.0.1', $2, $3, $4, case when $4 is null then 'bm8ga2V5' end)
         on conflict (server_id) do update set port = excluded.port, protocol = excluded.protocol,
           token = excluded.token, public_key = excluded.public_key",
    )
    .bind(server)
    .bind(i32::from(port))
    .bind(protocol)
    .bind(token)
    .execute(&mut *owner)
    .await
    .expect("a listener");
    owner.commit().await.expect("committed");
}

#[tokio::test]
async fn votifier_delivery_is_confirmed_to_the_voter() {
    let world = World::new().await;
    let server = world.server("Avalon").await;
    let (port, received) = listener("the token").await;
    listens(&world, server, port, "auto", Some("the token")).await;
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Ada", 1)).await.status, 200);
    deliver_until(&world, DELIVERED, 1).await;
    let votes = received.lock().expect("whole").clone();
    let [vote] = &votes[..] else { panic!("{votes:?}") };
    assert_eq!((&vote["username"], &vote["serviceName"]), (&json!("Ada"), &json!("localhost")));
    let arrival = "select count(*) from public.votes as v, public.get_vote_arrival(v.id) as a
                   where a.channel = 'votifier' and a.status = 'delivered' and a.is_confirmed";
    assert_eq!(count(&world, arrival).await, 1);
}

#[tokio::test]
async fn votifier_test_reports_fault_to_owner_only() {
    let world = World::new().await;
    let (ada, _) = (world.account("ada").await, world.account("ben").await);
    let server = world.server("Avalon").await;
    let mut owner = world.begin().await;
    sqlx::query("update public.servers set owner_id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("an owner");
    owner.commit().await.expect("committed");
    let test_delivery = async |name: &'static str| {
        let headers = world.personas.as_user(name);
        // The rate limit of test deliveries: ten at once, then one every ten seconds.
        world.clock().advance(Duration::from_secs(10));
        let answer = world
            .function("POST", "votifier-test", HOME, &headers, json!({ "serverId": server }))
            .await;
        (answer.status.as_u16(), answer.json())
    };
    assert_eq!(test_delivery("ada").await.0, 409, "nothing is set up");
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let refusing = closed.local_addr().expect("an address").port();
    drop(closed);
    let (right, _) = listener("right").await;
    let cases = [
        (refusing, "auto", Some("right"), "refused"),
        (port_saying(None).await, "auto", Some("right"), "no_greeting"),
        (port_saying(Some("")).await, "auto", Some("right"), "closed"),
        (port_saying(Some("SSH-2.0-x\n")).await, "auto", Some("right"), "not_votifier"),
        (port_saying(Some("VOTIFIER 1.9\n")).await, "auto", Some("right"), "needs_key"),
        (port_saying(Some("VOTIFIER 1.9\n")).await, "v1", None, "bad_key"),
        (right, "v2", Some("wrong"), "wrong_token"),
        (port_saying(Some("VOTIFIER 2 abc\n")).await, "v2", Some("right"), "no_reply"),
    ];
    for (port, protocol, token, fault) in cases {
        listens(&world, server, port, protocol, token).await;
        let (status, body) = test_delivery("ada").await;
        assert_eq!((status, &body["data"]["fault"]), (200, &json!(fault)), "{body}");
        assert_eq!(body["data"]["isDelivered"], false);
    }
    assert_eq!(test_delivery("ben").await.0, 403);
    listens(&world, server, right, "v2", Some("right")).await;
    let (_, body) = test_delivery("ada").await;
    assert_eq!(body["data"]["isConfirmed"], true, "{body}");
    assert_eq!(
        count(&world, "select count(*) from public.deliveries where event = 'votifier.test'").await,
        9
    );
}
