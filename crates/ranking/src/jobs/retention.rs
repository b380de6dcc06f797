//! Retention: spent captcha answers whose challenge has ended.

use std::time::Duration;

use compat_pg::PgError;

use super::STEP;
use crate::State;
use crate::store::captcha_spent;

/// Spent challenges are kept a little beyond their end, for processes whose clock is behind.
const CLOCK_MARGIN: Duration = Duration::from_secs(300);

/// Forgets spent captcha answers whose challenge has ended; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
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
