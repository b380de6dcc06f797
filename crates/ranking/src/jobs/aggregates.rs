//! Aggregates that take more than one statement: ranks, rises, rejected votes.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use super::STEP;
use crate::State;
use crate::store::vote_outcome::RejectionCount;
use crate::store::{housekeeping, vote_outcome};

/// Recounts how many servers are ahead of each number of votes; returns how many rows changed.
pub(super) async fn refresh_ranks_in(db: &OwnerDb) -> Result<i32, PgError> {
    let mut owner = db.begin().await?;
    let changed = housekeeping::refresh_ranks(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Stores the counts of votes rejected since the last run, by server and reason; returns how many
/// rows changed.
///
/// # Errors
/// When the database fails; the next run stores the counts.
pub async fn store_rejection_counts(state: &State) -> Result<i32, PgError> {
    let counts = state.rejection_counts().take();
    if counts.is_empty() {
        return Ok(0);
    }
    let counted = write_counts(state, &counts).await;
    if counted.is_err() {
        state.rejection_counts().restore(counts);
    }
    counted
}

async fn write_counts(state: &State, counts: &[RejectionCount]) -> Result<i32, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let counted = vote_outcome::count(&mut owner, counts, state.environment().clock.now()).await?;
    owner.commit().await?;
    Ok(counted)
}

/// Stores how far each server climbed since the day began, in steps.
///
/// # Errors
/// When the database fails; the steps before the failure stay.
pub async fn refresh_rises(state: &State) -> Result<(), PgError> {
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.pools().figures.begin().await?;
        after = housekeeping::refresh_rises(&mut owner, last, STEP).await?;
        owner.commit().await?;
    }
    Ok(())
}
