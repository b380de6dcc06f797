//! Arcade spots of the home page, and the days for which they are booked.

use chrono::NaiveDate;
use compat_pg::{Owner, PgError};

/// The days of a spot that are taken, as the first and last day of each range.
pub(crate) async fn days_taken(
    owner: &mut Owner,
    position: i32,
) -> Result<Vec<(NaiveDate, NaiveDate)>, PgError> {
    let days = sqlx::query_as(
        "select start_date, end_date from public.arcade_days_taken
         where position = $1 order by start_date",
    )
    .bind(position)
    .fetch_all(&mut **owner)
    .await?;
    Ok(days)
}
