//! What owners are told of a week, through the procedures that alone may touch it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use sqlx::types::Json;
use uuid::Uuid;

use crate::model::digest::ServerWeek;

/// A week as it is told to one owner.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct Digest {
    pub owner_id: Uuid,
    pub email: String,
    pub language: String,
    pub site_name: String,
    pub servers: Json<Vec<ServerWeek>>,
}

/// Takes so many owners who were not told of the last week yet; they count as told with the
/// transaction.
pub(crate) async fn take(
    owner: &mut Owner,
    at: DateTime<Utc>,
    rows: i32,
) -> Result<Vec<Digest>, PgError> {
    let digests = sqlx::query_as("select * from public.take_digests($1, $2)")
        .bind(at)
        .bind(rows)
        .fetch_all(&mut **owner)
        .await?;
    Ok(digests)
}

/// Whether somebody wants the weekly mail; whether there is such an account.
pub(crate) async fn set_wanted(
    owner: &mut Owner,
    account: Uuid,
    wanted: bool,
) -> Result<bool, PgError> {
    let found = sqlx::query_scalar("select public.set_weekly_mail($1, $2)")
        .bind(account)
        .bind(wanted)
        .fetch_one(&mut **owner)
        .await?;
    Ok(found)
}
