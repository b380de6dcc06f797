//! What time alone changes, each as one procedure of the site's schema. All may be repeated, and
//! run at once from several processes.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

/// Closes the days, weeks and months that are over; whether any was.
pub(crate) async fn roll_vote_periods(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<bool, PgError> {
    let turned = sqlx::query_scalar("select public.roll_vote_periods($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(turned)
}

/// Hides bonus servers whose room has gone with the Prestige that made it; how many.
pub(crate) async fn lapse_prestige(owner: &mut Owner, at: DateTime<Utc>) -> Result<i32, PgError> {
    let lapsed = sqlx::query_scalar("select public.lapse_prestige($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(lapsed)
}

/// Frees the dates of bookings that were never paid; how many.
pub(crate) async fn lapse_pending_arcade_spots(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let lapsed = sqlx::query_scalar("select public.lapse_pending_arcade_spots($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(lapsed)
}

/// Counts what goes on in each game; how many games' figures changed.
pub(crate) async fn count_games(owner: &mut Owner) -> Result<i32, PgError> {
    let changed = sqlx::query_scalar("select public.count_games()").fetch_one(&mut **owner).await?;
    Ok(changed)
}

/// Opens the paid bookings whose first day has come; how many.
pub(crate) async fn open_paid_arcade_spots(
    owner: &mut Owner,
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let opened = sqlx::query_scalar("select public.open_paid_arcade_spots($1)")
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(opened)
}

/// Forgets the address hashes of votes cast before `moment`; how many.
pub(crate) async fn purge_vote_identities(
    owner: &mut Owner,
    moment: DateTime<Utc>,
) -> Result<i32, PgError> {
    let forgotten = sqlx::query_scalar("select public.purge_vote_identities($1)")
        .bind(moment)
        .fetch_one(&mut **owner)
        .await?;
    Ok(forgotten)
}
