//! The outbox: messages that are enqueued in the transaction that causes them, and delivered after
//! its commit.
//!
//! Every message is delivered at least once. It is delivered again if its delivery cannot be
//! recorded.

use std::time::Duration;

use chrono::TimeDelta;
use compat_http::Clock;
use compat_pg::{ClaimedJob, JobOutcome, Owner, OwnerDb, PgError, Queue, QueueRules};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// A message that one process has claimed for delivery.
pub type ClaimedMessage = ClaimedJob;

/// The outbox in one table. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    queue: Queue,
    table: &'static str,
    lease: Duration,
    clock: Clock,
}

impl Outbox {
    /// Opens the outbox in `table`, which has the columns of a queue table. `owner` claims the
    /// messages; `lease` must be longer than any delivery takes.
    pub fn new(owner: OwnerDb, table: &'static str, lease: Duration, clock: Clock) -> Self {
        Self { queue: Queue::new(owner, table), table, lease, clock }
    }

    /// Enqueues a message that is due at once. Workers see it as soon as the transaction commits.
    pub async fn enqueue(
        &self,
        transaction: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
    ) -> Result<(), PgError> {
        self.queue.put(transaction, kind, payload, self.clock.now()).await.map(drop)
    }

    /// Enqueues a message that the caller delivers itself right after the commit. If the caller
    /// fails to, a worker delivers it when the lease ends.
    pub async fn enqueue_claimed(
        &self,
        transaction: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
    ) -> Result<ClaimedMessage, PgError> {
        self.queue.put_held(transaction, kind, payload, self.clock.now(), self.lease).await
    }

    /// Removes a delivered message. If that fails, the message is delivered again.
    pub async fn remove(&self, message: &ClaimedMessage) {
        if let Err(error) = self.queue.done(message).await {
            let (outbox, id) = (self.table, message.id);
            tracing::warn!(outbox, id, %error, "cannot remove a delivered message from the outbox");
        }
    }

    /// Leaves a message to a worker, which retries it after `pause`.
    pub async fn retry(&self, message: &ClaimedMessage, pause: TimeDelta, reason: &str) {
        let at = self.clock.now() + pause;
        if let Err(error) = self.queue.retry(message, at, reason).await {
            let (outbox, id) = (self.table, message.id);
            tracing::warn!(outbox, id, %error, "cannot reschedule a message; it is retried when its lease ends");
        }
    }

    /// Delivers due messages until `stop` is cancelled, and then waits for the deliveries in
    /// progress.
    pub async fn dispatch<F>(&self, deliver: impl Fn(ClaimedMessage) -> F, stop: CancellationToken)
    where
        F: Future<Output = JobOutcome>,
    {
        let rules = QueueRules { lease: self.lease, ..QueueRules::default() };
        self.queue.work(&rules, || self.clock.now(), deliver, stop.cancelled()).await;
    }
}
