//! What owners are told of their week: once, whatever crashes, until they say no.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{Datelike as _, Weekday};
use compat_functions::BoxFuture;
use letters::{Letter, Letters, Post};
use ranking::jobs;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::world::{VoteAttempt, World, told};

const HOUR: Duration = Duration::from_secs(60 * 60);
const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));

/// A mailbox that refuses what comes while it is shut.
#[derive(Clone, Default)]
struct Mailbox(Arc<Mutex<Vec<Letter>>>, Arc<Mutex<bool>>);

impl Post for Mailbox {
    fn send(&self, letter: Letter) -> BoxFuture<'_, Result<(), String>> {
        let is_shut = *self.1.lock().expect("whole");
        if !is_shut {
            self.0.lock().expect("whole").push(letter);
        }
        Box::pin(std::future::ready(if is_shut { Err("shut".to_owned()) } else { Ok(()) }))
    }
}

/// Moves to noon of the next such day.
fn advance_to(world: &World, day: Weekday) {
    loop {
        world.clock().advance(HOUR);
        let now = world.clock().now();
        if now.weekday() == day && chrono::Timelike::hour(&now) == 12 {
            return;
        }
    }
}

/// A site where Ada owns a server that has votes of this month, and Bob one nobody sees.
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
async fn an_owner_is_told_once_a_week_whoever_writes() {
    let world = owned().await;
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 0, "not on a Wednesday");
    advance_to(&world, Weekday::Mon);
    let beside = world.beside();
    let ahead = world.clock().now() - beside.clock().now();
    beside.clock().advance(ahead.to_std().expect("ahead"));
    let (one, two) =
        tokio::join!(jobs::write_digests(&world.state), jobs::write_digests(&beside.state));
    assert_eq!(one.expect("done") + two.expect("done"), 1);
    world.clock().advance(HOUR * 24);
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 0);
    assert_eq!(waiting(&world).await, 1);
    advance_to(&world, Weekday::Mon);
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 1);
}

fn letters(world: &World) -> Letters {
    Letters::new(world.owner(), world.clock().clone())
}

/// Hands over until the queue is empty.
async fn handed_over(world: &World, post: &Mailbox) {
    let stop = CancellationToken::new();
    let running = tokio::spawn(letters(world).run(Arc::new(post.clone()), stop.clone()));
    while waiting(world).await > 0 {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    running.await.expect("ended in order");
}

#[tokio::test]
async fn the_mail_leaves_with_what_happened_and_one_click_ends_it() {
    let world = owned().await;
    advance_to(&world, Weekday::Mon);
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 1);
    let post = Mailbox::default();
    handed_over(&world, &post).await;
    let letters = post.0.lock().expect("whole").clone();
    let [letter] = &letters[..] else { panic!("one letter") };
    assert_eq!(letter.to, "ada@example.test");
    assert!(letter.subject.contains("1 vote"), "{}", letter.subject);
    assert!(letter.text.contains("Avalon\n"), "{}", letter.text);
    let header = |name: &str| {
        letter.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    assert_eq!(header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let address = header("List-Unsubscribe").expect("an address");
    let path = address
        .strip_prefix("<http://localhost:54321/functions/v1/")
        .and_then(|rest| rest.strip_suffix('>'))
        .expect("an address of ours")
        .to_owned();
    assert!(letter.text.contains(path.split_once('?').expect("a query").1));

    // As a mail program does, and a person who changes their mind, and a stranger.
    let ended = world.function("POST", &path, HOME, &[], Value::Null).await;
    assert_eq!(told(&ended), (200, json!({ "wanted": false })));
    advance_to(&world, Weekday::Mon);
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 0);
    let begun = world.function("POST", &path, HOME, &[], json!({ "wanted": true })).await;
    assert_eq!(told(&begun), (200, json!({ "wanted": true })));
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 1);
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
    assert_eq!(jobs::write_digests(&world.state).await.expect("done"), 1);
    let post = Mailbox::default();
    *post.1.lock().expect("whole") = true;
    let stop = CancellationToken::new();
    let running = tokio::spawn(letters(&world).run(Arc::new(post.clone()), stop.clone()));
    let reason = async || {
        let mut owner = world.begin().await;
        sqlx::query_scalar::<_, Option<String>>("select reason from public.mail_queue")
            .fetch_one(&mut *owner)
            .await
            .expect("a letter")
    };
    while reason().await.as_deref() != Some("shut") {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    running.await.expect("ended in order");
    *post.1.lock().expect("whole") = false;
    world.clock().advance(HOUR);
    handed_over(&world, &post).await;
    assert_eq!(post.0.lock().expect("whole").len(), 1);
}
