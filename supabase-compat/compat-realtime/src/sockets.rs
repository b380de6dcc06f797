//! The open sockets of this process: how many there may be, and how they end together.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compat_fair_semaphore::{KeyedLimiter, KeyedPermit, client_prefix};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::error::HandshakeRefusal;
use crate::send_queue::{CloseReason, SendQueue};
use crate::state::State;

/// All of them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sockets(Arc<Inner>);

struct Inner {
    open: Mutex<OpenSockets>,
    count: watch::Sender<usize>,
    most: usize,
    by_client: KeyedLimiter<ClientKey>,
    most_of_client: usize,
}

/// Where a client's network begins, and how many sockets it may have.
type ClientKey = (IpAddr, usize);

#[derive(Default)]
struct OpenSockets {
    queues: HashMap<u64, SendQueue>,
    next: u64,
    is_draining: bool,
}

/// The place of one socket; dropped, it is another's.
pub(crate) struct SocketPermit {
    sockets: Sockets,
    number: u64,
    queue: SendQueue,
    _client: KeyedPermit<ClientKey>,
}

impl Sockets {
    /// None yet, and never more than `most`, of one client `most_of_client`.
    pub fn new(most: usize, most_of_client: usize) -> Self {
        let (open, count) = (Mutex::default(), watch::Sender::new(0));
        let by_client = KeyedLimiter::new(|(_, most): &ClientKey| *most);
        Self(Arc::new(Inner { open, count, most, by_client, most_of_client }))
    }

    /// A place for a socket that is sent what `queue` holds.
    ///
    /// # Errors
    /// [`HandshakeRefusal`]: all places are taken, or those of the client, or the process stops.
    pub fn admit(
        &self,
        client: IpAddr,
        queue: SendQueue,
    ) -> Result<SocketPermit, HandshakeRefusal> {
        // Before the lock: a permit that is not used after all takes the limiter's own.
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

    /// How many are open.
    pub fn count(&self) -> usize {
        *self.0.count.borrow()
    }

    /// Closes all of them, and takes no more; waits until none is open.
    async fn drain(&self) {
        let queues: Vec<SendQueue> = {
            let mut open = self.open();
            open.is_draining = true;
            open.queues.values().cloned().collect()
        };
        tracing::debug!(sockets = queues.len(), "sockets are closed");
        queues.iter().for_each(|queue| queue.close(CloseReason::Shutdown));
        let mut count = self.0.count.subscribe();
        // The sender lives as long as this.
        let _ = count.wait_for(|count| *count == 0).await;
    }

    fn open(&self) -> MutexGuard<'_, OpenSockets> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SocketPermit {
    /// What the socket is sent.
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
