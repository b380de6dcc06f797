//! One transaction's worth of ballots.

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

/// Decides a batch, in one piece if that can be done, and tells everybody in it.
pub(super) async fn decide(ballots: VoteBatcher, batch: Batch) {
    let guard = BatchGuard { ballots, blocking_server: batch.blocking_server };
    let mut parts = vec![batch.ballots];
    while let Some(mut part) = parts.pop() {
        let late = |(_, waiting): &mut (QueueKey, PendingVote)| waiting.until <= Instant::now();
        refuse(part.extract_if(.., late).collect(), PgError::PoolTimeout);
        match guard.cast(&part).await {
            Ok(casts) => part.into_iter().zip(casts).for_each(|(one, cast)| guard.reply(one, cast)),
            // One of them may be to blame: the others are decided without it.
            Err(error) if part.len() > 1 && guard.is_worth_splitting(&error) => {
                let rest = part.split_off(part.len() / 2);
                parts.extend([rest, part]);
            }
            // Somebody holds more than the server; it is waited for where nobody else has to.
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
        // Nobody there to hear it is nobody to be told.
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
        // A vote that has to wait is committed too: its answer stays spent, or it could be used to
        // ask about every nickname there is.
        owner.commit().await?;
        Ok(casts)
    }

    /// Whether it may have been one of several ballots that PostgreSQL refused. A lock that a
    /// single server was waited for is nobody's own.
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
                    // Noted here, since the voter may be gone: the vote counts all the same.
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
