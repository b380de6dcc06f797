//! Accepts connections up to the limit.

use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;

use super::connection::Connections;

/// How long accepting pauses if the system lacks a resource, such as file descriptors.
const REST: Duration = Duration::from_secs(1);
/// The shortest time between two log entries about the limit.
const EVERY: Duration = Duration::from_secs(60);

/// Accepts connections for ever. Beyond the limit, clients wait in the system's queue.
pub(super) async fn accept(listener: &TcpListener, connections: &Connections, open: &TaskTracker) {
    let mut room = ConnectionPermits::new(connections.limits.connections);
    loop {
        let permit = room.next().await;
        match listener.accept().await {
            Ok((stream, address)) => {
                let connections = connections.clone();
                open.spawn(async move {
                    connections.converse(prompt(stream), address).await;
                    drop(permit);
                });
            }
            // The client disconnected before it was accepted.
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(REST).await;
            }
        }
    }
}

/// Disables Nagle's algorithm, so that small answers are sent at once.
fn prompt(stream: TcpStream) -> TcpStream {
    let _ = stream.set_nodelay(true);
    stream
}

fn concerns_one_connection(error: &Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The permits for connections.
struct ConnectionPermits {
    permits: Arc<Semaphore>,
    most: usize,
    warned: Option<Instant>,
}

impl ConnectionPermits {
    fn new(most: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most)), most, warned: None }
    }

    /// Waits for a permit; none only if the semaphore is closed, which never happens.
    async fn next(&mut self) -> Option<OwnedSemaphorePermit> {
        if self.permits.available_permits() == 0 {
            self.log_limit();
        }
        Arc::clone(&self.permits).acquire_owned().await.ok()
    }

    fn log_limit(&mut self) {
        if self.warned.is_none_or(|warned| warned.elapsed() >= EVERY) {
            self.warned = Some(Instant::now());
            tracing::warn!(most = self.most, "connection limit reached; new connections wait");
        }
    }
}
