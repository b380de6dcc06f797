//! An email in the outbox is sent, even if the process that enqueued it fails.

use std::sync::Arc;

use axum::Router;
use compat_auth::{Config, State, run_outbox};
use compat_mail::{DeliveryError, Email, Mailbox, Mailer, Transport};
use compat_testkit::{TestResponse, call};
use futures_util::future::BoxFuture;
use http::Request;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::world::{World, assert_refused};

const WAITING: &str = "select count(*) from auth.mail_queue";

/// A mail relay that signals each request and accepts no email before it gets a permit.
#[derive(Clone)]
struct SlowRelay {
    requests: Arc<Semaphore>,
    let_through: Arc<Semaphore>,
    mailbox: Mailbox,
}

impl SlowRelay {
    fn into(mailbox: &Mailbox) -> Self {
        let none = || Arc::new(Semaphore::new(0));
        Self { requests: none(), let_through: none(), mailbox: mailbox.clone() }
    }
}

impl Transport for SlowRelay {
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>> {
        Box::pin(async move {
            self.requests.add_permits(1);
            self.let_through.acquire().await.unwrap().forget();
            self.mailbox.deliver(email).await
        })
    }
}

/// A mail relay that refuses every email.
struct ClosedRelay;

impl Transport for ClosedRelay {
    fn deliver(&self, _: Email) -> BoxFuture<'_, Result<(), DeliveryError>> {
        Box::pin(std::future::ready(Err(DeliveryError("554 no".to_owned()))))
    }
}

/// Another process on the same database, with its own mail relay.
fn process(world: &World, relay: impl Transport + 'static, in_background: bool) -> State {
    let mut config = Config { mount: "/auth/v1".to_owned(), ..Config::default() };
    config.email.background_sending = in_background;
    State::new(
        world.personas.environment(),
        world.personas.keys().clone(),
        world.personas.api_keys().clone(),
        world.db.pools().owner.clone(),
        Mailer::new(relay),
        config,
    )
}

async fn recover(router: Router, email: &str) -> TestResponse {
    let request = Request::post("/recover")
        .header("x-supabase-api-version", "2024-01-01")
        .body(json!({"email": email}).to_string().into());
    call(&router, request.unwrap()).await
}

/// Runs a process's outbox until `mails` emails have arrived.
async fn deliver(state: State, mailbox: &Mailbox, mails: u64) {
    let stop = CancellationToken::new();
    let working = tokio::spawn(run_outbox(state, stop.clone()));
    mailbox.arrival(mails).await;
    stop.cancel();
    working.await.unwrap();
}

#[tokio::test]
async fn queued_mail_survives_a_process_crash() {
    let world = World::new().await;
    world.member("ada").await;
    let email = world.personas.email("ada");
    let relay = SlowRelay::into(&world.mailbox);
    let dying = compat_auth::router(process(&world, relay.clone(), false));
    let request = tokio::spawn({
        let email = email.clone();
        async move { recover(dying, &email).await.status }
    });
    relay.requests.acquire().await.unwrap().forget();
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    assert!(world.mailbox.latest(&email).is_none());
    assert_eq!(world.count(WAITING).await, 1);

    // The email is claimed again only after its lease has ended.
    world.advance(31);
    deliver(world.state.clone(), &world.mailbox, 1).await;
    assert_eq!(world.count(WAITING).await, 0);
    let followed = world.get(&world.link_to(&email)).await;
    assert!(followed.header("location").contains("access_token="));
}

#[tokio::test]
async fn answer_precedes_delivery_and_shutdown_waits_for_it() {
    let world = World::new().await;
    world.member("ada").await;
    let email = world.personas.email("ada");
    let relay = SlowRelay::into(&world.mailbox);
    let state = process(&world, relay.clone(), true);
    let answer = recover(compat_auth::router(state.clone()), &email).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})));
    assert_eq!(world.count(WAITING).await, 1);

    let stop = CancellationToken::new();
    let working = tokio::spawn(run_outbox(state, stop.clone()));
    relay.requests.acquire().await.unwrap().forget();
    assert!(world.mailbox.latest(&email).is_none());
    stop.cancel();
    relay.let_through.add_permits(1);
    working.await.unwrap();
    assert!(world.mailbox.latest(&email).is_some());
    assert_eq!(world.count(WAITING).await, 0);
}

#[tokio::test]
async fn relay_refusal_fails_request_without_retry() {
    let world = World::new().await;
    world.member("ada").await;
    let email = world.personas.email("ada");
    let answer = recover(compat_auth::router(process(&world, ClosedRelay, false)), &email).await;
    assert_refused(&answer, 500, "unexpected_failure", "Error sending recovery email");
    assert_eq!(world.count(WAITING).await, 0);
}

#[tokio::test]
async fn undeliverable_notice_stays_in_mail_queue() {
    let world = World::new().await;
    let session = world.member("ada").await;
    let mut config = Config::default();
    config.email.notices = compat_auth::mail::MailKind::NOTICES.to_vec();
    let state = State::new(
        world.personas.environment(),
        world.personas.keys().clone(),
        world.personas.api_keys().clone(),
        world.db.pools().owner.clone(),
        Mailer::new(ClosedRelay),
        config,
    );
    let mut request = Request::put("/user");
    for (name, value) in world.personas.as_bearer(crate::world::text(&session, "/access_token")) {
        request = request.header(name, value);
    }
    let body = json!({"password": "another horse"}).to_string();
    let answer = call(&compat_auth::router(state), request.body(body.into()).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let reason = world.text("select reason from auth.mail_queue").await;
    assert_eq!(reason, "Error sending password_changed email: 554 no");
}

#[tokio::test]
async fn mail_payload_is_private_and_erased_when_abandoned() {
    let world = World::new().await;
    world.member("ada").await;
    recover(compat_auth::router(process(&world, ClosedRelay, true)), &world.personas.email("ada"))
        .await;
    let readers = world
        .count(
            "select count(*)
            from pg_catalog.pg_roles
            where rolname <> current_user
                and not rolsuper
                and rolname !~ '^pg_'
                and has_table_privilege(oid, 'auth.mail_queue', 'select')",
        )
        .await;
    assert_eq!(readers, 0);
    assert!(world.text("select payload::text from auth.mail_queue").await.contains("token="));
    world.run("update auth.mail_queue set given_up_at = now()").await;
    assert_eq!(world.text("select payload::text from auth.mail_queue").await, "null");
}
