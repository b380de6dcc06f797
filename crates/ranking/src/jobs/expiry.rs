//! Expiry: periods of votes, promotion, contests and sanctions that are over.

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
    let now = state.edge().clock.now();
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
    let mut kept = true;
    while kept {
        let mut owner = state.pools().closing.begin().await?;
        kept = housekeeping::keep_month_podiums(&mut owner, now).await?.is_some();
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

/// Ends promotion whose time has passed, for lists, and gives promoted servers the order of the
/// hour; how many servers changed.
///
/// # Errors
/// When the database refuses or cannot be asked; what was changed before stays.
pub async fn refresh_promotion(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().figures.begin().await?;
        let kept = housekeeping::refresh_promotion(&mut owner, now, STEP).await?;
        owner.commit().await?;
        all += kept;
        if kept < STEP {
            return Ok(all);
        }
    }
}

/// Hides bonus servers whose room has gone with the Prestige that made it; how many. Prestige
/// itself needs no ending: it is over for every reader once its time has passed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn hide_bonus_servers(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let hidden = housekeeping::hide_bonus_servers(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(hidden)
}

/// Ends the contests that no administrator came to end in time, and gives their winners the days;
/// how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn close_ended_events(state: &State) -> Result<i32, PgError> {
    let mut owner = state.pools().jobs.begin().await?;
    let closed = housekeeping::close_ended_events(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(closed)
}

/// Ends the bans whose end has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; bans ended before stay so.
pub async fn expire_bans(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let ended = housekeeping::expire_bans(&mut owner, now, STEP).await?;
        owner.commit().await?;
        all += ended;
        if ended < STEP {
            return Ok(all);
        }
    }
}

/// Ends the warnings whose end has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; warnings ended before stay so.
pub async fn expire_warnings(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let ended = housekeeping::expire_warnings(&mut owner, now, STEP).await?;
        owner.commit().await?;
        all += ended;
        if ended < STEP {
            return Ok(all);
        }
    }
}
