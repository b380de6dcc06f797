//! The weekly mail to owners: sent once in spite of crashes, until they unsubscribe.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Datelike as _, Utc, Weekday};
use compat_mail::{DeliveryError, Email, Mailer, Outbox, Transport, dispatch_emails};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::world::{VoteAttempt, World, status_and_body, work};

const HOUR: Duration = Duration::from_secs(60 * 60);
const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));

/// A mailbox that rejects emails while it is shut.
#[derive(Clone, Default)]
struct Mailbox(Arc<Mutex<Vec<Email>>>, Arc<Mutex<bool>>);

impl Transport for Mailbox {
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>> {
        let is_shut = *self.1.lock().expect("whole");
        if !is_shut {
            self.0.lock().expect("whole").push(email);
        }
        Box::pin(std::future::ready(if is_shut {
            Err(DeliveryError("shut".to_owned()))
        } else {
            Ok(())
        }))
    }
}

/// Moves the clock to noon of the next day with this weekday.
fn advance_to(world: &World, day: Weekday) {
    loop {
        world.clock().advance(HOUR);
        let now = world.clock().now();
        if now.weekday() == day && chrono::Timelike::hour(&now) == 12 {
            return;
        }
    }
}

/// A site where Ada owns a server with votes of this month, and Bob a hidden one.
async fn owned() -> World {
    let world = World::new().await;
    let ada = world.account("ada").await;
    let bob = world.account("bob").await;
    world.sql("update auth.users set email_confirmed_at = now()").await;
    let server = world.server("Avalon").await;
    world.server("Hidden").await;
    let mut owner = world.begin().await;
    sqlx::query(
        "update public.servers set owner_id = case when name = 'Avalon' then $1 else $2 end,
            is_hidden = name = 'Hidden', created_at = $3 - interval '60 days'",
    )
    .bind(ada)
    .bind(bob)
    .bind(world.clock().now())
    .execute(&mut *owner)
    .await
    .expect("owners");
    owner.commit().await.expect("committed");
    advance_to(&world, Weekday::Wed);
    assert_eq!(world.vote(&VoteAttempt::guest(server, "Voter", 9)).await.status, 200);
    world
}

async fn waiting(world: &World) -> i64 {
    let mut owner = world.begin().await;
    sqlx::query_scalar("select count(*) from public.mail_queue where given_up_at is null")
        .fetch_one(&mut *owner)
        .await
        .expect("a count")
}

#[tokio::test]
async fn concurrent_processes_enqueue_one_weekly_digest() {
    let world = owned().await;
    assert_eq!(
        work(&world.state, "ranking.enqueue_digests").await.expect("done"),
        0,
        "not on a Wednesday"
    );
    advance_to(&world, Weekday::Mon);
    let second_process = world.second_process();
    let ahead = world.clock().now() - second_process.clock().now();
    second_process.clock().advance(ahead.to_std().expect("ahead"));
    let (one, two) = tokio::join!(
        work(&world.state, "ranking.enqueue_digests"),
        work(&second_process.state, "ranking.enqueue_digests")
    );
    assert_eq!(one.expect("done") + two.expect("done"), 1);
    world.clock().advance(HOUR * 24);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 0);
    assert_eq!(waiting(&world).await, 1);
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
}

/// Renders and delivers due emails until `stop` is cancelled.
fn dispatch(world: &World, mailbox: &Mailbox, stop: &CancellationToken) -> JoinHandle<()> {
    let lease = Duration::from_secs(60);
    let outbox = Outbox::new(world.owner(), "public.mail_queue", lease, world.clock().clone());
    let mailer = Mailer::new(mailbox.clone());
    tokio::spawn(dispatch_emails(outbox, vec![Arc::new(world.state.clone())], mailer, stop.clone()))
}

/// Delivers until the outbox is empty.
async fn deliver_all(world: &World, mailbox: &Mailbox) {
    let stop = CancellationToken::new();
    let running = dispatch(world, mailbox, &stop);
    while waiting(world).await > 0 {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    running.await.expect("ended in order");
}

#[tokio::test]
async fn digest_email_has_one_click_unsubscribe() {
    let world = owned().await;
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
    let mailbox = Mailbox::default();
    deliver_all(&world, &mailbox).await;
    let emails = mailbox.0.lock().expect("whole").clone();
    let [email] = &emails[..] else { panic!("one email") };
    assert_eq!(email.to, "ada@example.test");
    assert!(email.subject.contains("1 vote"), "{}", email.subject);
    assert!(email.text.contains("Avalon\n"), "{}", email.text);
    let header = |name: &str| {
        email.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    assert_eq!(header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let address = header("List-Unsubscribe").expect("an address");
    let path = address
        .strip_prefix("<http://localhost:54321/functions/v1/")
        .and_then(|rest| rest.strip_suffix('>'))
        .expect("an address of ours")
        .to_owned();
    assert!(email.text.contains(path.split_once('?').expect("a query").1));

    // The request of a mail program, then of a person who subscribes again, then of a stranger.
    let ended = world.function("POST", &path, HOME, &[], Value::Null).await;
    assert_eq!(status_and_body(&ended), (200, json!({ "wanted": false })));
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 0);
    let subscribed = world.function("POST", &path, HOME, &[], json!({ "wanted": true })).await;
    assert_eq!(status_and_body(&subscribed), (200, json!({ "wanted": true })));
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
    let forged = format!("{}0", &path[..path.len() - 1]);
    let forged = if forged == path { format!("{}1", &path[..path.len() - 1]) } else { forged };
    for bad in [forged.as_str(), "weekly-mail?owner=x&token=y", "weekly-mail"] {
        let answer = world.function("POST", bad, HOME, &[], Value::Null).await;
        assert!(matches!(answer.status.as_u16(), 400 | 401), "{bad}: {}", answer.status);
    }
    let read = world.function("GET", &path, HOME, &[], Value::Null).await;
    assert_eq!(read.status.as_u16(), 405, "what only looks ends nothing");
}

#[tokio::test]
async fn a_relay_that_is_away_is_tried_again() {
    let world = owned().await;
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
    let mailbox = Mailbox::default();
    *mailbox.1.lock().expect("whole") = true;
    let stop = CancellationToken::new();
    let running = dispatch(&world, &mailbox, &stop);
    let reason = async || {
        let mut owner = world.begin().await;
        sqlx::query_scalar::<_, Option<String>>("select reason from public.mail_queue")
            .fetch_one(&mut *owner)
            .await
            .expect("an email")
    };
    while reason().await.as_deref() != Some("shut") {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    running.await.expect("ended in order");
    *mailbox.1.lock().expect("whole") = false;
    world.clock().advance(HOUR);
    deliver_all(&world, &mailbox).await;
    assert_eq!(mailbox.0.lock().expect("whole").len(), 1);
}

#[tokio::test]
async fn unsubscribed_owner_receives_no_queued_digest() {
    let world = owned().await;
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
    world.sql("update public.profiles set weekly_mail = false").await;
    let mailbox = Mailbox::default();
    deliver_all(&world, &mailbox).await;
    assert!(mailbox.0.lock().expect("whole").is_empty(), "it is dropped, and not tried for ever");
}

#[tokio::test]
async fn queued_digest_keeps_its_weekly_figures() {
    let world = owned().await;
    advance_to(&world, Weekday::Mon);
    assert_eq!(work(&world.state, "ranking.enqueue_digests").await.expect("done"), 1);
    world.sql("delete from public.server_daily_counts").await;
    let emails = world.emails().await;
    let [email] = &emails[..] else { panic!("one email") };
    assert!(email.subject.contains("1 vote"), "{}", email.subject);
}

#[tokio::test]
async fn digest_time_is_monday_morning_to_tuesday() {
    let world = World::new().await;
    for (moment, is_time) in [
        ("2026-11-22T23:59:00Z", false),
        ("2026-11-23T05:59:00Z", false),
        ("2026-11-23T06:00:00Z", true),
        ("2026-11-24T23:59:00Z", true),
        ("2026-11-25T00:00:00Z", false),
    ] {
        let mut owner = world.begin().await;
        let found: bool = sqlx::query_scalar("select public.is_digest_time($1::timestamptz)")
            .bind(moment.parse::<DateTime<Utc>>().expect("a moment"))
            .fetch_one(&mut *owner)
            .await
            .expect("an answer");
        assert_eq!(found, is_time, "{moment}");
    }
}
