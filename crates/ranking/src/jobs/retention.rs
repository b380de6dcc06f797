//! Retention: rows and identities that are as old as they are kept, pruned or purged in steps.

use std::time::Duration;

use compat_pg::PgError;

use super::STEP;
use crate::State;
use crate::store::housekeeping::RetentionTarget;
use crate::store::{captcha_spent, housekeeping, report_notice};

/// Spent challenges are kept a little beyond their end, for processes whose clock is behind.
const CLOCK_MARGIN: Duration = Duration::from_secs(300);

/// Browsers that were not heard of for so long have another address by now.
const UNASKED: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// For so long whoever reported something may object to what was decided.
const OBJECTIONS: Duration = Duration::from_secs(184 * 24 * 60 * 60);

/// Forgets who reported what was decided so long ago without an account; how many. The reports stay.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
pub async fn forget_notices(state: &State) -> Result<i32, PgError> {
    let before = state.edge().clock.now() - OBJECTIONS;
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let forgotten = report_notice::forget(&mut owner, before, STEP).await?;
        owner.commit().await?;
        all += forgotten;
        if forgotten < STEP {
            return Ok(all);
        }
    }
}

/// Forgets spent captcha answers whose challenge has ended; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
pub async fn purge_spent_captchas(state: &State) -> Result<i32, PgError> {
    let ended = state.edge().clock.now() - CLOCK_MARGIN;
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let forgotten = captcha_spent::purge(&mut owner, ended, STEP).await?;
        owner.commit().await?;
        all += forgotten;
        if forgotten < STEP {
            return Ok(all);
        }
    }
}

/// Forgets the address hashes of old votes and clicks; how many. They stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
pub async fn purge_voters(state: &State) -> Result<i32, PgError> {
    let before = state.edge().clock.now() - state.config().retention.identities;
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let forgotten = housekeeping::purge_vote_identities(&mut owner, before, STEP).await?;
        owner.commit().await?;
        all += forgotten;
        // Of either there are so many at most.
        if forgotten < STEP {
            return Ok(all);
        }
    }
}

/// Takes away the rows of old votes; how many. Their figures stay.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_votes(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Votes, state.config().retention.votes).await
}

/// Takes away the rows of old clicks; how many. They stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_clicks(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Clicks, state.config().retention.clicks).await
}

/// Takes away who copied addresses on days that are over, but for a day in hand; how many rows. The
/// copies stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_copies(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Copies, Duration::from_secs(24 * 60 * 60)).await
}

/// Takes away what voters gave in days, weeks and months long over; how many rows.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_voter_totals(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::VoterTotals, state.config().retention.voter_totals).await
}

/// Takes away old deliveries, made or not; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_deliveries(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Deliveries, state.config().retention.deliveries).await
}

/// Takes away who voted on days that are over, as far as limits are counted; how many rows.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_vote_windows(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::VoteWindows, Duration::from_secs(24 * 60 * 60)).await
}

/// Takes away old votes that were taken back; how many. Their figures stay.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_voided_votes(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::VoidedVotes, state.config().retention.votes).await
}

/// Takes away tickets as long after their end as deliveries are kept; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_tickets(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Tickets, state.config().retention.deliveries).await
}

/// Takes away old lines of the security log; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_security_events(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::SecurityEvents, state.config().retention.security_events).await
}

/// Takes away how servers were on days long past; how many rows.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_status_days(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::StatusDays, state.config().retention.statuses).await
}

/// Takes away the browsers that asked for nothing in half a year; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn prune_subscriptions(state: &State) -> Result<i32, PgError> {
    prune(state, RetentionTarget::Subscriptions, UNASKED).await
}

/// In steps, beside everything else: no vote waits for more than one of them.
async fn prune(state: &State, what: RetentionTarget, kept: Duration) -> Result<i32, PgError> {
    let before = state.edge().clock.now() - kept;
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let pruned = housekeeping::prune(&mut owner, what, before, STEP).await?;
        owner.commit().await?;
        all += pruned;
        if pruned < STEP {
            return Ok(all);
        }
    }
}
