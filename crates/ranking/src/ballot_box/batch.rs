//! One transaction's worth of ballots.

use std::sync::Arc;

use compat_pg::PgError;
use tokio::time::Instant;
use uuid::Uuid;

use super::BallotBox;
use super::queue::{Batch, Place, Waiting};
use crate::Refusal;
use crate::store::vote::{self, Ballot, Cast};

/// What is under way of a batch; whatever ends it, the box goes on.
struct Lane {
    ballots: BallotBox,
    alone: Option<Uuid>,
}

/// Decides a batch, in one piece if that can be done, and tells everybody in it.
pub(super) async fn decide(ballots: BallotBox, batch: Batch) {
    let lane = Lane { ballots, alone: batch.alone };
    let mut parts = vec![batch.ballots];
    while let Some(mut part) = parts.pop() {
        let late = |(_, waiting): &mut (Place, Waiting)| waiting.until <= Instant::now();
        refuse(part.extract_if(.., late).collect(), PgError::PoolTimeout);
        match lane.cast(&part).await {
            Ok(casts) => part.into_iter().zip(casts).for_each(|(one, cast)| lane.tell(one, cast)),
            // One of them may be to blame: the others are decided without it.
            Err(error) if part.len() > 1 && lane.is_worth_parting(&error) => {
                let rest = part.split_off(part.len() / 2);
                parts.extend([rest, part]);
            }
            // Somebody holds more than the server; it is waited for where nobody else has to.
            Err(error) if lane.alone.is_none() && error.is_lock_timeout() => {
                part.into_iter().for_each(|one| lane.tell(one, Cast::Busy));
            }
            Err(error) => refuse(part, error),
        }
    }
}

fn refuse(part: Vec<(Place, Waiting)>, error: PgError) {
    let error = Arc::new(error);
    for (_, waiting) in part {
        // Nobody there to hear it is nobody to be told.
        drop(waiting.reply.send(Err(Refusal::Database(Arc::clone(&error)))));
    }
}

impl Lane {
    async fn cast(&self, part: &[(Place, Waiting)]) -> Result<Vec<Cast>, PgError> {
        if part.is_empty() {
            return Ok(Vec::new());
        }
        let ballots: Vec<&Ballot> = part.iter().map(|(_, waiting)| &waiting.ballot).collect();
        let mut owner = self.ballots.0.db.begin().await?;
        let casts = vote::cast(&mut owner, &ballots, self.alone.is_some()).await?;
        // A vote that has to wait is committed too: its answer stays spent, or it could be used to
        // ask about every nickname there is.
        owner.commit().await?;
        Ok(casts)
    }

    /// Whether it may have been one of several ballots that PostgreSQL refused. A lock that a
    /// single server was waited for is nobody's own.
    fn is_worth_parting(&self, error: &PgError) -> bool {
        error.database().is_some() && !(self.alone.is_some() && error.is_lock_timeout())
    }

    fn tell(&self, (place, waiting): (Place, Waiting), cast: Cast) {
        match cast {
            Cast::Deferred | Cast::Busy if waiting.until <= Instant::now() => {
                drop(waiting.reply.send(Err(PgError::PoolTimeout.into())));
            }
            Cast::Deferred | Cast::Busy => {
                let mut queue = self.ballots.queue();
                if cast == Cast::Busy {
                    queue.hold(waiting.ballot.server);
                }
                queue.put(place, waiting);
            }
            cast => drop(waiting.reply.send(Ok(cast))),
        }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.ballots.queue().done(self.alone);
        self.ballots.serve();
    }
}
