//! Tiles of the home page, and the days they are booked for.

use chrono::NaiveDate;
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
