//! Test environment: a service on a port, and clients with real sockets.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use compat_http::ListenerTerms;
use compat_realtime::{Config, SCHEMA, State, router, run_changes, run_relay, run_sockets};
use compat_testkit::{Headers, Personas, TestDatabase, TestResponse, call};
use futures_util::{SinkExt as _, StreamExt as _};
use http::{HeaderValue, Method, Request};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;

/// How long a test waits for an expected message.
const TIMEOUT: Duration = Duration::from_secs(20);

pub struct World {
    pub db: TestDatabase,
    pub personas: Personas,
    pub one: Process,
    config: Config,
}

/// One process of the service.
pub struct Process {
    pub state: State,
    pub router: axum::Router,
    pub address: SocketAddr,
    pub stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl World {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let db = TestDatabase::new(&[SCHEMA]).await;
        let personas = Personas::new();
        let mut config = Config {
            connect_backoff: Duration::ZERO,
            join_backoff: Duration::ZERO,
            ..Config::default()
        };
        change(&mut config);
        let one = Process::start(&db, &personas, &config).await;
        Self { db, personas, one, config }
    }

    /// Starts another process with the same database.
    pub async fn another(&self) -> Process {
        Process::start(&self.db, &self.personas, &self.config).await
    }

    /// A socket of an anonymous client with protocol version 2.
    pub async fn client(&self) -> Client {
        self.one.client("2.0.0", &self.personas.api_keys().anon).await
    }

    /// A socket of an anonymous client with protocol version 1.
    pub async fn old_client(&self) -> Client {
        self.one.client("1.0.0", &self.personas.api_keys().anon).await
    }

    /// Runs a script as the database owner.
    pub async fn sql(&self, script: &str) {
        let mut work = self.db.pools().owner.begin().await.expect("the database answers");
        sqlx::raw_sql(AssertSqlSafe(script.to_owned())).execute(&mut *work).await.expect(script);
        work.commit().await.expect("it is kept");
    }

    pub async fn post(&self, path: &str, mut headers: Headers, body: &Value) -> TestResponse {
        headers.push(("content-type", "application/json".to_owned()));
        self.send(path, headers, body.to_string()).await
    }

    pub async fn send(&self, path: &str, headers: Headers, body: impl Into<Body>) -> TestResponse {
        let mut request = Request::builder().method(Method::POST).uri(path);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        call(&self.one.router, request.body(body.into()).expect("a request")).await
    }
}

impl Process {
    async fn start(db: &TestDatabase, personas: &Personas, config: &Config) -> Self {
        let mut environment = personas.environment();
        // Repeatable random numbers would give two processes the same id.
        environment.entropy = compat_http::Entropy::system();
        let (owner, acting) = (db.pools().owner.clone(), db.pools().acting.clone());
        let state = State::new(environment.clone(), owner.clone(), owner, acting, config.clone());
        let router = compat_http::layers(environment, router(state.clone()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (address, stop) = (listener.local_addr().expect("it"), CancellationToken::new());
        let served = router.clone();
        let tasks = vec![
            tokio::spawn(async move { axum::serve(listener, served).await.expect("it serves") }),
            tokio::spawn(run_sockets(state.clone(), stop.clone())),
            tokio::spawn(run_relay(state.clone(), stop.clone())),
            tokio::spawn(run_changes(state.clone(), stop.clone())),
        ];
        Self { state, router, address, stop, tasks }
    }

    /// Stops without a shutdown, like a killed process.
    pub fn kill(&mut self) {
        self.tasks.drain(..).for_each(|task| task.abort());
    }

    pub async fn client(&self, version: &str, key: &str) -> Client {
        let query = format!("apikey={key}&vsn={version}");
        self.open(&query).await.expect("a socket")
    }

    pub async fn open(&self, query: &str) -> Result<Client, tungstenite::Error> {
        self.open_with(query, &[]).await
    }

    /// Like [`Self::open`], with these headers.
    pub async fn open_with(
        &self,
        query: &str,
        headers: &[(&'static str, &'static str)],
    ) -> Result<Client, tungstenite::Error> {
        Client::connect(self.address, query, headers).await
    }

    /// A socket that another part of the process accepted with these terms.
    pub async fn listener(&self, key: &str, terms: ListenerTerms) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("it");
        let router = self.router.clone().layer(Extension(terms));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let query = format!("apikey={key}&vsn=2.0.0");
        Client::connect(address, &query, &[]).await.expect("a socket")
    }
}

impl Client {
    async fn connect(
        address: SocketAddr,
        query: &str,
        headers: &[(&'static str, &'static str)],
    ) -> Result<Self, tungstenite::Error> {
        let url = format!("ws://{address}/websocket?{query}");
        let mut request = url.into_client_request()?;
        for &(name, value) in headers {
            request.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Self { socket, is_old: query.contains("vsn=1"), next: 0 })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A client with one socket.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    is_old: bool,
    next: u32,
}

/// A frame that a client received.
#[derive(Debug, Clone, PartialEq)]
pub enum TestFrame {
    /// A message, as `[join_ref, ref, topic, event, payload]` in both versions.
    Text(Value),
    /// A binary frame.
    Binary(Vec<u8>),
    /// The end of the socket.
    Closed(u16, String),
}

impl Client {
    /// Sends a message; returns its reference.
    pub async fn push(
        &mut self,
        join_ref: Option<&str>,
        topic: &str,
        event: &str,
        payload: Value,
    ) -> String {
        self.next += 1;
        let reference = self.next.to_string();
        let frame = match self.is_old {
            true => json!({
                "topic": topic, "event": event, "payload": payload,
                "ref": reference, "join_ref": join_ref,
            }),
            false => json!([join_ref, reference, topic, event, payload]),
        };
        self.text(&frame.to_string()).await;
        reference
    }

    pub async fn text(&mut self, text: &str) {
        self.raw(Message::text(text)).await;
    }

    pub async fn raw(&mut self, message: Message) {
        self.socket.send(message).await.expect("the socket takes it");
    }

    /// Sends raw bytes, which need not be a frame; false if the server has closed the socket.
    pub async fn bytes(&mut self, bytes: &[u8]) -> bool {
        let MaybeTlsStream::Plain(stream) = self.socket.get_mut() else { panic!("no TLS here") };
        stream.write_all(bytes).await.is_ok()
    }

    /// Joins and receives the reply; returns the join reference and the reply's payload.
    pub async fn try_join(&mut self, topic: &str, payload: Value) -> (String, Value) {
        let join_ref = (self.next + 1).to_string();
        let reference = self.push(Some(&join_ref), topic, "phx_join", payload).await;
        let reply = self.message().await;
        assert_eq!(reply[3], "phx_reply", "{reply}");
        assert_eq!((&reply[0], &reply[1]), (&json!(join_ref), &json!(reference)));
        (join_ref, reply[4].clone())
    }

    /// Joins and checks that the join succeeds.
    pub async fn join(&mut self, topic: &str, config: Value) -> String {
        let (join_ref, reply) = self.try_join(topic, json!({"config": config})).await;
        assert_eq!(reply["status"], "ok", "{reply}");
        join_ref
    }

    /// The next frame.
    pub async fn next(&mut self) -> TestFrame {
        loop {
            let next = timeout(TIMEOUT, self.socket.next()).await.expect("something in time");
            return match next {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    TestFrame::Text(match self.is_old {
                        true => ["join_ref", "ref", "topic", "event", "payload"]
                            .map(|name| value[name].clone())
                            .into_iter()
                            .collect(),
                        false => value,
                    })
                }
                Some(Ok(Message::Binary(bytes))) => TestFrame::Binary(bytes.to_vec()),
                Some(Ok(Message::Close(frame))) => {
                    let CloseFrame { code, reason } = frame.expect("a reason");
                    TestFrame::Closed(code.into(), reason.to_string())
                }
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => TestFrame::Closed(1006, String::new()),
            };
        }
    }

    /// The next message, which must be text.
    pub async fn message(&mut self) -> Value {
        match self.next().await {
            TestFrame::Text(message) => message,
            other => panic!("{other:?}"),
        }
    }

    /// The event and the payload of the next message.
    pub async fn event(&mut self) -> (String, Value) {
        let message = self.message().await;
        (message[3].as_str().expect("an event").to_owned(), message[4].clone())
    }

    /// Checks that no message is pending: the next frame is the reply to a heartbeat.
    pub async fn assert_no_message(&mut self) {
        let reference = self.push(None, "phoenix", "heartbeat", json!({})).await;
        let answer = json!([null, reference, "phoenix", "phx_reply", ok()]);
        assert_eq!(self.next().await, TestFrame::Text(answer));
    }
}

/// The payload of a successful reply without content.
pub fn ok() -> Value {
    json!({"status": "ok", "response": {}})
}

/// A broadcast in a binary frame as realtime-js sends it.
pub fn user_broadcast(
    join_ref: &str,
    reference: &str,
    topic: &str,
    event: &str,
    json: &str,
) -> Message {
    let fields = [join_ref, reference, topic, event, ""];
    let mut frame = vec![3];
    frame.extend(fields.iter().map(|field| u8::try_from(field.len()).expect("short")));
    frame.push(1);
    fields.iter().for_each(|field| frame.extend(field.as_bytes()));
    frame.extend(json.as_bytes());
    Message::binary(frame)
}
