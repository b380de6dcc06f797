//! Taking connections, as many as there is room for.

use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;

use super::connection::Connections;

/// How long accepting rests when the system has nothing to give, no file for one.
const REST: Duration = Duration::from_secs(1);
/// How often the log says so.
const EVERY: Duration = Duration::from_secs(60);

/// Takes connections for ever. Beyond the limit they wait in the system's own queue.
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
            // Somebody who went away before being let in.
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "connection accept failed");
                sleep(REST).await;
            }
        }
    }
}

/// Small answers leave at once instead of waiting for more.
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

    /// A permit, as soon as there is one; none only if the semaphore is closed, which nothing does.
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
