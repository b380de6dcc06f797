//! Deleting expired rows.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio_util::sync::CancellationToken;

use crate::error::AuthError;
use crate::state::State;
use crate::store;
use crate::store::cleanup::{AT_MOST, ExpiryRule};

/// The pause between two runs of [`run_cleanup`].
const EVERY: Duration = Duration::from_secs(600);

/// Deletes expired rows: used refresh tokens, ended sessions, flows, challenges and enrolments more
/// than a day old, anonymous accounts more than thirty days old, rate limit counters unused for a
/// day, and audit log entries past their retention. Each kind is deleted in its own transactions of
/// a thousand rows, so that locks are short. Safe with any number of processes.
///
/// # Errors
/// An error of the database; rows deleted before it stay deleted.
pub async fn clean(state: &State) -> Result<u64, AuthError> {
    let now = state.now();
    let day = now - TimeDelta::days(1);
    let (rules, audited) = (&state.config.session, state.config.audit_log_days);
    let expiries = [
        (ExpiryRule::RefreshTokens, Some(day)),
        (ExpiryRule::EndedSessions, Some(now)),
        (ExpiryRule::OldSessions, rules.timebox.map(|timebox| day - timebox)),
        (ExpiryRule::IdleSessions, rules.inactivity_timeout.map(|timeout| day - timeout)),
        (ExpiryRule::ClientStates, Some(day)),
        (ExpiryRule::Flows, Some(day)),
        (ExpiryRule::Challenges, Some(day)),
        (ExpiryRule::Ceremonies, Some(now)),
        (ExpiryRule::Factors, Some(day)),
        (ExpiryRule::AnonymousUsers, Some(now - TimeDelta::days(30))),
        (ExpiryRule::AuditLog, audited.map(|days| now - TimeDelta::days(days.into()))),
    ];
    let mut removed = 0;
    for (expired, before) in expiries {
        if let Some(before) = before {
            removed += remove_all(state, expired, before).await?;
        }
    }
    remove_all(state, ExpiryRule::Allowances, day).await?;
    Ok(removed)
}

/// Deletes all rows of one kind that are older than `before`, in batches.
async fn remove_all(
    state: &State,
    expired: ExpiryRule,
    before: DateTime<Utc>,
) -> Result<u64, AuthError> {
    let mut removed = 0;
    loop {
        let mut tx = state.begin().await?;
        let deleted = store::cleanup::remove(&mut tx, expired, before).await?;
        tx.commit().await?;
        removed += deleted;
        if deleted < AT_MOST {
            return Ok(removed);
        }
    }
}

/// Runs [`clean`] periodically until `stop` is cancelled; a failure is logged and the next run
/// tries again.
pub async fn run_cleanup(state: State, stop: CancellationToken) {
    loop {
        match clean(&state).await {
            Ok(removed) => tracing::debug!(removed, "expired rows deleted"),
            Err(error) => tracing::warn!(%error, "cannot delete expired rows"),
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}
