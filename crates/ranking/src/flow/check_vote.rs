//! A server's own site, or its game server, asks whether somebody has voted for it lately.

use std::net::IpAddr;

use crate::State;
use crate::error::ApiError;
use crate::flow::cast_vote::seconds_until;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;
use crate::model::vote::FoundVote;
use crate::store::vote::{self, VoteLookup};

/// A vote within the cooldown, and how long it lasts yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CurrentVote {
    pub vote: FoundVote,
    pub next_vote_seconds: i64,
}

/// Who is asked about.
#[derive(Debug)]
pub(crate) enum Voter {
    /// Whoever votes from this address; of IPv6, from its network of 64 bits.
    Address(IpAddr),
    /// Whoever gave this name, however it is capitalised.
    Player(Nickname),
}

/// Looks the vote up; `None` when there is none within the cooldown. Asking has no effect.
#[tracing::instrument(name = "ranking.check_vote", skip_all)]
pub(crate) async fn check_vote(
    state: &State,
    server: &ServerKey,
    voter: &Voter,
) -> Result<Option<CurrentVote>, ApiError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.connection().await?;
    let found = match voter {
        Voter::Address(ip) => vote::find(&mut owner, server, &state.voter(*ip), now).await?,
        Voter::Player(name) => vote::find_of(&mut owner, server, name, now).await?,
    };
    drop(owner);
    match found {
        VoteLookup::UnknownServer => Err(ApiError::UnknownServer),
        VoteLookup::TokenRequired => Err(ApiError::TokenRequired),
        // The lookup compares the token alone. An id beside it has to be that of its server.
        VoteLookup::Nothing(id) | VoteLookup::Vote(id, _) if !server.means(id) => {
            Err(ApiError::WrongServerToken)
        }
        VoteLookup::Nothing(_) => Ok(None),
        VoteLookup::Vote(_, vote) => {
            let next_vote_seconds = seconds_until(vote.next_vote_at, now).max(0);
            Ok(Some(CurrentVote { vote, next_vote_seconds }))
        }
    }
}
