//! Silent clients, clients that stop halfway, and the server's stop, over real sockets.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use bytes::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::*;

/// A timeout much longer than these tests: a connection with this timeout ends for another reason.
const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(50);

const LIMITS: ConnectionLimits = ConnectionLimits {
    first_head: LONG,
    next_head: LONG,
    body: LONG,
    answer: LONG,
    farewell: LONG,
    drain_timeout: LONG,
    connections: 100,
};

/// A server of one test.
struct RunningServer {
    address: SocketAddr,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

async fn start(router: Router, limits: ConnectionLimits) -> RunningServer {
    let listener = Arc::new(listen(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap());
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let ended = tokio::spawn(serve(listener, router, stop.clone(), limits));
    RunningServer { address, stop, ended }
}

fn app() -> Router {
    Router::new().route("/", get(|| async { "hello" })).route(
        "/echo",
        post(|body: Result<Bytes, axum::extract::rejection::BytesRejection>| async {
            body.map(|body| body.len().to_string()).unwrap_or_else(|_| "broken off".to_owned())
        }),
    )
}

impl RunningServer {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

async fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n").await.unwrap();
    answer(stream).await
}

/// Reads one response, whose body ends with `hello`.
async fn answer(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0; 1024];
    while !text.ends_with("hello") {
        let read = stream.read(&mut buffer).await.unwrap();
        assert_ne!(read, 0, "closed after {text:?}");
        text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
    text
}

async fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(stream.read(&mut [0; 64]).await, Ok(0) | Err(_))
}

#[tokio::test]
async fn client_that_does_not_read_is_disconnected() {
    const SIZE: usize = 64 << 20;
    let app = Router::new().route("/", get(|| async { vec![b'x'; SIZE] }));
    let running = start(app, ConnectionLimits { answer: SHORT, ..LIMITS }).await;
    let mut stream = running.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n").await.unwrap();
    // The answer timeout ends the connection, and then the server stops.
    running.stop.cancel();
    running.ended.await.unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read).await;
    assert!(read.len() < SIZE, "{} bytes", read.len());
}

#[tokio::test]
async fn connection_that_says_nothing_is_closed() {
    let server = start(app(), ConnectionLimits { first_head: SHORT, ..LIMITS }).await;
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET / HTTP/1.1\r\nHo").await.unwrap();
    assert!(is_closed(&mut silent).await);
    assert!(is_closed(&mut slow).await);
}

#[tokio::test]
async fn idle_and_unfinished_connections_are_closed() {
    let server = start(app(), ConnectionLimits { next_head: SHORT, ..LIMITS }).await;
    let mut idle = server.connect().await;
    assert!(ask(&mut idle).await.starts_with("HTTP/1.1 200"));
    let mut slow = server.connect().await;
    ask(&mut slow).await;
    slow.write_all(b"GET / HTTP/1.1\r\nHo").await.unwrap();
    assert!(is_closed(&mut idle).await);
    assert!(is_closed(&mut slow).await);
}

#[tokio::test]
async fn request_on_an_idle_connection_is_answered() {
    let server = start(app(), ConnectionLimits { first_head: SHORT, ..LIMITS }).await;
    let mut connection = server.connect().await;
    ask(&mut connection).await;
    tokio::time::sleep(SHORT * 3).await;
    assert!(ask(&mut connection).await.ends_with("hello"));
}

#[tokio::test]
async fn body_that_stops_half_way_is_given_up() {
    let server = start(app(), ConnectionLimits { body: SHORT, ..LIMITS }).await;
    let mut client = server.connect().await;
    client
        .write_all(b"POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100\r\n\r\nhalf")
        .await
        .unwrap();
    let mut text = String::new();
    client.read_to_string(&mut text).await.unwrap();
    assert!(text.ends_with("broken off"), "{text}");
}

#[tokio::test]
async fn empty_body_with_expect_continue_closes_the_connection() {
    let server = start(app(), LIMITS).await;
    let mut client = server.connect().await;
    let head =
        "POST /echo HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n";
    client.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    client.read_to_string(&mut text).await.unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("\r\n\r\n0"), "{text}");
    assert!(text.contains("connection: close\r\n"), "{text}");
}

#[tokio::test]
async fn expect_continue_receives_100_and_keeps_connection() {
    let router = app().route("/hello", post(|body: Bytes| async move { body }));
    let server = start(router, LIMITS).await;
    let mut client = server.connect().await;
    let head =
        "POST /hello HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    client.write_all(head.as_bytes()).await.unwrap();
    let mut reply = [0; 25];
    client.read_exact(&mut reply).await.unwrap();
    assert_eq!(&reply, b"HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"hello").await.unwrap();
    assert!(!answer(&mut client).await.contains("connection: close"));
    assert!(ask(&mut client).await.ends_with("hello"), "the connection goes on");
}

#[tokio::test]
async fn connections_beyond_the_limit_wait() {
    let server = start(app(), ConnectionLimits { connections: 1, ..LIMITS }).await;
    let mut first = server.connect().await;
    ask(&mut first).await;
    let mut second = server.connect().await;
    second.write_all(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n").await.unwrap();
    let early = tokio::time::timeout(SHORT, second.readable()).await;
    assert!(early.is_err(), "answered while there was no room");
    drop(first);
    assert!(answer(&mut second).await.ends_with("hello"));
}

#[tokio::test]
async fn stop_announces_connection_close_before_closing() {
    let server = start(app(), LIMITS).await;
    let mut connection = server.connect().await;
    assert!(!ask(&mut connection).await.contains("connection: close"));
    server.stop.cancel();
    // A request that arrives after the stop is answered, with `connection: close`.
    assert!(ask(&mut connection).await.contains("connection: close"));
    assert!(is_closed(&mut connection).await);
    server.ended.await.unwrap();
}

#[tokio::test]
async fn stop_without_connections_takes_no_time() {
    let server = start(app(), LIMITS).await;
    drop(server.connect().await);
    server.stop.cancel();
    server.ended.await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err(), "the port is free again");
}

#[tokio::test]
async fn stop_closes_idle_connections_and_finishes_requests() {
    let (entered, mut has_entered) = mpsc::unbounded_channel();
    let gate = CancellationToken::new();
    let opened = gate.clone();
    let slow = get(move || {
        let (entered, opened) = (entered.clone(), opened.clone());
        async move {
            entered.send(()).unwrap();
            opened.cancelled().await;
            "hello"
        }
    });
    let router = app().route("/slow", slow);
    let server = start(router, ConnectionLimits { farewell: SHORT, ..LIMITS }).await;
    let mut idle = server.connect().await;
    ask(&mut idle).await;
    let mut busy = server.connect().await;
    busy.write_all(b"GET /slow HTTP/1.1\r\nHost: t\r\n\r\n").await.unwrap();
    has_entered.recv().await.unwrap();
    server.stop.cancel();
    assert!(is_closed(&mut idle).await);
    gate.cancel();
    assert!(answer(&mut busy).await.contains("connection: close"));
    server.ended.await.unwrap();
}

#[tokio::test]
async fn patience_with_requests_under_way_ends() {
    let router = Router::new().route("/", get(std::future::pending::<&'static str>));
    let limits = ConnectionLimits { farewell: SHORT, drain_timeout: SHORT, ..LIMITS };
    let server = start(router, limits).await;
    let mut stuck = server.connect().await;
    stuck.write_all(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n").await.unwrap();
    server.stop.cancel();
    server.ended.await.unwrap();
}
