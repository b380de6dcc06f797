//! A proxy to the server that delays cancellations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use compat_testkit::TestDatabase;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::Notify;

use crate::world::value;

/// A text in the next statement; cancellations are delayed until it is sent.
pub const NEXT: &str = "the next caller";

/// The first bytes of a cancel request: its length and its code.
const CANCEL: [u8; 8] = [0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e];

/// The maximum time that a cancellation waits for [`NEXT`].
const SLOWNESS: Duration = Duration::from_millis(200);

/// Forwards connections to the server of a test's database.
pub struct Relay {
    port: u16,
    state: Arc<State>,
}

struct State {
    server: String,
    next: Notify,
    cancellations: AtomicUsize,
}

impl Relay {
    pub async fn start(db: &TestDatabase) -> Self {
        let socket = "select trim('\"' from current_setting('unix_socket_directories'))
            || '/.s.PGSQL.' || current_setting('port')";
        let server = value(&db.pools().owner, socket).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (next, cancellations) = (Notify::new(), AtomicUsize::new(0));
        let state = Arc::new(State { server, next, cancellations });
        let theirs = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(relay(client, theirs.clone()));
            }
        });
        Self { port, state }
    }

    pub fn url(&self, db: &TestDatabase, login: &str) -> String {
        format!("postgresql://{login}@127.0.0.1:{}/{}?sslmode=disable", self.port, db.name())
    }

    /// The number of forwarded cancel requests.
    pub fn cancellations(&self) -> usize {
        self.state.cancellations.load(Ordering::Relaxed)
    }
}

async fn relay(client: TcpStream, state: Arc<State>) {
    let server = UnixStream::connect(&state.server).await.unwrap();
    let (mut from_server, mut to_server) = server.into_split();
    let (mut from_client, mut to_client) = client.into_split();
    tokio::spawn(async move { copy(&mut from_server, &mut to_client).await });
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
        let packet = &bytes[..length];
        if packet.starts_with(&CANCEL) {
            drop(tokio::time::timeout(SLOWNESS, state.next.notified()).await);
            state.cancellations.fetch_add(1, Ordering::Relaxed);
        }
        if to_server.write_all(packet).await.is_err() {
            return;
        }
        if packet.windows(NEXT.len()).any(|words| words == NEXT.as_bytes()) {
            state.next.notify_one();
        }
    }
}
