//! The vote batcher: ballots that arrive while others are decided form the next batch.
//!
//! Promises: a single ballot is decided at once; an error caused by one ballot rejects no other; a
//! disconnected voter cancels no other ballot; a ballot that waits too long, or arrives when the
//! queue is full, is rejected as overloaded. The database decides the outcome of a ballot.
//!
//! One transaction at a time decides ballots in the order of arrival; it waits for no server that
//! another transaction has locked. Ballots for a locked server form a batch of their own, which
//! waits for the lock.

mod batch;
mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compat_pg::{OwnerDb, PgError};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use self::queue::{PendingVote, Queue, QueueKey};
use crate::Refusal;
use crate::server_changes::ServerChanges;
use crate::store::vote::{Ballot, CastOutcome};

/// How long a ballot waits in the queue.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The outcome of a ballot.
type VoteResult = Result<CastOutcome, Refusal>;

/// The batcher of one process; cheap to clone.
#[derive(Clone)]
pub(crate) struct VoteBatcher(Arc<Inner>);

struct Inner {
    db: OwnerDb,
    /// Records the votes that count.
    changes: ServerChanges,
    queue: Mutex<Queue>,
}

/// A ballot in the queue. Dropping this cancels it, unless it is being decided.
struct QueuedVote<'a> {
    ballots: &'a VoteBatcher,
    key: QueueKey,
}

impl VoteBatcher {
    /// Creates a batcher for this database; it records the votes that count in `changes`.
    pub fn new(db: OwnerDb, changes: ServerChanges) -> Self {
        Self(Arc::new(Inner { db, changes, queue: Mutex::new(Queue::default()) }))
    }

    /// Casts a ballot and waits for its outcome.
    ///
    /// # Errors
    /// [`Refusal::Overloaded`] when the queue is full, [`Refusal::Database`] when the ballot was
    /// not decided.
    pub async fn cast(&self, ballot: Ballot) -> VoteResult {
        let until = Instant::now() + TIMEOUT;
        let (reply, mut result) = oneshot::channel();
        let key = self.queue().enqueue(PendingVote { ballot, until, reply })?;
        let queued = QueuedVote { ballots: self, key };
        self.dispatch();
        let answer = match timeout_at(until, &mut result).await {
            Ok(answer) => answer,
            Err(_) if queued.cancel() => return Err(PgError::PoolTimeout.into()),
            Err(_) => result.await,
        };
        // The task that decided the batch ended without a reply.
        let to_error = |_| PgError::Unavailable("the batch ended without an answer".into());
        answer.map_err(to_error)?
    }

    /// Starts every batch that can be decided now.
    fn dispatch(&self) {
        let mut queue = self.queue();
        while let Some(batch) = queue.take() {
            let span = tracing::info_span!("ranking.ballots", ballots = batch.ballots.len());
            tokio::spawn(batch::decide(self.clone(), batch).instrument(span));
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedVote<'_> {
    /// Removes the ballot from the queue; false when a batch has taken it.
    fn cancel(&self) -> bool {
        self.ballots.queue().cancel(self.key)
    }
}

impl Drop for QueuedVote<'_> {
    fn drop(&mut self) {
        self.cancel();
    }
}
