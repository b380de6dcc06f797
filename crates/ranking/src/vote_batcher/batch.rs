//! Decides a batch of ballots in one transaction.

use std::sync::Arc;

use compat_pg::PgError;
use tokio::time::Instant;
use uuid::Uuid;

use super::VoteBatcher;
use super::queue::{Batch, PendingVote, QueueKey};
use crate::Refusal;
use crate::store::vote::{self, Ballot, CastOutcome};

/// A batch under way. Dropping it, however the batch ended, starts the next one.
struct BatchGuard {
    ballots: VoteBatcher,
    blocking_server: Option<Uuid>,
}

/// Decides a batch, in one transaction if possible, and replies to every voter in it.
pub(super) async fn decide(ballots: VoteBatcher, batch: Batch) {
    let guard = BatchGuard { ballots, blocking_server: batch.blocking_server };
    let mut parts = vec![batch.ballots];
    while let Some(mut part) = parts.pop() {
        let late = |(_, waiting): &mut (QueueKey, PendingVote)| waiting.until <= Instant::now();
        refuse(part.extract_if(.., late).collect(), PgError::PoolTimeout);
        match guard.cast(&part).await {
            Ok(casts) => part.into_iter().zip(casts).for_each(|(one, cast)| guard.reply(one, cast)),
            // One ballot may have caused the error: the halves are decided separately.
            Err(error) if part.len() > 1 && guard.is_worth_splitting(&error) => {
                let rest = part.split_off(part.len() / 2);
                parts.extend([rest, part]);
            }
            // Another transaction holds a lock of this ballot. The ballot waits for it in a batch
            // of its own, where no other ballot has to wait.
            Err(error) if guard.blocking_server.is_none() && error.is_lock_timeout() => {
                part.into_iter().for_each(|one| guard.reply(one, CastOutcome::Busy));
            }
            Err(error) => refuse(part, error),
        }
    }
}

fn refuse(part: Vec<(QueueKey, PendingVote)>, error: PgError) {
    let error = Arc::new(error);
    for (_, waiting) in part {
        // A voter who has disconnected needs no reply.
        drop(waiting.reply.send(Err(Refusal::Database(Arc::clone(&error)))));
    }
}

impl BatchGuard {
    async fn cast(&self, part: &[(QueueKey, PendingVote)]) -> Result<Vec<CastOutcome>, PgError> {
        if part.is_empty() {
            return Ok(Vec::new());
        }
        let ballots: Vec<&Ballot> = part.iter().map(|(_, waiting)| &waiting.ballot).collect();
        let mut owner = self.ballots.0.db.begin().await?;
        let casts = vote::cast(&mut owner, &ballots, self.blocking_server.is_some()).await?;
        // A vote that was refused by the cooldown is committed too: its captcha answer stays spent.
        // Otherwise one answer could test every nickname.
        owner.commit().await?;
        Ok(casts)
    }

    /// Whether one ballot of the batch may have caused the error. A lock timeout of a blocking
    /// server is not caused by a ballot.
    fn is_worth_splitting(&self, error: &PgError) -> bool {
        error.database().is_some() && !(self.blocking_server.is_some() && error.is_lock_timeout())
    }

    fn reply(&self, (key, waiting): (QueueKey, PendingVote), cast: CastOutcome) {
        match cast {
            CastOutcome::Deferred | CastOutcome::Busy if waiting.until <= Instant::now() => {
                drop(waiting.reply.send(Err(PgError::PoolTimeout.into())));
            }
            CastOutcome::Deferred | CastOutcome::Busy => {
                let mut queue = self.ballots.queue();
                if cast == CastOutcome::Busy {
                    queue.mark_blocked(waiting.ballot.server);
                }
                queue.put(key, waiting);
            }
            cast => {
                if let CastOutcome::Accepted(vote) = &cast {
                    // Recorded here, because the vote counts even if the voter has disconnected.
                    let changes = &self.ballots.0.changes;
                    changes.record_vote(waiting.ballot.server, vote.monthly_votes);
                }
                drop(waiting.reply.send(Ok(cast)));
            }
        }
    }
}

impl Drop for BatchGuard {
    fn drop(&mut self) {
        self.ballots.queue().finish(self.blocking_server);
        self.ballots.dispatch();
    }
}
