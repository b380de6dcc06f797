//! `auth.allowances`: token buckets and used-up codes that every process on the database shares.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::done;

/// Takes one token from `subject`'s bucket, which holds `burst` tokens and refills by `per_second`;
/// false if it is empty.
pub async fn take(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    burst: f64,
    per_second: f64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    // One statement, or two processes could take the same token. Their clocks may differ:
    // with `greatest`, one that is behind takes no tokens out of the bucket.
    let left: Option<f64> = sqlx::query_scalar(
        "insert into auth.allowances as existing (bucket, subject, tokens, refilled_at)
        values ($1, $2, $3 - 1, $5)
        on conflict (bucket, subject) do update
        set tokens = least(
                $3,
                existing.tokens + $4 * greatest(0, extract(epoch from $5 - existing.refilled_at))
            ) - 1,
            refilled_at = greatest(existing.refilled_at, $5)
        where least(
            $3,
            existing.tokens + $4 * greatest(0, extract(epoch from $5 - existing.refilled_at))
        ) >= 1
        returning tokens",
    )
    .bind(bucket)
    .bind(subject)
    .bind(burst)
    .bind(per_second)
    .bind(now)
    .fetch_optional(conn)
    .await?;
    Ok(left.is_some())
}

/// Records the time of `subject`'s request, unless there was one after `before`: then returns the
/// time of that one. The caller holds the lock on the address; otherwise two concurrent requests
/// would both be the first.
pub async fn space(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar(
        "with updated as (
            insert into auth.allowances as existing (bucket, subject, tokens, refilled_at)
            values ($1, $2, 0, $4)
            on conflict (bucket, subject) do update
            set refilled_at = $4
            where existing.refilled_at <= $3
            returning 1
        )
        select refilled_at
        from auth.allowances
        where bucket = $1
            and subject = $2
            and not exists (select 1 from updated)",
    )
    .bind(bucket)
    .bind(subject)
    .bind(before)
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Puts a token back into `subject`'s bucket.
pub async fn release(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    burst: f64,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.allowances
            set tokens = least($3, tokens + 1)
            where bucket = $1
                and subject = $2",
        )
        .bind(bucket)
        .bind(subject)
        .bind(burst),
        conn,
    )
    .await
}

/// Marks a single-use value as used; false if it was used before.
pub async fn use_up(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query(
        "insert into auth.allowances (bucket, subject, tokens, refilled_at)
        values ($1, $2, 0, $3)
        on conflict do nothing",
    )
    .bind(bucket)
    .bind(subject)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
