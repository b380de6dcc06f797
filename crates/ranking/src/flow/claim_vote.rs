//! A game server gives a player the reward for a vote, once.

use sqlx::PgConnection;

use crate::State;
use crate::error::Unanswered;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;
use crate::model::vote::Claim;
use crate::store::server_question::{self, Asked};
use crate::store::vote_claim;

/// Says whether a player's vote waits for its reward, and with `takes` takes it: of callers at once,
/// one. Only the server's token will do, since what is taken is gone.
#[tracing::instrument(name = "ranking.claim_vote", skip_all)]
pub(crate) async fn claim_vote(
    state: &State,
    server: &ServerKey,
    player: &Nickname,
    takes: bool,
) -> Result<Claim, Unanswered> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.connection().await?;
    let asked = asked(&mut owner, server).await?;
    if !asked.by_token {
        return Err(Unanswered::TokenNeeded);
    }
    let claim = vote_claim::claim(&mut owner, asked.server_id, player, takes, now).await?;
    Ok(claim)
}

/// The server that is asked about.
pub(super) async fn asked(
    owner: &mut PgConnection,
    server: &ServerKey,
) -> Result<Asked, Unanswered> {
    let asked = server_question::asked(owner, server).await?.ok_or(Unanswered::UnknownServer)?;
    match server.means(asked.server_id) {
        true => Ok(asked),
        false => Err(Unanswered::AnothersToken),
    }
}
