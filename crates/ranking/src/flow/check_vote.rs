//! A server's own site asks whether an address has voted for it lately.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use compat_pg::PgError;

use crate::{
    State,
    flow::cast_vote::seconds_until,
    model::server_key::ServerKey,
    store::vote::{self, Found},
};

/// A vote within the cooldown, as far as the asker may know of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownVote {
    /// `None` when asked by the public id, unless the owner opened it.
    pub username: Option<String>,
    pub voted_at: DateTime<Utc>,
    pub next_vote_seconds: i64,
    pub is_connected: bool,
    pub is_subscriber: bool,
    pub server_name: String,
}

/// What there is to answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum VoteCheck {
    Voted(KnownVote),
    NotVoted,
    UnknownServer,
}

/// Looks the vote up. Asking has no effect.
pub(crate) async fn check_vote(
    state: &State,
    server: &ServerKey,
    ip: IpAddr,
) -> Result<VoteCheck, PgError> {
    let now = state.edge().clock.now();
    let mut owner = state.owner().begin().await?;
    let found = vote::find(&mut owner, server, &state.voter(ip), now).await?;
    owner.rollback().await?;
    Ok(checked(found, now))
}

fn checked(found: Found, now: DateTime<Utc>) -> VoteCheck {
    match (found.outcome.as_str(), found.voted_at) {
        ("found", Some(voted_at)) => VoteCheck::Voted(KnownVote {
            username: found.username,
            voted_at,
            next_vote_seconds: seconds_until(found.next_vote_at.unwrap_or(now), now).max(0),
            is_connected: found.is_connected.unwrap_or_default(),
            is_subscriber: found.is_subscriber.unwrap_or_default(),
            server_name: found.server_name.unwrap_or_default(),
        }),
        ("server_not_found", _) => VoteCheck::UnknownServer,
        _ => VoteCheck::NotVoted,
    }
}
