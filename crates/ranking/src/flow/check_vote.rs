//! A server's own site asks whether an address has voted for it lately.

use std::net::IpAddr;

use compat_pg::PgError;

use crate::State;
use crate::flow::cast_vote::seconds_until;
use crate::model::server_key::ServerKey;
use crate::model::vote::FoundVote;
use crate::store::vote::{self, Found};

/// A vote within the cooldown, and how long it lasts yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownVote {
    pub vote: FoundVote,
    pub next_vote_seconds: i64,
}

/// What there is to answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum VoteCheck {
    Voted(KnownVote),
    NotVoted,
    UnknownServer,
    TooOften {
        /// Whole seconds until the next question is answered.
        retry_after: u64,
    },
}

/// A question about one address.
#[derive(Debug)]
pub(crate) struct Question {
    pub server: ServerKey,
    /// The address asked about.
    pub ip: IpAddr,
    /// The address that asks.
    pub asker: IpAddr,
}

/// Looks the vote up. Asking has no effect, but that one may not ask about a whole network: by the
/// public id, which anybody has, less often than by a token.
///
/// # Errors
/// When the database cannot be asked.
#[tracing::instrument(name = "ranking.check_vote", skip_all)]
pub(crate) async fn check_vote(state: &State, question: &Question) -> Result<VoteCheck, PgError> {
    let now = state.edge().clock.now();
    let limits = state.limits();
    let limit = match question.server {
        ServerKey::Id(_) => &limits.questions,
        ServerKey::Token(_) => &limits.token_questions,
    };
    if let Err(retry_after) = limit.take(&state.voter(question.asker), now) {
        return Ok(VoteCheck::TooOften { retry_after });
    }
    let mut owner = state.rooms().questions.begin().await?;
    let voter = state.voter(question.ip);
    let found = vote::find(&mut owner, &question.server, &voter, now).await?;
    owner.rollback().await?;
    Ok(match found {
        Found::Vote(vote) => {
            let next_vote_seconds = seconds_until(vote.next_vote_at, now).max(0);
            VoteCheck::Voted(KnownVote { vote, next_vote_seconds })
        }
        Found::Nothing => VoteCheck::NotVoted,
        Found::UnknownServer => VoteCheck::UnknownServer,
    })
}
