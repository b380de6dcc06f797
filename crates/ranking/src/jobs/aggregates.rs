//! Aggregates: ranks, rises, games, tags, rejected votes, and the whole site by the day.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use super::STEP;
use crate::State;
use crate::store::vote_outcome::RejectionCount;
use crate::store::{housekeeping, vote_outcome};

/// Days of the whole site a transaction counts.
const DAYS: i32 = 7;

/// Counts how many servers are ahead of each number of votes; how many places there are changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn refresh_ranks(state: &State) -> Result<i32, PgError> {
    refresh_ranks_in(&state.pools().figures).await
}

/// The same through the connection of another pool partition.
pub(super) async fn refresh_ranks_in(db: &OwnerDb) -> Result<i32, PgError> {
    let mut owner = db.begin().await?;
    let changed = housekeeping::refresh_ranks(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Writes down how many votes were refused since it was last done, by server and reason; how many
/// figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; the next turn writes them down.
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
    let counted = vote_outcome::count(&mut owner, counts, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(counted)
}

/// Keeps how far servers climbed since the day began, some at a time.
///
/// # Errors
/// When the database refuses or cannot be asked; what was kept before stays.
pub async fn refresh_rises(state: &State) -> Result<(), PgError> {
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.pools().figures.begin().await?;
        after = housekeeping::refresh_rises(&mut owner, last, STEP).await?;
        owner.commit().await?;
    }
    Ok(())
}

/// Counts the listings, players and votes of each game; how many games' figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn refresh_game_figures(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let changed = housekeeping::refresh_game_figures(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Counts how many servers of each game wear each tag; how many of these figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn refresh_tag_figures(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let changed = housekeeping::refresh_tag_figures(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Counts what there was on the whole site today, and on earlier days that may have changed or that
/// nobody counted yet; how many days.
///
/// # Errors
/// When the database refuses or cannot be asked; days counted before stay.
pub async fn refresh_site_figures(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let kept = housekeeping::refresh_site_figures(&mut owner, now, DAYS).await?;
        owner.commit().await?;
        all += kept;
        if kept < DAYS {
            return Ok(all);
        }
    }
}

/// Notes how the ten best of each contest stand today; of how many contests.
///
/// # Errors
/// When the database refuses or cannot be asked; what was noted before stays.
pub async fn refresh_event_places(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let kept = housekeeping::refresh_event_places(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(kept)
}
