//! Behaviour of the remote store.

use compat_storage::bytes::{BytesError, ObjectBytes as _, RemoteConfig, stream_of};

use super::server::{S3Server, store};
use super::stores::{chunks, entries, noise, place};

#[tokio::test]
async fn a_wrong_secret_is_refused_by_the_store() {
    let server = S3Server::start().await;
    let config = RemoteConfig { secret_access_key: "wrong".into(), ..server.config() };
    let refusal = store(&config).write(&place("a"), stream_of("x"), 10).await;
    assert!(matches!(refusal, Err(BytesError::Failed(_))), "{refusal:?}");
    assert_eq!(entries(&server.store()).await, []);
}

#[tokio::test]
async fn a_store_that_is_away_is_a_failure() {
    let server = S3Server::start().await;
    let config =
        RemoteConfig { endpoint: Some("http://127.0.0.1:9".to_owned()), ..server.config() };
    let refusal = store(&config).write(&place("a"), stream_of("x"), 10).await;
    assert!(matches!(refusal, Err(BytesError::Failed(_))), "{refusal:?}");
}

#[tokio::test]
async fn secrets_are_not_printed() {
    let server = S3Server::start().await;
    let config = RemoteConfig { secret_access_key: "hush".into(), ..server.config() };
    assert!(!format!("{config:?}").contains("hush"));
}

#[tokio::test]
async fn finished_uploads_leave_the_spool_empty() {
    let server = S3Server::start().await;
    let content = noise(1, 20 << 20);
    server.store().write(&place("a"), chunks(&content, 65536), u64::MAX).await.unwrap();
    let spool = std::fs::read_dir(server.config().spool).unwrap();
    assert_eq!(spool.count(), 0);
}
