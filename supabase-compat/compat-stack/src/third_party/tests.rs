//! The cache of issuers' keys, with issuers that answer correctly and issuers that do not.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use axum::Router;
use axum::routing::get;
use compat_http::OutgoingConfig;
use compat_token::KeyRing;
use http::StatusCode;
use serde_json::json;

use super::*;

/// An issuer's web server.
struct Site {
    name: String,
    requests: Arc<AtomicUsize>,
}

impl Site {
    /// Answers `/jwks` with `jwks`, and `/.well-known/openid-configuration` in the name of
    /// `calls_itself`, or in its own.
    async fn open(jwks: Result<String, StatusCode>, calls_itself: Option<&str>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let name = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        let answer_keys = move || {
            counter.fetch_add(1, SeqCst);
            let jwks = jwks.clone();
            async move { jwks }
        };
        let issuer = calls_itself.unwrap_or(&name);
        let discovery = json!({"issuer": issuer, "jwks_uri": format!("{name}/jwks")}).to_string();
        let router = Router::new()
            .route("/jwks", get(answer_keys))
            .route("/.well-known/openid-configuration", get(|| async { discovery }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { name, requests }
    }

    fn trusted(&self, by_address: bool) -> TrustedIssuer {
        let jwks = by_address.then(|| format!("{}/jwks", self.name).parse().unwrap());
        TrustedIssuer { name: self.name.clone(), jwks }
    }
}

/// A data folder of one test, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("third-party-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn jwks_cache(&self, trusted: TrustedIssuer, least_pause: Duration) -> JwksCache {
        let settings =
            IssuerSettings { trusted: vec![trusted], least_pause, ..IssuerSettings::default() };
        let outgoing = Outgoing::new(OutgoingConfig::default()).unwrap();
        JwksCache::new(&settings, CacheRules::default(), &self.0, outgoing)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn jwks() -> String {
    KeyRing::generate_es256().unwrap().public_jwks().to_string()
}

fn has_keys(jwks_cache: &JwksCache) -> bool {
    jwks_cache.0.sources[0].issuer.has_keys()
}

const LONG: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn keys_are_found_by_discovery_and_by_address() {
    for by_address in [false, true] {
        let folder = Folder::new(&format!("found-{by_address}"));
        let site = Site::open(Ok(jwks()), None).await;
        let jwks_cache = folder.jwks_cache(site.trusted(by_address), Duration::ZERO);
        assert!(!has_keys(&jwks_cache));
        assert!(jwks_cache.refresh(0).await);
        assert!(has_keys(&jwks_cache));
    }
}

#[tokio::test]
async fn concurrent_refreshes_fetch_keys_once() {
    let folder = Folder::new("once");
    let site = Site::open(Ok(jwks()), None).await;
    let jwks_cache = folder.jwks_cache(site.trusted(true), LONG);
    let mut waiting = JoinSet::new();
    for _ in 0..16 {
        let jwks_cache = jwks_cache.clone();
        waiting.spawn(async move { jwks_cache.refresh(0).await });
    }
    assert!(waiting.join_all().await.into_iter().all(|fetched| fetched));
    assert_eq!(site.requests.load(SeqCst), 1);
}

#[tokio::test]
async fn answers_that_are_no_keys_change_nothing() {
    let folder = Folder::new("broken");
    let good = Site::open(Ok(jwks()), None).await;
    assert!(folder.jwks_cache(good.trusted(true), Duration::ZERO).refresh(0).await);
    for broken in [
        Err(StatusCode::INTERNAL_SERVER_ERROR),
        Err(StatusCode::NOT_FOUND),
        Ok("<html>".to_owned()),
        Ok(r#"{"keys":[]}"#.to_owned()),
        Ok(json!({"keys": [], "padding": "x".repeat(2 << 20)}).to_string()),
    ] {
        let site = Site::open(broken, None).await;
        let jwks_cache = folder.jwks_cache(site.trusted(true), LONG);
        assert!(!jwks_cache.refresh(0).await);
        assert!(!jwks_cache.refresh(0).await, "a failure is remembered as one");
        assert!(!has_keys(&jwks_cache));
        assert_eq!(site.requests.load(SeqCst), 1);
    }
    let unreachable = TrustedIssuer { name: "http://127.0.0.1:1".to_owned(), jwks: None };
    assert!(!folder.jwks_cache(unreachable, LONG).refresh(0).await);
}

#[tokio::test]
async fn an_issuer_does_not_speak_for_another() {
    let folder = Folder::new("other");
    let site = Site::open(Ok(jwks()), Some("https://somebody.example")).await;
    let jwks_cache = folder.jwks_cache(site.trusted(false), LONG);
    assert!(!jwks_cache.refresh(0).await);
    assert_eq!(site.requests.load(SeqCst), 0);
}

#[tokio::test]
async fn stored_keys_serve_only_their_own_address() {
    let folder = Folder::new("kept");
    let site = Site::open(Ok(jwks()), None).await;
    assert!(folder.jwks_cache(site.trusted(true), LONG).refresh(0).await);
    assert!(has_keys(&folder.jwks_cache(site.trusted(true), LONG)));
    assert!(!has_keys(&folder.jwks_cache(site.trusted(false), LONG)));
}
