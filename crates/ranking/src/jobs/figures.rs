//! What is counted beside votes in more than one statement: ranks, rises, refusals.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use super::STEP;
use crate::State;
use crate::store::refused::Refused;
use crate::store::{housekeeping, refused};

/// Counts how many servers are ahead of each number of votes; how many places there are changed.
pub(super) async fn counted_ranks(room: &OwnerDb) -> Result<i32, PgError> {
    let mut owner = room.begin().await?;
    let changed = housekeeping::count_ranks(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Writes down how many votes were refused since it was last done, by server and reason; how many
/// figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; the next turn writes them down.
pub async fn count_refusals(state: &State) -> Result<i32, PgError> {
    let refused = state.refusals().take();
    if refused.is_empty() {
        return Ok(0);
    }
    let counted = count_refused(state, &refused).await;
    if counted.is_err() {
        state.refusals().keep(refused);
    }
    counted
}

async fn count_refused(state: &State, refused: &[Refused]) -> Result<i32, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let counted = refused::count(&mut owner, refused, state.environment().clock.now()).await?;
    owner.commit().await?;
    Ok(counted)
}

/// Keeps how far servers climbed since the day began, some at a time.
///
/// # Errors
/// When the database refuses or cannot be asked; what was kept before stays.
pub async fn keep_rises(state: &State) -> Result<(), PgError> {
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.pools().figures.begin().await?;
        after = housekeeping::keep_rises(&mut owner, last, STEP).await?;
        owner.commit().await?;
    }
    Ok(())
}
