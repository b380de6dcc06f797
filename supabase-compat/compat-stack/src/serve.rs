//! Listens for connections, and stops in order.
//!
//! A connection takes a file descriptor, and these are limited: an idle or stalled connection is
//! closed, and the number of connections stays within the limit of the process. At a stop, clients
//! with kept connections are asked to close them first.

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

/// Limits to the duration and number of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// From the opening of a connection to the end of its first request's head.
    pub first_head: Duration,
    /// From an answer to the end of the next request's head. It is longer than proxies keep idle
    /// connections (nginx: 60 s), so that a proxy never sends a request on a connection that is
    /// being closed.
    pub next_head: Duration,
    /// Between two chunks of a request's body.
    pub body: Duration,
    /// How long a client may read nothing while an answer waits to be sent.
    pub answer: Duration,
    /// How long kept connections are answered with `Connection: close` after a stop was requested.
    pub farewell: Duration,
    /// How long running requests may take to finish after that.
    pub drain_timeout: Duration,
    /// The most open connections.
    pub connections: usize,
}

impl ConnectionLimits {
    /// The default limits, with as many connections as the process may open files.
    pub fn of_this_process() -> Self {
        Self {
            first_head: Duration::from_secs(15),
            next_head: Duration::from_secs(75),
            body: Duration::from_secs(30),
            answer: Duration::from_secs(60),
            farewell: Duration::from_secs(1),
            drain_timeout: Duration::from_secs(10),
            connections: files::connections(),
        }
    }
}

/// A port cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}; {}", remedy(source))]
pub struct ListenError {
    address: SocketAddr,
    source: std::io::Error,
}

/// What the operator can do about the error.
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

/// Opens a port. It is the first step of a start, so that a port in use is reported at once.
///
/// # Errors
/// [`ListenError`] with the address.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}

/// The address to show to people: `localhost` if this machine can connect.
pub fn address_for_people(listener: &TcpListener) -> String {
    match listener.local_addr() {
        Ok(address) if address.ip().is_loopback() || address.ip().is_unspecified() => {
            format!("http://localhost:{}", address.port())
        }
        Ok(address) => format!("http://{address}"),
        Err(_) => "http://localhost".to_owned(),
    }
}

/// The address of the official CLI's local stack, which applications keep in their settings and
/// functions compare with the issuer of a token.
pub fn address_of_project(listener: &TcpListener) -> String {
    match listener.local_addr() {
        Ok(address) if address.ip().is_unspecified() => {
            format!("http://127.0.0.1:{}", address.port())
        }
        Ok(address) => format!("http://{address}"),
        Err(_) => "http://127.0.0.1".to_owned(),
    }
}

/// Answers requests until `stop` is cancelled, then stops in order: for a moment every answer
/// closes its connection, then idle connections are closed and running requests finish.
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
        // Waiting requires a closed tracker; a closed tracker still accepts new tasks.
        open.close();
        let _ = timeout(limits.farewell, open.wait()).await;
    };
    tokio::select! {
        () = accept(&listener, &connections, &open) => {}
        () = farewell => {}
    }
    drop(listener);
    connections.closing.cancel();
    if timeout(limits.drain_timeout, open.wait()).await.is_err() {
        tracing::warn!(connections = open.len(), "requests still running at shutdown");
    }
}

/// Cancels the token at the first SIGINT or SIGTERM.
///
/// # Errors
/// A signal handler cannot be installed.
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

/// SIGUSR1 and SIGUSR2, which end a process that does not handle them. PostgREST reloads its schema
/// cache at SIGUSR1 and its settings at SIGUSR2; here both reload the schema cache and the
/// settings.
pub struct ReloadSignals {
    schema: Signal,
    settings: Signal,
}

impl ReloadSignals {
    /// Starts to handle the signals.
    ///
    /// # Errors
    /// A signal handler cannot be installed.
    pub fn listen() -> std::io::Result<Self> {
        let schema = signal(SignalKind::user_defined1())?;
        Ok(Self { schema, settings: signal(SignalKind::user_defined2())? })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.schema.recv() => {}
            _ = self.settings.recv() => {}
        }
    }
}
