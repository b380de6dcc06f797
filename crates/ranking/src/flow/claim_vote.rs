//! Claims the reward of a vote for a game server, once per vote.

use sqlx::PgConnection;

use crate::State;
use crate::error::ApiError;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;
use crate::model::vote::RewardClaim;
use crate::store::server_question::{self, ServerAccess};
use crate::store::vote_claim;

/// Returns whether a player's vote has an unclaimed reward, and claims it if `takes` is set: of
/// concurrent callers, one succeeds. Requires the server's token, because a claim cannot be undone.
#[tracing::instrument(name = "ranking.claim_vote", skip_all)]
pub(crate) async fn claim_vote(
    state: &State,
    server: &ServerKey,
    player: &Nickname,
    takes: bool,
) -> Result<RewardClaim, ApiError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.connection().await?;
    let access = resolve_server(&mut owner, server).await?;
    if !access.by_token {
        return Err(ApiError::TokenRequired);
    }
    let claim = vote_claim::claim(&mut owner, access.server_id, player, takes, now).await?;
    Ok(claim)
}

/// Finds the server that a key names.
pub(super) async fn resolve_server(
    owner: &mut PgConnection,
    server: &ServerKey,
) -> Result<ServerAccess, ApiError> {
    let access =
        server_question::resolve_server(owner, server).await?.ok_or(ApiError::UnknownServer)?;
    match server.means(access.server_id) {
        true => Ok(access),
        false => Err(ApiError::WrongServerToken),
    }
}
