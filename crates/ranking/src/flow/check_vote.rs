//! Answers a server's own site, or its game server, whether somebody has voted for it within the
//! cooldown.

use std::net::IpAddr;

use crate::State;
use crate::error::ApiError;
use crate::flow::cast_vote::seconds_until;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;
use crate::model::vote::FoundVote;
use crate::store::vote::{VoteLookup, VoteQuery, VoterKey};

/// A vote within the cooldown, and the remaining time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CurrentVote {
    pub vote: FoundVote,
    pub next_vote_seconds: i64,
}

/// The voter in question.
#[derive(Debug)]
pub(crate) enum Voter {
    /// Everybody who votes from this address; for IPv6, from its /64 network.
    Address(IpAddr),
    /// The voter with this nickname, regardless of case.
    Player(Nickname),
}

/// Finds the vote; `None` when there is none within the cooldown. The request changes nothing.
#[tracing::instrument(name = "ranking.check_vote", skip_all)]
pub(crate) async fn check_vote(
    state: &State,
    server: &ServerKey,
    voter: &Voter,
) -> Result<Option<CurrentVote>, ApiError> {
    let now = state.environment().clock.now();
    let voter = match voter {
        Voter::Address(ip) => VoterKey::Address(state.voter(*ip)),
        Voter::Player(name) => VoterKey::Player(name.clone()),
    };
    let query = VoteQuery { server: server.clone(), voter, at: now };
    match state.lookup_batcher().find(query).await? {
        VoteLookup::UnknownServer => Err(ApiError::UnknownServer),
        VoteLookup::TokenRequired => Err(ApiError::TokenRequired),
        // The lookup compares only the token. An id given beside it must be that of the token's
        // server.
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
