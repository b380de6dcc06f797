//! `public.vote_claims`, through the only procedure that may access it.

use chrono::{DateTime, Utc};
use compat_pg::PgError;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::nickname::Nickname;
use crate::model::vote::RewardClaim;

/// Returns whether a vote has an unclaimed reward, and claims it if `takes` is set.
pub(crate) async fn claim(
    owner: &mut PgConnection,
    server: Uuid,
    player: &Nickname,
    takes: bool,
    at: DateTime<Utc>,
) -> Result<RewardClaim, PgError> {
    let outcome: String = sqlx::query_scalar("select public.claim_vote($1, $2, $3, $4)")
        .bind(server)
        .bind(player.as_str())
        .bind(takes)
        .bind(at)
        .fetch_one(&mut *owner)
        .await?;
    match &*outcome {
        "none" => Ok(RewardClaim::NoVote),
        "open" => Ok(RewardClaim::Open),
        "taken" => Ok(RewardClaim::Taken),
        "claimed" => Ok(RewardClaim::Claimed),
        other => Err(PgError::Protocol(format!("public.claim_vote answered {other:?}").into())),
    }
}
