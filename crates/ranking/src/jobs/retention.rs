//! Retention: deletes spent captcha answers whose challenge has expired.

use std::time::Duration;

use compat_pg::PgError;

use super::STEP;
use crate::State;
use crate::store::captcha_spent;

/// How long spent challenges are kept after their expiry, for processes whose clock is behind.
const CLOCK_MARGIN: Duration = Duration::from_secs(300);

/// Deletes spent captcha answers whose challenge has expired; returns how many.
///
/// # Errors
/// When the database fails; earlier deletions stay.
pub async fn purge_spent_captchas(state: &State) -> Result<i32, PgError> {
    let ended = state.environment().clock.now() - CLOCK_MARGIN;
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
