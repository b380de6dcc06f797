//! Forgetting what has no use any more.

use std::time::Duration;

use chrono::TimeDelta;
use tokio_util::sync::CancellationToken;

use crate::error::AuthError;
use crate::state::State;
use crate::store;

/// How often [`run_cleanup`] looks.
const EVERY: Duration = Duration::from_secs(600);

/// Removes what expired: used refresh tokens, ended sessions, flows, challenges and enrolments of more than a day ago,
/// anonymous accounts of more than thirty, and counters nobody touched for a day. Safe with any number of processes.
///
/// # Errors
/// The database's only; what was removed before stays removed.
pub async fn clean(state: &State) -> Result<u64, AuthError> {
    let now = state.now();
    let day = now - TimeDelta::days(1);
    let rules = &state.config.session;
    let mut tx = state.begin().await?;
    let mut removed = store::cleanup::refresh_tokens(&mut tx, day).await?;
    removed += store::cleanup::ended_sessions(&mut tx, now).await?;
    if let Some(timebox) = rules.timebox {
        removed += store::cleanup::sessions_from_before(&mut tx, day - timebox).await?;
    }
    if let Some(timeout) = rules.inactivity_timeout {
        removed += store::cleanup::sessions_unused_since(&mut tx, day - timeout).await?;
    }
    removed += store::cleanup::flows(&mut tx, day).await?;
    removed += store::cleanup::challenges(&mut tx, day).await?;
    removed += store::cleanup::ceremonies(&mut tx, now).await?;
    removed += store::cleanup::unverified_factors(&mut tx, day).await?;
    removed += store::cleanup::anonymous_users(&mut tx, now - TimeDelta::days(30)).await?;
    store::allowance::forget(&mut tx, day).await?;
    tx.commit().await?;
    Ok(removed)
}

/// Cleans, again and again until `stop` is cancelled; failures are logged and tried again.
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
