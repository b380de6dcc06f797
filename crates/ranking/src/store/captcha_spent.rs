//! `public.captcha_spent`: answers that were accepted, until their challenge would have ended.
//! `public.cast_votes` spends them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

/// Forgets what ended before `moment`; how many that were.
pub(crate) async fn forget(owner: &mut Owner, moment: DateTime<Utc>) -> Result<u64, PgError> {
    let done = sqlx::query("delete from public.captcha_spent where expires_at < $1")
        .bind(moment)
        .execute(&mut **owner)
        .await?;
    Ok(done.rows_affected())
}
