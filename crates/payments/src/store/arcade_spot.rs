//! Tiles of the home page, and the days they are booked for.

use chrono::{DateTime, NaiveDate, Utc};
use compat_pg::{Owner, PgError};

/// The days of a tile that nobody else may have; first and last of each stretch.
pub(crate) async fn days_taken(
    owner: &mut Owner,
    position: i32,
) -> Result<Vec<(NaiveDate, NaiveDate)>, PgError> {
    let taken = sqlx::query_as(
        "select start_date, end_date from public.arcade_days_taken
         where position = $1 order by start_date",
    )
    .bind(position)
    .fetch_all(&mut **owner)
    .await?;
    Ok(taken)
}

/// Lets the days go that were held for longer than they may be; how many reservations.
pub(crate) async fn expire_reservations(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let expired = sqlx::query_scalar("select public.expire_arcade_reservations($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(expired)
}

/// Opens the paid tiles whose first day has come; how many.
pub(crate) async fn start(owner: &mut Owner, at: DateTime<Utc>) -> Result<i32, PgError> {
    let started = sqlx::query_scalar("select public.start_paid_arcade_spots($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(started)
}

/// Ends those whose last day is over; how many.
pub(crate) async fn end(owner: &mut Owner, at: DateTime<Utc>) -> Result<i32, PgError> {
    let ended = sqlx::query_scalar("select public.end_arcade_spots($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(ended)
}
