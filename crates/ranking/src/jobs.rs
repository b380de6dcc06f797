//! What time alone brings about.
//!
//! Each job is one transaction that may be repeated, skipped, or run by several processes at once:
//! what it does depends on what the rows say and on the clock, never on having run before.

use std::time::Duration;

use compat_pg::PgError;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::{
    State,
    store::{captcha_spent, housekeeping},
};

/// How often jobs run. Nothing depends on it but how late a change may be seen.
const EVERY: Duration = Duration::from_secs(60);
/// Spent challenges are kept a little beyond their end, for processes whose clock is behind.
const CLOCK_MARGIN: Duration = Duration::from_secs(300);

/// Closes the day, the week and the month that are over in the site's time zone; whether any was.
pub async fn close_vote_periods(state: &State) -> Result<bool, PgError> {
    let mut owner = state.owner().begin().await?;
    let turned = housekeeping::roll_vote_periods(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(turned)
}

/// Hides bonus servers whose room has gone with the Prestige that made it; how many. Prestige itself
/// needs no ending: it is over for every reader once its time has passed.
pub async fn hide_bonus_servers(state: &State) -> Result<i32, PgError> {
    let mut owner = state.owner().begin().await?;
    let lapsed = housekeeping::lapse_prestige(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(lapsed)
}

/// Frees the dates of advertising spots that were booked and never paid; how many.
pub async fn free_unpaid_arcade_spots(state: &State) -> Result<i32, PgError> {
    let mut owner = state.owner().begin().await?;
    let now = state.edge().clock.now();
    let freed = housekeeping::lapse_pending_arcade_spots(&mut owner, now).await?;
    owner.commit().await?;
    Ok(freed)
}

/// Opens the paid advertising spots whose first day has come; how many.
pub async fn open_paid_arcade_spots(state: &State) -> Result<i32, PgError> {
    let mut owner = state.owner().begin().await?;
    let now = state.edge().clock.now();
    let opened = housekeeping::open_paid_arcade_spots(&mut owner, now).await?;
    owner.commit().await?;
    Ok(opened)
}

/// Forgets spent captcha answers whose challenge has ended; how many.
pub async fn forget_spent_captchas(state: &State) -> Result<u64, PgError> {
    let mut owner = state.owner().begin().await?;
    let ended = state.edge().clock.now() - CLOCK_MARGIN;
    let forgotten = captcha_spent::forget(&mut owner, ended).await?;
    owner.commit().await?;
    Ok(forgotten)
}

/// Forgets the address hashes of old votes; how many. The votes stay counted.
pub async fn forget_voters(state: &State) -> Result<i32, PgError> {
    let mut owner = state.owner().begin().await?;
    let before = state.edge().clock.now() - state.config().identity_retention;
    let forgotten = housekeeping::purge_vote_identities(&mut owner, before).await?;
    owner.commit().await?;
    Ok(forgotten)
}

/// Runs every job at once and then every minute, until cancelled. A job under way is finished; one
/// that fails is logged and tried again with the next round.
pub async fn run_jobs(state: State, cancelled: CancellationToken) {
    let mut rounds = tokio::time::interval(EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while cancelled.run_until_cancelled(rounds.tick()).await.is_some() {
        round(&state).await;
    }
}

async fn round(state: &State) {
    note("close_vote_periods", close_vote_periods(state).await.map(u64::from));
    note("hide_bonus_servers", hide_bonus_servers(state).await.map(counted));
    note("free_unpaid_arcade_spots", free_unpaid_arcade_spots(state).await.map(counted));
    note("open_paid_arcade_spots", open_paid_arcade_spots(state).await.map(counted));
    note("forget_spent_captchas", forget_spent_captchas(state).await);
    note("forget_voters", forget_voters(state).await.map(counted));
}

fn counted(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

fn note(job: &'static str, done: Result<u64, PgError>) {
    match done {
        Ok(0) => tracing::debug!(job, "nothing to do"),
        Ok(changed) => tracing::info!(job, changed, "done"),
        Err(error) => tracing::error!(job, %error, "failed; the next round tries again"),
    }
}
