//! What is counted beside votes: ranks, rises, games, tags, refusals, the whole site by the day.

use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

use super::STEP;
use crate::State;
use crate::store::refused::Refused;
use crate::store::{housekeeping, refused};

/// Days of the whole site a transaction counts.
const DAYS: i32 = 7;

/// Counts how many servers are ahead of each number of votes; how many places there are changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_ranks(state: &State) -> Result<i32, PgError> {
    counted_ranks(&state.pools().figures).await
}

/// The same through the connection of another room.
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

/// Counts the listings, players and votes of each game; how many games' figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_games(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let changed = housekeeping::count_games(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Counts how many servers of each game wear each tag; how many of these figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_tags(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let changed = housekeeping::count_tags(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Counts what there was on the whole site today, and on earlier days that may have changed or that
/// nobody counted yet; how many days.
///
/// # Errors
/// When the database refuses or cannot be asked; days counted before stay.
pub async fn keep_site_figures(state: &State) -> Result<i32, PgError> {
    let now = state.environment().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let kept = housekeeping::keep_site_figures(&mut owner, now, DAYS).await?;
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
pub async fn keep_event_places(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().figures.begin().await?;
    let kept = housekeeping::keep_event_places(&mut owner, state.environment().clock.now()).await?;
    owner.commit().await?;
    Ok(kept)
}
