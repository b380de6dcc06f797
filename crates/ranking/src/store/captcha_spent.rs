//! `public.captcha_spent`: answers that were accepted, until their challenge would have ended.
//! `public.cast_votes` spends them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

/// Forgets what ended before `moment`, so many at once; how many that were.
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
