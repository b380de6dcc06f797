//! `public.vote_outcomes`: how many votes were rejected, by server and reason.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::reason::Reason;

/// The number of rejected votes for one server and reason.
pub(crate) type RejectionCount = (Uuid, Reason, i32);

/// Adds rejected votes to the figures of their servers.
pub(crate) async fn count(
    owner: &mut Owner,
    counts: &[RejectionCount],
    at: DateTime<Utc>,
) -> Result<i32, PgError> {
    let servers: Vec<Uuid> = counts.iter().map(|(server, ..)| *server).collect();
    let reasons: Vec<&str> = counts.iter().map(|(_, reason, _)| reason.code()).collect();
    let votes: Vec<i32> = counts.iter().map(|(.., votes)| *votes).collect();
    let counted = sqlx::query_scalar("select public.count_refused_votes($1, $2, $3, $4)")
        .bind(servers)
        .bind(reasons)
        .bind(votes)
        .bind(at)
        .fetch_one(&mut **owner)
        .await?;
    Ok(counted)
}
