//! The outbox: messages that are enqueued in the transaction that causes them, and delivered after.
//!
//! A message may be delivered twice, when its delivery could not be recorded, and never not at all.

use std::time::Duration;

use chrono::TimeDelta;
use compat_http::Clock;
use compat_pg::{ClaimedJob, JobOutcome, Owner, OwnerDb, PgError, Queue, QueueRules};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// A message that one process delivers at present.
pub type ClaimedMessage = ClaimedJob;

/// The messages of one table. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    queue: Queue,
    table: &'static str,
    lease: Duration,
    clock: Clock,
}

impl Outbox {
    /// The outbox in `table`, which has the shape of a queue's. `owner` claims the messages; `lease`
    /// is longer than any delivery takes.
    pub fn new(owner: OwnerDb, table: &'static str, lease: Duration, clock: Clock) -> Self {
        Self { queue: Queue::new(owner, table), table, lease, clock }
    }

    /// Enqueues a message, due at once. It is there as soon as the transaction commits.
    pub async fn enqueue(
        &self,
        transaction: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
    ) -> Result<(), PgError> {
        self.queue.put(transaction, kind, payload, self.clock.now()).await.map(drop)
    }

    /// Enqueues a message that whoever enqueues it delivers at once, after the commit. Should they be
    /// lost, it is a worker's when the lease ends.
    pub async fn enqueue_claimed(
        &self,
        transaction: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
    ) -> Result<ClaimedMessage, PgError> {
        self.queue.put_held(transaction, kind, payload, self.clock.now(), self.lease).await
    }

    /// Removes a message. One that cannot be removed is delivered once more: late and twice rather
    /// than never.
    pub async fn remove(&self, message: &ClaimedMessage) {
        if let Err(error) = self.queue.done(message).await {
            let (outbox, id) = (self.table, message.id);
            tracing::warn!(outbox, id, %error, "delivered message not removed from the outbox");
        }
    }

    /// Leaves a message to a worker, who tries it again after a pause.
    pub async fn retry(&self, message: &ClaimedMessage, pause: TimeDelta, reason: &str) {
        let at = self.clock.now() + pause;
        if let Err(error) = self.queue.retry(message, at, reason).await {
            let (outbox, id) = (self.table, message.id);
            tracing::warn!(outbox, id, %error, "message not rescheduled; retried when its lease ends");
        }
    }

    /// Delivers messages that are due, again and again until `stop` is cancelled, and then waits for
    /// those under way.
    pub async fn dispatch<F>(&self, deliver: impl Fn(ClaimedMessage) -> F, stop: CancellationToken)
    where
        F: Future<Output = JobOutcome>,
    {
        let rules = QueueRules { lease: self.lease, ..QueueRules::default() };
        self.queue.work(&rules, || self.clock.now(), deliver, stop.cancelled()).await;
    }
}
