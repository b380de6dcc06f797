//! Data that owners show on their own sites: figures of their server, its latest votes, its top
//! voters and its reviews.

use std::sync::Arc;

use crate::State;
use crate::error::ApiError;
use crate::flow::claim_vote::resolve_server;
use crate::model::server_figures::{Month, PublicReview, RecentVote, ServerFigures, VoterTotal};
use crate::model::server_key::ServerKey;
use crate::store::server_question;

/// The figures of a server, which are public.
#[tracing::instrument(name = "ranking.server_figures", skip_all)]
pub(crate) async fn server_figures(
    state: &State,
    server: &ServerKey,
) -> Result<ServerFigures, ApiError> {
    let mut owner = state.pools().questions.connection().await?;
    let access = resolve_server(&mut owner, server).await?;
    let figures = server_question::figures(&mut owner, access.server_id).await?;
    figures.ok_or(ApiError::UnknownServer)
}

/// The votes of the last 24 hours, newest first, for callers who may see who voted.
#[tracing::instrument(name = "ranking.last_votes", skip_all)]
pub(crate) async fn last_votes(
    state: &State,
    server: &ServerKey,
    most: u32,
) -> Result<Vec<RecentVote>, ApiError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.connection().await?;
    let access = resolve_server(&mut owner, server).await?;
    if !access.tells_names {
        return Err(ApiError::TokenRequired);
    }
    let votes = server_question::last_votes(&mut owner, access.server_id, most, now).await?;
    Ok(votes)
}

/// The top voters of a month, five hundred at most, for callers who may see who voted. Cached for a
/// minute.
#[tracing::instrument(name = "ranking.voters_of", skip_all)]
pub(crate) async fn voters_of(
    state: &State,
    server: &ServerKey,
    month: Month,
) -> Result<Arc<Vec<VoterTotal>>, ApiError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.connection().await?;
    let access = resolve_server(&mut owner, server).await?;
    if !access.tells_names {
        return Err(ApiError::TokenRequired);
    }
    let board = (access.server_id, month);
    let count = async {
        server_question::voters(&mut owner, access.server_id, month, now).await.map(Arc::new)
    };
    Ok(state.leaderboards().get_or_load(&board, count).await?)
}

/// The newest hundred public reviews.
#[tracing::instrument(name = "ranking.reviews_of", skip_all)]
pub(crate) async fn reviews_of(
    state: &State,
    server: &ServerKey,
) -> Result<Vec<PublicReview>, ApiError> {
    let mut owner = state.pools().questions.connection().await?;
    let access = resolve_server(&mut owner, server).await?;
    let reviews = server_question::reviews(&mut owner, access.server_id).await?;
    Ok(reviews)
}
