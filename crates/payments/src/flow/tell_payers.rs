//! Payers are told by mail what has become of their money.

use compat_pg::PgError;

use crate::State;
use crate::model::notice::{Site, write};
use crate::retry::retry_on_conflict;
use crate::store::notice;

/// Notices taken at once.
const BATCH: i32 = 50;

/// Writes what is to be told; how many letters.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not written stays to be.
pub(crate) async fn tell_payers(state: &State) -> Result<u64, PgError> {
    let mut all = 0;
    loop {
        let written = retry_on_conflict(|| some(state)).await?;
        all += written;
        if written < u64::try_from(BATCH).unwrap_or_default() {
            return Ok(all);
        }
    }
}

/// A notice is gone exactly when its letter is there.
async fn some(state: &State) -> Result<u64, PgError> {
    let now = state.edge().clock.now();
    let mut owner = state.pools().jobs.begin().await?;
    let notices = notice::take(&mut owner, BATCH).await?;
    let name = notice::site_name(&mut owner).await?;
    let site = Site { name: &name, url: &state.edge().public_url };
    for notice in &notices {
        let letter = write(&site, notice).to(&notice.email, now);
        state.letters().put(&mut owner, "payment", &letter).await?;
    }
    owner.commit().await?;
    Ok(notices.len() as u64)
}
