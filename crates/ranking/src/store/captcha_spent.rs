//! `public.captcha_spent`: accepted captcha answers, until their challenge expires.
//! `public.cast_votes` inserts them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

/// Deletes at most `rows` answers whose challenge expired before `moment`; returns how many.
pub(crate) async fn purge(
    owner: &mut Owner,
    moment: DateTime<Utc>,
    rows: i32,
) -> Result<i32, PgError> {
    // With `skip locked`, processes that purge at the same time do not wait for each other.
    let purged = sqlx::query_scalar(
        "with due as materialized (
           select nonce
           from public.captcha_spent
           where expires_at < $1
           order by expires_at
           limit $2
           for update skip locked
         ),
         forgotten as (
           delete from public.captcha_spent using due where captcha_spent.nonce = due.nonce returning 1
         )
         select count(*)::integer from forgotten",
    )
    .bind(moment)
    .bind(rows)
    .fetch_one(&mut **owner)
    .await?;
    Ok(purged)
}
