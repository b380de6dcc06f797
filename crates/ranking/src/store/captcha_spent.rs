//! `public.captcha_spent`: answers that were accepted, until their challenge would have ended.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::captcha::Proof;

/// Spends a proof; false when it was spent before. Of two that spend at once, one waits for the
/// other's transaction.
pub(crate) async fn spend(owner: &mut Owner, proof: &Proof) -> Result<bool, PgError> {
    let done = sqlx::query(
        "insert into public.captcha_spent (nonce, expires_at)
         values ($1, $2)
         on conflict (nonce) do nothing",
    )
    .bind(&proof.nonce)
    .bind(proof.expires_at)
    .execute(&mut **owner)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets what ended before `moment`; how many that were.
pub(crate) async fn forget(owner: &mut Owner, moment: DateTime<Utc>) -> Result<u64, PgError> {
    let done = sqlx::query("delete from public.captcha_spent where expires_at < $1")
        .bind(moment)
        .execute(&mut **owner)
        .await?;
    Ok(done.rows_affected())
}
