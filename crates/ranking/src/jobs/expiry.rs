//! Expiry: periods of votes that are over.

use compat_pg::PgError;
use uuid::Uuid;

use super::STEP;
use super::aggregates::refresh_ranks_in;
use crate::State;
use crate::store::housekeeping;

/// The same where no vote waits, and each step looks at all of them.
const LONG_STEP: i32 = 10_000;

/// Closes the day, the week and the month that are over in the site's time zone, beside running
/// votes, some servers at a time, keeps the first three of a month that was closed and notes the
/// places the day begins with; whether any was, and nobody else did it.
///
/// # Errors
/// When the database refuses or cannot be asked; the next turn closes what is left.
pub async fn close_vote_periods(state: &State) -> Result<bool, PgError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().closing.begin().await?;
    let has_ended = housekeeping::has_vote_period_ended(&mut owner, now).await?;
    owner.commit().await?;
    if !has_ended {
        return Ok(false);
    }
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.pools().closing.begin().await?;
        after = housekeeping::close_vote_periods(&mut owner, now, last, STEP).await?;
        owner.commit().await?;
    }
    let mut placed = LONG_STEP;
    while placed == LONG_STEP {
        let mut owner = state.pools().closing.begin().await?;
        placed = housekeeping::place_finished_months(&mut owner, LONG_STEP).await?;
        owner.commit().await?;
    }
    let mut is_full = true;
    while is_full {
        let mut owner = state.pools().closing.begin().await?;
        is_full = housekeeping::keep_month_podiums(&mut owner, now).await?.is_some();
        owner.commit().await?;
    }
    // As they are once everything is closed: no place outlives the month it was won in.
    refresh_ranks_in(&state.pools().closing).await?;
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.pools().closing.begin().await?;
        after = housekeeping::record_places(&mut owner, now, last, STEP).await?;
        owner.commit().await?;
    }
    let mut owner = state.pools().closing.begin().await?;
    let moved = housekeeping::move_vote_clock(&mut owner, now).await?;
    owner.commit().await?;
    Ok(moved)
}
