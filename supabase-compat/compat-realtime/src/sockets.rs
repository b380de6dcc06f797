//! The open sockets of this process: their limits, and how they are closed together.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_fair_semaphore::{KeyedLimiter, KeyedPermit, client_prefix};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::error::HandshakeRefusal;
use crate::send_queue::{CloseReason, SendQueue};
use crate::state::State;

/// All open sockets. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sockets(Arc<Inner>);

struct Inner {
    open: Mutex<OpenSockets>,
    count: watch::Sender<usize>,
    most: usize,
    by_client: KeyedLimiter<ClientKey>,
    most_of_client: usize,
}

/// The first address of a client's network, and how many sockets the client may have.
type ClientKey = (IpAddr, usize);

#[derive(Default)]
struct OpenSockets {
    queues: HashMap<u64, SendQueue>,
    next: u64,
    is_draining: bool,
}

/// The permit of one open socket; dropping it frees the place.
pub(crate) struct SocketPermit {
    sockets: Sockets,
    number: u64,
    queue: SendQueue,
    _client: KeyedPermit<ClientKey>,
}

impl Sockets {
    /// No open sockets; allows `most` in all, and `most_of_client` for one client.
    pub fn new(most: usize, most_of_client: usize) -> Self {
        let (open, count) = (Mutex::default(), watch::Sender::new(0));
        let by_client = KeyedLimiter::new(|(_, most): &ClientKey| *most);
        Self(Arc::new(Inner { open, count, most, by_client, most_of_client }))
    }

    /// Admits a socket that is sent the frames of `queue`.
    ///
    /// # Errors
    /// [`HandshakeRefusal`]: the limit of the process or of the client is reached, or the process
    /// stops.
    pub fn admit(
        &self,
        client: IpAddr,
        queue: SendQueue,
    ) -> Result<SocketPermit, HandshakeRefusal> {
        // Taken before the lock: dropping an unused permit takes the limiter's own lock.
        let client = (client_prefix(client).addr(), self.0.most_of_client);
        let client = self.0.by_client.try_acquire(client);
        let mut open = self.open();
        if open.is_draining {
            return Err(HandshakeRefusal::Stopping);
        }
        if open.queues.len() >= self.0.most {
            return Err(HandshakeRefusal::TooManySockets);
        }
        let client = client.ok_or(HandshakeRefusal::TooManySockets)?;
        let number = open.next;
        open.next += 1;
        open.queues.insert(number, queue.clone());
        self.0.count.send_replace(open.queues.len());
        Ok(SocketPermit { sockets: self.clone(), number, queue, _client: client })
    }

    /// The number of open sockets.
    pub fn count(&self) -> usize {
        *self.0.count.borrow()
    }

    /// Closes all sockets and admits no more; waits until none is open.
    async fn drain(&self) {
        let queues: Vec<SendQueue> = {
            let mut open = self.open();
            open.is_draining = true;
            open.queues.values().cloned().collect()
        };
        tracing::debug!(sockets = queues.len(), "closing all sockets");
        queues.iter().for_each(|queue| queue.close(CloseReason::Shutdown));
        let mut count = self.0.count.subscribe();
        // Cannot fail: the sender lives as long as `self`.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn open(&self) -> MutexGuard<'_, OpenSockets> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SocketPermit {
    /// The queue of frames to the socket.
    pub fn queue(&self) -> &SendQueue {
        &self.queue
    }
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        let mut open = self.sockets.open();
        open.queues.remove(&self.number);
        self.sockets.0.count.send_replace(open.queues.len());
    }
}

/// Closes every socket with `1001` when `stop` is cancelled, so that clients go to another process,
/// and waits until they are closed.
pub async fn run(state: State, stop: CancellationToken) {
    stop.cancelled().await;
    state.sockets.drain().await;
}
