//! Closes the days, weeks and months of votes that have ended.

use compat_pg::PgError;
use uuid::Uuid;

use super::STEP;
use super::aggregates::refresh_ranks_in;
use crate::State;
use crate::store::housekeeping;

/// The step size where no vote waits for the locks, and each step reads all rows.
const LONG_STEP: i32 = 10_000;

/// Closes the day, the week and the month that have ended in the site's time zone, in steps and
/// while votes continue. Also stores the top three of a closed month and the ranks at the start of
/// the day. Returns whether this process closed a period.
///
/// # Errors
/// When the database fails; the next run closes the rest.
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
    // The ranks are recounted after everything is closed, so that no rank outlives its month.
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
