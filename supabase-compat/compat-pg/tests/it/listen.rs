//! Notifications.

use std::{pin::pin, time::Duration};

use compat_pg::Notification;
use compat_testkit::TestDatabase;
use futures_util::{Stream, StreamExt};

use crate::world::script;

async fn next(stream: &mut (impl Stream<Item = Notification> + Unpin)) -> Notification {
    tokio::time::timeout(Duration::from_secs(20), stream.next()).await.unwrap().unwrap()
}

#[tokio::test]
async fn listener_hears_its_channel_and_comes_back_after_a_lost_connection() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let mut heard = pin!(db.pools().acting.listen("a \"channel\""));
    assert_eq!(next(&mut heard).await, Notification::Listening);
    script(owner, "notify other, 'no'; notify \"a \"\"channel\"\"\", 'reload schema'").await;
    assert_eq!(next(&mut heard).await, Notification::Payload("reload schema".to_owned()));
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    script(owner, end).await;
    assert!(matches!(next(&mut heard).await, Notification::Lost(_)));
    assert_eq!(next(&mut heard).await, Notification::Listening);
    script(owner, "notify \"a \"\"channel\"\"\", 'again'").await;
    assert_eq!(next(&mut heard).await, Notification::Payload("again".to_owned()));
}
