//! Forgetting what has no use any more.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio_util::sync::CancellationToken;

use crate::error::AuthError;
use crate::state::State;
use crate::store;
use crate::store::cleanup::{AT_MOST, ExpiryRule};

/// How often [`run_cleanup`] looks.
const EVERY: Duration = Duration::from_secs(600);

/// Removes what expired: used refresh tokens, ended sessions, flows, challenges and enrolments of
/// more than a day ago, anonymous accounts of more than thirty, counters nobody touched for a day,
/// and the record of who did what as far as it is not to be kept. Each kind goes in transactions of its own, a thousand rows at a time, so that nobody waits
/// long for a lock. Safe with any number of processes.
///
/// # Errors
/// The database's only; what was removed before stays removed.
pub async fn clean(state: &State) -> Result<u64, AuthError> {
    let now = state.now();
    let day = now - TimeDelta::days(1);
    let (rules, audited) = (&state.config.session, state.config.audit_log_days);
    let whens = [
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
    for (expired, before) in whens {
        if let Some(before) = before {
            removed += remove_all(state, expired, before).await?;
        }
    }
    remove_all(state, ExpiryRule::Allowances, day).await?;
    Ok(removed)
}

/// Removes everything of one kind that is older than `before`, some at a time.
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

/// Cleans again and again until `stop` is cancelled; failures are logged and tried again.
pub async fn run_cleanup(state: State, stop: CancellationToken) {
    loop {
        match clean(&state).await {
            Ok(removed) => tracing::debug!(removed, "expired rows are gone"),
            Err(error) => tracing::warn!(%error, "expired rows could not be removed"),
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}
