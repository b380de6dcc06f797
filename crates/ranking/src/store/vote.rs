//! `public.votes`, through the procedures that alone may touch it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use uuid::Uuid;

use crate::model::{nickname::Nickname, server_key::ServerKey, voter::IpHash};

/// What a vote is cast with.
#[derive(Debug)]
pub(crate) struct Ballot {
    pub server: Uuid,
    pub voter: IpHash,
    pub account: Option<Uuid>,
    pub nickname: Nickname,
    pub at: DateTime<Utc>,
}

/// How the database took a ballot. The times and counts are there when it was accepted; a cooldown
/// tells `next_vote_at`.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Cast {
    pub outcome: String,
    pub voted_at: Option<DateTime<Utc>>,
    pub next_vote_at: Option<DateTime<Utc>>,
    pub total_votes: Option<i32>,
    pub monthly_votes: Option<i32>,
}

/// Casts a vote; the procedure counts it and settles races between voters.
pub(crate) async fn cast(owner: &mut Owner, ballot: &Ballot) -> Result<Cast, PgError> {
    let cast = sqlx::query_as(
        "select
           outcome,
           voted_at,
           next_vote_at,
           total_votes,
           monthly_votes
         from public.cast_vote($1, $2, $3, $4, $5)",
    )
    .bind(ballot.server)
    .bind(ballot.voter.as_str())
    .bind(ballot.account)
    .bind(ballot.nickname.as_str())
    .bind(ballot.at)
    .fetch_one(&mut **owner)
    .await?;
    Ok(cast)
}

/// What the database knows of an address's latest vote for a server.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Found {
    pub outcome: String,
    pub server_name: Option<String>,
    pub username: Option<String>,
    pub voted_at: Option<DateTime<Utc>>,
    pub next_vote_at: Option<DateTime<Utc>>,
    pub is_connected: Option<bool>,
    pub is_subscriber: Option<bool>,
}

/// Looks for a vote within the cooldown.
pub(crate) async fn find(
    owner: &mut Owner,
    server: &ServerKey,
    voter: &IpHash,
    at: DateTime<Utc>,
) -> Result<Found, PgError> {
    let found = sqlx::query_as(
        "select
           outcome,
           server_name,
           username,
           voted_at,
           next_vote_at,
           is_connected,
           is_subscriber
         from public.find_vote($1, $2, $3)",
    )
    .bind(server.as_text())
    .bind(voter.as_str())
    .bind(at)
    .fetch_one(&mut **owner)
    .await?;
    Ok(found)
}
