//! Listening, saying so, and stopping in order.
//!
//! A connection costs a file, and files are few: one that says nothing, or stops in the middle, is
//! closed, and there are never more than the process may hold. At the stop, clients that keep their
//! connections are told to let go before any connection is closed.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::timeout::RequestBodyTimeoutLayer;

mod accept;
mod connection;
mod files;
#[cfg(test)]
mod tests;

use accept::accept;
use connection::Connections;

/// How long connections may take, and how many there may be.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// From opening a connection to the end of its first request's head.
    pub first_head: Duration,
    /// From an answer to the end of the next request's head. Longer than proxies keep a connection
    /// they do not use (nginx: 60 s), or a request of theirs may meet one that is just closing.
    pub next_head: Duration,
    /// Between two pieces of a request's body.
    pub body: Duration,
    /// How long a client may take nothing of an answer that waits for it.
    pub answer: Duration,
    /// How long kept connections are answered with `Connection: close` once a stop is asked for.
    pub farewell: Duration,
    /// How long requests under way may take to finish after that.
    pub patience: Duration,
    /// Most connections at once.
    pub connections: usize,
}

impl ConnectionLimits {
    /// The usual ones, with as many connections as the process may have files open.
    pub fn of_this_process() -> Self {
        Self {
            first_head: Duration::from_secs(15),
            next_head: Duration::from_secs(75),
            body: Duration::from_secs(30),
            answer: Duration::from_secs(60),
            farewell: Duration::from_secs(1),
            patience: Duration::from_secs(10),
            connections: files::connections(),
        }
    }
}

/// A port that could not be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}; {}", remedy(source))]
pub struct ListenError {
    address: SocketAddr,
    source: std::io::Error,
}

/// What a person can do about it.
fn remedy(source: &std::io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::AddrInUse => {
            "stop what listens there, or choose another port (--port, --admin-port; 0 takes a free one)"
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 are for root; choose another (--port, --admin-port)"
        }
        ErrorKind::AddrNotAvailable => {
            "no network of this machine has that address; choose another (--host, --admin-host)"
        }
        _ => "choose another address (--host, --port)",
    }
}

/// Takes a port. Done before anything else starts, so that a taken one is told at once.
///
/// # Errors
/// [`ListenError`] naming the address.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}

/// The address to tell people: `localhost` where the listener is open to this machine.
pub fn address_for_people(listener: &TcpListener) -> String {
    match listener.local_addr() {
        Ok(address) if address.ip().is_loopback() || address.ip().is_unspecified() => {
            format!("http://localhost:{}", address.port())
        }
        Ok(address) => format!("http://{address}"),
        Err(_) => "http://localhost".to_owned(),
    }
}

/// The address that the official CLI's local stack gives itself, which applications keep in their
/// settings and functions compare with the issuer of a token.
pub fn address_of_project(listener: &TcpListener) -> String {
    match listener.local_addr() {
        Ok(address) if address.ip().is_unspecified() => {
            format!("http://127.0.0.1:{}", address.port())
        }
        Ok(address) => format!("http://{address}"),
        Err(_) => "http://127.0.0.1".to_owned(),
    }
}

/// Answers requests until `stop` is cancelled, then lets go in order: for a moment every answer
/// says that it is the last on its connection, then idle connections are closed and requests under
/// way finish.
pub async fn serve(
    listener: Arc<TcpListener>,
    router: Router,
    stop: CancellationToken,
    limits: ConnectionLimits,
) {
    let open = TaskTracker::new();
    let connections = Connections {
        router: router.layer(RequestBodyTimeoutLayer::new(limits.body)),
        stop: stop.clone(),
        closing: CancellationToken::new(),
        limits,
    };
    let farewell = async {
        stop.cancelled().await;
        // The wait ends only for a closed tracker; a closed one still takes new connections.
        open.close();
        let _ = timeout(limits.farewell, open.wait()).await;
    };
    tokio::select! {
        () = accept(&listener, &connections, &open) => {}
        () = farewell => {}
    }
    drop(listener);
    connections.closing.cancel();
    if timeout(limits.patience, open.wait()).await.is_err() {
        tracing::warn!(connections = open.len(), "requests still running at shutdown");
    }
}

/// Cancels the token at the first SIGINT or SIGTERM.
///
/// # Errors
/// When the system refuses signal handlers.
pub fn stop_on_signals(stop: CancellationToken) -> std::io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping");
        stop.cancel();
    });
    Ok(())
}

/// SIGUSR1 and SIGUSR2, which end a process that does not listen to them. PostgREST reloads its
/// schema cache at the one and its settings at the other; here both are read together.
pub struct ReloadSignals {
    schema: Signal,
    settings: Signal,
}

impl ReloadSignals {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the system refuses signal handlers.
    pub fn listen() -> std::io::Result<Self> {
        let schema = signal(SignalKind::user_defined1())?;
        Ok(Self { schema, settings: signal(SignalKind::user_defined2())? })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.schema.recv() => {}
            _ = self.settings.recv() => {}
        }
    }
}
