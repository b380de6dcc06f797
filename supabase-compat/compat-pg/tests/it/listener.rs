//! Subscriptions to notifications of the database.

use std::time::Duration;

use compat_pg::{Notification, Subscription};
use compat_testkit::TestDatabase;
use futures_util::StreamExt;

use crate::world::{script, value};

async fn next(subscription: &mut Subscription) -> Notification {
    tokio::time::timeout(Duration::from_secs(20), subscription.next()).await.unwrap().unwrap()
}

fn payload(text: &str) -> Notification {
    Notification::Payload(text.to_owned())
}

/// The number of connections whose last statement was `listen` or `unlisten`.
const LISTENERS: &str = "select count(*) from pg_stat_activity
    where datname = current_database() and query ~* '^(un)?listen'";

#[tokio::test]
async fn listener_resubscribes_after_a_lost_connection() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let mut subscription = db.pools().acting.listener().subscribe("a \"channel\"");
    assert_eq!(next(&mut subscription).await, Notification::Listening);
    script(owner, "notify other, 'no'; notify \"a \"\"channel\"\"\", 'reload schema'").await;
    assert_eq!(next(&mut subscription).await, payload("reload schema"));
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ~* '^listen'";
    script(owner, end).await;
    assert!(matches!(next(&mut subscription).await, Notification::Lost(_)));
    assert_eq!(next(&mut subscription).await, Notification::Listening);
    script(owner, "notify \"a \"\"channel\"\"\", 'again'").await;
    assert_eq!(next(&mut subscription).await, payload("again"));
}

#[tokio::test]
async fn subscribers_share_one_connection_until_the_last_leaves() {
    let db = TestDatabase::empty().await;
    let (owner, acting) = (&db.pools().owner, &db.pools().acting);
    let mut one = acting.listener().subscribe("one");
    assert_eq!(next(&mut one).await, Notification::Listening);
    let mut other = owner.listener().subscribe("other");
    let mut also_one = owner.listener().subscribe("one");
    assert_eq!(next(&mut other).await, Notification::Listening);
    assert_eq!(next(&mut also_one).await, Notification::Listening);
    script(owner, "notify one, '1'; notify other, '2'").await;
    assert_eq!(next(&mut one).await, payload("1"));
    assert_eq!(next(&mut also_one).await, payload("1"));
    assert_eq!(next(&mut other).await, payload("2"));
    assert_eq!(value::<i64>(owner, LISTENERS).await, 1);

    drop(one);
    script(owner, "notify one, '3'").await;
    assert_eq!(next(&mut also_one).await, payload("3"), "the other subscriber stays");
    drop((also_one, other));
    while value::<i64>(owner, LISTENERS).await > 0 {
        tokio::task::yield_now().await;
    }
    let mut again = owner.listener().subscribe("one");
    assert_eq!(next(&mut again).await, Notification::Listening, "it may begin anew");
}

#[tokio::test]
async fn slow_subscriber_is_notified_of_dropped_messages() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let (mut slow, mut quick) =
        (owner.listener().subscribe("news"), owner.listener().subscribe("news"));
    assert_eq!(next(&mut slow).await, Notification::Listening);
    assert_eq!(next(&mut quick).await, Notification::Listening);
    for number in 0..100 {
        script(owner, "notify news, 'one of many'").await;
        assert_eq!(next(&mut quick).await, payload("one of many"), "{number}");
    }
    let mut count = 0;
    while next(&mut slow).await == payload("one of many") {
        count += 1;
    }
    assert_eq!(count, 64, "what was kept comes first, then the word that some were not");
    script(owner, "notify news, 'the next'").await;
    assert_eq!(next(&mut slow).await, payload("the next"));
}
