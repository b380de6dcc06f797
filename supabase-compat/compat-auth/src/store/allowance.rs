//! `auth.allowances`: token buckets and used-up codes that every process on the database shares.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Takes one token of `subject`'s bucket, which holds `burst` and refills by `per_second`; false when it is empty.
pub async fn take(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    burst: f64,
    per_second: f64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let left: Option<f64> = sqlx::query_scalar(
        "insert into auth.allowances as kept (bucket, subject, tokens, refilled_at)
        values ($1, $2, $3 - 1, $5)
        on conflict (bucket, subject) do update
        set tokens = least(
                $3,
                kept.tokens + $4 * greatest(0, extract(epoch from $5 - kept.refilled_at))
            ) - 1,
            refilled_at = greatest(kept.refilled_at, $5)
        where least(
            $3,
            kept.tokens + $4 * greatest(0, extract(epoch from $5 - kept.refilled_at))
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

/// Whether `subject`'s bucket still holds a token, without taking it.
pub async fn has_left(
    conn: &mut PgConnection,
    bucket: &str,
    subject: &str,
    burst: f64,
    per_second: f64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let left: Option<f64> = sqlx::query_scalar(
        "select least($3, tokens + $4 * greatest(0, extract(epoch from $5 - refilled_at))::float8)
        from auth.allowances
        where bucket = $1
            and subject = $2",
    )
    .bind(bucket)
    .bind(subject)
    .bind(burst)
    .bind(per_second)
    .bind(now)
    .fetch_optional(conn)
    .await?;
    Ok(left.unwrap_or(burst) >= 1.0)
}

/// Uses something up for good; false when that happened before.
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

/// Forgets what was last touched before `before`.
pub async fn forget(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("delete from auth.allowances where refilled_at < $1")
        .bind(before)
        .execute(conn)
        .await?;
    Ok(())
}
