//! Permits for something scarce, shared fairly among clients, and limits for each key.
//!
//! [`FairSemaphore`] promises: there are never more permits than agreed, one client holds only so
//! many, and a free one goes to the client that holds the fewest, among equals to the one that has
//! waited longest. The queue is bounded, and a client that stops waiting leaves it. Where a reserve
//! is agreed, clients that hold permits for long leave it to the others, however many they are. A
//! hand-over costs the logarithm of the number that wait.
//!
//! [`KeyedLimiter`] bounds the permits of each key, and knows nothing of clients.
//!
//! Neither knows what the permits are for, how long a caller is willing to wait, or how a refusal is
//! worded.

mod client;
mod keyed;
mod queue;
mod state;

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::time::Instant;

pub use client::client_prefix;
pub use keyed::{KeyedLimiter, KeyedPermit};
use state::State;

/// The limits of a [`FairSemaphore`].
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most permits at the same time; at least one.
    pub permits: usize,
    /// The most permits of one client; at least one.
    pub per_client: usize,
    /// The most calls that wait.
    pub waiting: usize,
    /// The most calls of one client that wait.
    pub waiting_per_client: usize,
    /// The reserve for clients that hold permits briefly, if there is one.
    pub reserve: Option<Reserve>,
}

/// A limit on the permits of all slow clients together, and of each network, because one person may
/// have many addresses.
#[derive(Debug, Clone, Copy)]
pub struct Reserve {
    /// A client is slow while it holds a permit for longer than this.
    pub slow_after: Duration,
    /// For how long after such a permit the client's network counts as slow.
    pub slow_for: Duration,
    /// The most permits of all slow clients together, and of one network; at least one.
    pub most: usize,
}

/// A semaphore that shares its permits among clients. Clones share them.
#[derive(Clone)]
pub struct FairSemaphore(Arc<Mutex<State>>);

/// One permit, released when it is dropped.
pub struct Permit {
    semaphore: FairSemaphore,
    client: IpNet,
    since: Instant,
}

/// The queue is full, so that a call is refused instead of waiting.
#[derive(Debug, PartialEq, Eq)]
pub struct QueueFull;

/// A position in the queue, given up when it is dropped.
struct Waiter<'a> {
    semaphore: &'a FairSemaphore,
    client: IpNet,
    arrival: u64,
}

impl FairSemaphore {
    /// Creates a semaphore with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Mutex::new(State::new(limits))))
    }

    /// Waits for a permit. The addresses of one [`client_prefix`] are one client.
    ///
    /// # Errors
    /// [`QueueFull`] when no permit is free and the queue is full.
    pub async fn acquire(&self, client: IpAddr) -> Result<Permit, QueueFull> {
        let client = client_prefix(client);
        let (arrival, permit) = {
            let mut state = self.lock();
            let now = Instant::now();
            if state.admits(client, now) {
                state.hold(client, now);
                return Ok(self.permit(client, now));
            }
            state.enqueue(client)?
        };
        let _waiter = Waiter { semaphore: self, client, arrival };
        permit.await.map_err(|_| QueueFull)
    }

    fn permit(&self, client: IpNet, since: Instant) -> Permit {
        Permit { semaphore: self.clone(), client, since }
    }

    fn release(&self, client: IpNet, since: Instant) {
        let mut unwanted = Vec::new();
        let mut state = self.lock();
        let now = Instant::now();
        state.release(client, since, now);
        while let Some((client, waiting)) = state.next(now) {
            state.hold(client, now);
            unwanted.extend(waiting.send(self.permit(client, now)).err());
        }
        // Some callers may have left meanwhile. Dropping their permits calls this function again,
        // which takes the lock.
        drop(state);
        drop(unwanted);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.semaphore.release(self.client, self.since);
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.semaphore.lock().leave(self.client, self.arrival);
    }
}

#[cfg(test)]
mod tests;
