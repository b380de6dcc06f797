use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::response::Redirect;
use axum::routing::{any, get, post};
use bytes::Bytes;
use http::{StatusCode, header};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// A server on the loopback address that counts its connections.
struct LocalServer {
    port: u16,
    visits: Arc<AtomicUsize>,
}

impl LocalServer {
    async fn open() -> Self {
        Self::open_at("127.0.0.1").await
    }

    async fn open_at(ip: &str) -> Self {
        let visits = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&visits);
        let count = move || {
            counted.fetch_add(1, Ordering::SeqCst);
            async { ([(header::CONNECTION, "close")], "hello") }
        };
        let forever = || async {
            let chunk = || async { Some((Ok::<_, Infallible>(Bytes::from_static(b"more")), ())) };
            Body::from_stream(futures_util::stream::unfold((), move |()| chunk()))
        };
        let router = Router::new()
            .route("/redirect", get(|| async { Redirect::to("/") }))
            .route("/forever", get(forever))
            .route("/long", get(|| async { "x".repeat(100) }))
            .route("/silent", get(std::future::pending::<()>))
            .route("/echo", post(|body: String| async { body }))
            .route("/refuses", get(|| async { (StatusCode::IM_A_TEAPOT, "{\"a\":1}") }))
            .fallback(any(count));
        let listener = TcpListener::bind((ip, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, visits }
    }

    fn url(&self, rest: &str) -> String {
        format!("http://127.0.0.1:{}{rest}", self.port)
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }
}

fn outgoing(allowed: &str) -> Outgoing {
    fixed(allowed, |name| panic!("{name} was looked up"))
}

fn fixed(allowed: &str, answers: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Outgoing {
    let allowed = allowed.split(',').filter(|host| !host.is_empty());
    let allowed_hosts = allowed.map(|host| host.parse().expect("a host")).collect();
    let config = OutgoingConfig { allowed_hosts, max_answer: 100, ..OutgoingConfig::default() };
    Outgoing::with(config, NameLookup::fixed(answers)).expect("a client")
}

fn ips(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|ip| ip.parse().expect("an address")).collect()
}

#[tokio::test]
async fn localhost_is_open_to_trusted_policy_only() {
    let next_door = LocalServer::open().await;
    let outgoing = outgoing("");
    let answer =
        outgoing.get(EgressPolicy::Trusted, &next_door.url("/")).send().await.expect("an answer");
    assert_eq!((answer.status, &*answer.body), (StatusCode::OK, &b"hello"[..]));
    let refusal = outgoing.get(EgressPolicy::PublicOnly, &next_door.url("/")).send().await;
    assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
    assert_eq!(next_door.visits(), 1);
}

#[tokio::test]
async fn no_spelling_of_an_inner_address_passes() {
    let next_door = LocalServer::open().await;
    let outgoing = outgoing("");
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "127.0.0.1.",
        "１２７.0.0.1",
        "%31%32%37.0.0.1",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "somebody@127.0.0.1",
        "example.org@127.0.0.1",
        "169.254.169.254",
        "10.0.0.1",
    ] {
        let url = format!("http://{host}:{}/", next_door.port);
        let refusal = outgoing.get(EgressPolicy::PublicOnly, &url).send().await;
        assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{url}: {refusal:?}");
    }
    assert_eq!(next_door.visits(), 0);
}

#[tokio::test]
async fn name_resolving_to_private_address_is_refused() {
    let next_door = LocalServer::open().await;
    for inside in [&["127.0.0.1"][..], &["::1", "::ffff:127.0.0.1"], &["10.0.0.1", "fe80::1"]] {
        let found = ips(inside);
        let outgoing = fixed("", move |_| found.clone());
        let url = format!("http://inside.example:{}/", next_door.port);
        let refusal = outgoing.get(EgressPolicy::PublicOnly, &url).send().await;
        assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
        let refusal =
            outgoing.tcp(EgressPolicy::PublicOnly, "inside.example", next_door.port).await;
        assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
        let refusal =
            outgoing.udp(EgressPolicy::PublicOnly, "inside.example", next_door.port).await;
        assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
    }
    assert_eq!(next_door.visits(), 0);
}

#[tokio::test]
async fn changed_name_is_checked_at_every_dial() {
    let next_door = LocalServer::open().await;
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let outgoing = fixed("127.0.0.1", move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => ips(&["127.0.0.1"]),
        _ => ips(&["127.0.0.2"]),
    });
    let url = format!("http://moving.example:{}/", next_door.port);
    outgoing.get(EgressPolicy::PublicOnly, &url).send().await.expect("an answer");
    assert_eq!(calls.load(Ordering::SeqCst), 1, "one look-up, by the judge and the socket alike");
    let refusal = outgoing.get(EgressPolicy::PublicOnly, &url).send().await;
    assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
    assert_eq!((next_door.visits(), calls.load(Ordering::SeqCst)), (1, 2));
}

#[tokio::test]
async fn local_addresses_of_a_name_are_not_dialled() {
    let closed = LocalServer::open_at("127.0.0.2").await;
    let outgoing = fixed("127.0.0.1", |_| ips(&["127.0.0.2", "127.0.0.1"]));
    let url = format!("http://both.example:{}/", closed.port);
    assert!(outgoing.get(EgressPolicy::PublicOnly, &url).send().await.is_err());
    assert_eq!(closed.visits(), 0);
}

#[tokio::test]
async fn allowed_host_is_reachable_on_its_port_only() {
    let (one, other) = (LocalServer::open().await, LocalServer::open().await);
    let outgoing = fixed(&format!("hooks.example:{}", one.port), |_| ips(&["127.0.0.1"]));
    let url = |port| format!("http://hooks.example:{port}/");
    assert!(outgoing.get(EgressPolicy::PublicOnly, &url(one.port)).send().await.is_ok());
    let refusal = outgoing.get(EgressPolicy::PublicOnly, &url(other.port)).send().await;
    assert!(matches!(refusal, Err(OutgoingError::NotPublic)), "{refusal:?}");
    assert_eq!((one.visits(), other.visits()), (1, 0));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_not_followed() {
    let next_door = LocalServer::open().await;
    let answer = outgoing("").get(EgressPolicy::Trusted, &next_door.url("/redirect")).send().await;
    assert_eq!(answer.expect("an answer").status, StatusCode::SEE_OTHER);
    assert_eq!(next_door.visits(), 0);
}

#[tokio::test]
async fn an_answer_is_read_up_to_its_limit() {
    let next_door = LocalServer::open().await;
    let outgoing = outgoing("");
    let ask = |path: &str| outgoing.get(EgressPolicy::Trusted, &next_door.url(path));
    assert_eq!(ask("/long").send().await.expect("as long as it may be").body.len(), 100);
    let answer = ask("/long").at_most(99).send().await;
    assert!(matches!(answer, Err(OutgoingError::TooLong { limit: 99 })), "{answer:?}");
    let streamed = ask("/forever").send().await;
    assert!(matches!(streamed, Err(OutgoingError::TooLong { limit: 100 })), "{streamed:?}");
}

#[tokio::test]
async fn silence_ends_the_call() {
    let next_door = LocalServer::open().await;
    let silent = outgoing("").get(EgressPolicy::Trusted, &next_door.url("/silent"));
    let ended = silent.within(Duration::from_millis(20)).send().await;
    assert!(matches!(ended, Err(OutgoingError::TimedOut)), "{ended:?}");
}

#[tokio::test]
async fn outgoing_requests_send_bodies_and_return_statuses() {
    let next_door = LocalServer::open().await;
    let outgoing = outgoing("");
    let post = || outgoing.post(EgressPolicy::Trusted, &next_door.url("/echo"));
    assert_eq!(post().form(&[("a", "1 2")]).send().await.expect("an answer").body, "a=1+2");
    let answer = post().json(&json!({"a": 1})).send().await.expect("an answer");
    assert_eq!(answer.json::<serde_json::Value>().expect("JSON"), json!({"a": 1}));
    let refusal = outgoing.get(EgressPolicy::Trusted, &next_door.url("/refuses")).send().await;
    let refusal = refusal.expect("an answer").success();
    assert!(matches!(refusal, Err(OutgoingError::Status(StatusCode::IM_A_TEAPOT))));
}

#[tokio::test]
async fn malformed_addresses_are_not_called() {
    let outgoing = fixed("", |_| Vec::new());
    for url in ["", "x", "ftp://a.example/", "file:///etc/passwd", "http://", "http://a b/"] {
        let refusal = outgoing.get(EgressPolicy::Trusted, url).send().await;
        assert!(matches!(refusal, Err(OutgoingError::NoAddress)), "{url}: {refusal:?}");
    }
    let unknown = outgoing.get(EgressPolicy::PublicOnly, "http://nowhere.example/").send().await;
    assert!(matches!(unknown, Err(OutgoingError::NoSuchName)), "{unknown:?}");
    let wrong =
        outgoing.get(EgressPolicy::Trusted, "http://127.0.0.1/").header("a b", "c").send().await;
    assert!(matches!(wrong, Err(OutgoingError::Http(_))), "{wrong:?}");
}

#[tokio::test]
async fn a_failure_does_not_repeat_the_address() {
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = closed.local_addr().expect("an address").port();
    drop(closed);
    let url = format!("http://127.0.0.1:{port}/hooks/secret-token");
    let failed =
        outgoing("").get(EgressPolicy::Trusted, &url).send().await.expect_err("nobody is there");
    assert!(matches!(failed, OutgoingError::Http(_)), "{failed:?}");
    assert!(!format!("{failed} {failed:?}").contains("secret-token"), "{failed:?}");
}

#[tokio::test]
async fn plain_sockets_obey_the_same_rule() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let outgoing = fixed(&format!("127.0.0.1:{port}"), |_| ips(&["127.0.0.1"]));
    for host in ["127.0.0.2", "127.1", "::1", "localhost", "0x7f000002", "inside.example"] {
        let port = port.wrapping_add(1);
        let tcp = outgoing.tcp(EgressPolicy::PublicOnly, host, port).await;
        assert!(matches!(tcp, Err(OutgoingError::NotPublic)), "{host}: {tcp:?}");
        let udp = outgoing.udp(EgressPolicy::PublicOnly, host, port).await;
        assert!(matches!(udp, Err(OutgoingError::NotPublic)), "{host}: {udp:?}");
    }
    let wrong = outgoing.tcp(EgressPolicy::PublicOnly, "a b", port).await;
    assert!(matches!(wrong, Err(OutgoingError::NoAddress)), "{wrong:?}");
    let mut stream =
        outgoing.tcp(EgressPolicy::PublicOnly, "127.0.0.1", port).await.expect("a stream");
    let (mut accepted, _) = listener.accept().await.expect("a visitor");
    stream.write_all(b"ping").await.expect("sent");
    let mut received = [0; 4];
    accepted.read_exact(&mut received).await.expect("heard");
    assert_eq!(&received, b"ping");
}

#[tokio::test]
async fn datagram_socket_receives_from_its_peer_only() {
    let server = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    let port = server.local_addr().expect("an address").port();
    let socket =
        outgoing("").udp(EgressPolicy::Trusted, "127.0.0.1", port).await.expect("a socket");
    socket.send(b"ping").await.expect("sent");
    let mut received = [0; 8];
    let (length, from) = server.recv_from(&mut received).await.expect("heard");
    assert_eq!(
        (&received[..length], from),
        (&b"ping"[..], socket.local_addr().expect("an address"))
    );
}
