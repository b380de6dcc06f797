//! `public.image_checks`: the pictures that the optimizer has to process, and its results, through
//! the only procedures that may write them.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};

use crate::model::picture_outcome::SkipReason;

/// A picture that waits for the optimizer.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub(crate) struct PendingImage {
    pub name: String,
    pub version: String,
    /// The number of attempts, including this one.
    pub attempts: i32,
    /// Whether the picture still exists.
    pub is_there: bool,
    pub cache_control: Option<String>,
    /// The owner's own metadata, as JSON.
    pub user_metadata: Option<String>,
}

/// Claims the next picture, with a lease in seconds.
pub(crate) async fn claim(
    owner: &mut Owner,
    at: DateTime<Utc>,
    lease: i32,
) -> Result<Option<PendingImage>, PgError> {
    let waiting = sqlx::query_as(
        "select name, version, attempts, is_there, cache_control, user_metadata
        from public.claim_image_check($1, $2)",
    )
    .bind(at)
    .bind(lease)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(waiting)
}

/// Stores why a picture was skipped; returns whether it was still pending.
pub(crate) async fn settle(
    owner: &mut Owner,
    name: &str,
    at: DateTime<Utc>,
    reason: SkipReason,
) -> Result<bool, PgError> {
    let is_settled = sqlx::query_scalar("select public.settle_image_check($1, $2, $3, $4)")
        .bind(name)
        .bind(at)
        .bind(reason.state())
        .bind(reason.code())
        .fetch_one(&mut **owner)
        .await?;
    Ok(is_settled)
}

/// The current version of a picture.
pub(crate) async fn version(owner: &mut Owner, name: &str) -> Result<Option<String>, PgError> {
    let version = sqlx::query_scalar(
        "select version from storage.objects
        where bucket_id = 'server-images' and name = $1 and version is not null",
    )
    .bind(name)
    .fetch_optional(&mut **owner)
    .await?;
    Ok(version)
}
