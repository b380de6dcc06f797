//! The statements of the periodic jobs, each one procedure of the site's schema. All may be
//! repeated, and run concurrently in several processes.

use chrono::{DateTime, NaiveDate, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

/// Whether a day has ended that is not closed yet.
pub(crate) async fn has_vote_period_ended(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let has_ended = sqlx::query_scalar("select public.has_vote_period_ended($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(has_ended)
}

/// Closes the ended days, weeks and months for up to `rows` servers after the given one; returns
/// the last server, `None` when there were none.
pub(crate) async fn close_vote_periods(
    owner: &mut Owner,
    at: DateTime<Utc>,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.close_vote_periods($1, $2, $3)")
        .bind(at)
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Stores the ranks of finished months for up to `rows` servers; returns how many.
pub(crate) async fn place_finished_months(owner: &mut Owner, rows: i32) -> Result<i32, PgError> {
    let placed = sqlx::query_scalar("select public.place_finished_months($1)")
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(placed)
}

/// Stores the ranks at the start of the day for up to `rows` servers after the given one; returns
/// the last server, `None` when there were none.
pub(crate) async fn record_places(
    owner: &mut Owner,
    at: DateTime<Utc>,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.record_places($1, $2, $3)")
        .bind(at)
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Stores how far up to `rows` servers after the given one climbed since the day began; returns the
/// last server, `None` when there were none.
pub(crate) async fn refresh_rises(
    owner: &mut Owner,
    after: Uuid,
    rows: i32,
) -> Result<Option<Uuid>, PgError> {
    let last = sqlx::query_scalar("select public.refresh_rises($1, $2)")
        .bind(after)
        .bind(rows)
        .fetch_one(&mut **owner)
        .await?;
    Ok(last)
}

/// Stores the top three of one closed month where they are missing; returns the month, `None` when
/// there is none.
pub(crate) async fn keep_month_podiums(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<Option<NaiveDate>, PgError> {
    let month = sqlx::query_scalar("select public.keep_month_podiums($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(month)
}

/// Records that all periods that ended before this time are closed; false when another process
/// already did.
pub(crate) async fn move_vote_clock(owner: &mut Owner, at: DateTime<Utc>) -> Result<bool, PgError> {
    let moved = sqlx::query_scalar("select public.move_vote_clock($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(moved)
}

/// Recounts the ranks; returns how many rows changed.
pub(crate) async fn refresh_ranks(owner: &mut Owner) -> Result<i32, PgError> {
    let changed =
        sqlx::query_scalar("select public.refresh_ranks()").fetch_one(&mut **owner).await?;
    Ok(changed)
}
