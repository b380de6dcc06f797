//! `public.votes`, through the only procedures that may access it.

use chrono::{DateTime, Utc};
use compat_pg::{Owner, PgError};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::ban::Ban;
use crate::model::nickname::Nickname;
use crate::model::server_key::ServerKey;
use crate::model::ticket::{Ticket, TicketRefusal};
use crate::model::vote::{CountedVote, FoundVote, VoteLimit};
use crate::model::voter::{IpHash, NetworkHash};
use compat_proof_of_work::Proof;

/// A vote to be decided, with everything that the decision needs.
#[derive(Debug)]
pub(crate) struct Ballot {
    pub server: Uuid,
    pub voter: IpHash,
    pub network: NetworkHash,
    pub account: Option<Uuid>,
    pub nickname: Nickname,
    /// The solved challenge, which is spent with the vote.
    pub proof: Proof,
    /// The ticket, which is spent with the vote too.
    pub ticket: Option<Ticket>,
    pub at: DateTime<Utc>,
}

/// The database's decision on a ballot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CastOutcome {
    /// The vote counts.
    Accepted(CountedVote),
    /// The voter's cooldown for this server has not ended.
    Cooldown {
        /// When the next vote is possible.
        next_vote_at: DateTime<Utc>,
    },
    /// The account or the address may not vote.
    Banned(Ban),
    /// A vote limit is exceeded.
    Limited {
        /// The limit that is exceeded.
        by: VoteLimit,
        /// When the limit allows another vote.
        again_at: DateTime<Utc>,
    },
    /// No public server has this id.
    UnknownServer,
    /// The nickname violates the game's stricter rule; nothing is spent.
    BadNickname,
    /// The site rejects votes under this nickname; nothing is spent.
    RefusedNickname,
    /// The challenge was spent before, by another voter or for another ballot.
    Spent,
    /// The ticket is invalid, or a required one is missing; nothing is spent.
    Ticket(TicketRefusal),
    /// The outcome depends on an earlier ballot of the same call: it must be cast again.
    Deferred,
    /// Another transaction has locked the server or the account: it must be cast again.
    Busy,
}

#[derive(sqlx_macros::FromRow)]
struct CastRow {
    outcome: String,
    vote_id: Option<Uuid>,
    voted_at: Option<DateTime<Utc>>,
    next_vote_at: Option<DateTime<Utc>>,
    total_votes: Option<i32>,
    monthly_votes: Option<i32>,
}

impl TryFrom<CastRow> for CastOutcome {
    type Error = PgError;

    /// An unknown outcome, or one without its values, is an error in the schema and never a refusal
    /// of the voter.
    fn try_from(row: CastRow) -> Result<Self, PgError> {
        let CastRow { outcome, vote_id, voted_at, next_vote_at, total_votes, monthly_votes } = row;
        match (&*outcome, voted_at, next_vote_at, total_votes.zip(monthly_votes), vote_id) {
            ("accepted", Some(voted_at), Some(next_vote_at), Some(figures), Some(id)) => {
                let (total_votes, monthly_votes) = figures;
                let vote = CountedVote { id, voted_at, next_vote_at, total_votes, monthly_votes };
                Ok(Self::Accepted(vote))
            }
            ("cooldown", _, Some(next_vote_at), ..) => Ok(Self::Cooldown { next_vote_at }),
            ("limit_address", _, Some(again_at), ..) => {
                Ok(Self::Limited { by: VoteLimit::Address, again_at })
            }
            ("limit_network", _, Some(again_at), ..) => {
                Ok(Self::Limited { by: VoteLimit::Network, again_at })
            }
            ("limit_server", _, Some(again_at), ..) => {
                Ok(Self::Limited { by: VoteLimit::Server, again_at })
            }
            ("banned_account", ..) => Ok(Self::Banned(Ban::Account)),
            ("banned_address", ..) => Ok(Self::Banned(Ban::Address)),
            ("server_not_found", ..) => Ok(Self::UnknownServer),
            ("nickname_pattern", ..) => Ok(Self::BadNickname),
            ("nickname_refused", ..) => Ok(Self::RefusedNickname),
            ("captcha_spent", ..) => Ok(Self::Spent),
            ("ticket_unknown", ..) => Ok(Self::Ticket(TicketRefusal::Unknown)),
            ("ticket_expired", ..) => Ok(Self::Ticket(TicketRefusal::Expired)),
            ("ticket_spent", ..) => Ok(Self::Ticket(TicketRefusal::Spent)),
            ("ticket_required", ..) => Ok(Self::Ticket(TicketRefusal::Required)),
            ("deferred", ..) => Ok(Self::Deferred),
            ("busy", ..) => Ok(Self::Busy),
            _ => Err(unexpected("cast_votes", &outcome)),
        }
    }
}

fn unexpected(procedure: &str, outcome: &str) -> PgError {
    PgError::Protocol(format!("public.{procedure} answered {outcome:?} without its values").into())
}

/// Casts ballots together; returns one outcome for each, in their order. The procedure counts the
/// votes and resolves races between voters. An error of the procedure rejects all of them.
///
/// With `waits`, the procedure waits for locks on a server or an account, up to its own timeout.
pub(crate) async fn cast(
    owner: &mut Owner,
    ballots: &[&Ballot],
    waits: bool,
) -> Result<Vec<CastOutcome>, PgError> {
    let rows: Vec<CastRow> = sqlx::query_as(
        "select
           outcome,
           vote_id,
           voted_at,
           next_vote_at,
           total_votes,
           monthly_votes
         from public.cast_votes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         order by place",
    )
    .bind(each(ballots, |ballot| ballot.server))
    .bind(each(ballots, |ballot| ballot.voter.as_str()))
    .bind(each(ballots, |ballot| ballot.account))
    .bind(each(ballots, |ballot| ballot.nickname.as_str()))
    .bind(each(ballots, |ballot| &*ballot.proof.nonce))
    .bind(each(ballots, |ballot| ballot.proof.expires_at))
    .bind(each(ballots, |ballot| ballot.at))
    .bind(waits)
    .bind(each(ballots, |ballot| ballot.ticket.as_ref().map(Ticket::as_str)))
    .bind(each(ballots, |ballot| ballot.network.number()))
    .fetch_all(&mut **owner)
    .await?;
    // The batch pairs rows and ballots by position. A missing row would shift all later answers.
    if rows.len() != ballots.len() {
        return Err(unexpected("cast_votes", "too few"));
    }
    rows.into_iter().map(CastOutcome::try_from).collect()
}

fn each<'a, T>(ballots: &[&'a Ballot], of: impl Fn(&'a Ballot) -> T) -> Vec<T> {
    ballots.iter().copied().map(of).collect()
}

/// The result of a look-up of a voter's latest vote for a server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum VoteLookup {
    /// A vote within the cooldown.
    Vote(Uuid, FoundVote),
    /// There is no vote within the cooldown for this server.
    Nothing(Uuid),
    /// No server has this token, and no public server has this id.
    UnknownServer,
    /// This look-up requires the server's token.
    TokenRequired,
}

#[derive(sqlx_macros::FromRow)]
struct VoteLookupRow {
    outcome: String,
    server_id: Option<Uuid>,
    server_name: Option<String>,
    username: Option<String>,
    voted_at: Option<DateTime<Utc>>,
    next_vote_at: Option<DateTime<Utc>>,
    is_connected: Option<bool>,
    is_subscriber: Option<bool>,
}

impl VoteLookupRow {
    /// The vote in the row; `None` when one of its values is missing.
    fn vote(self) -> Option<FoundVote> {
        Some(FoundVote {
            server_name: self.server_name?,
            username: self.username,
            voted_at: self.voted_at?,
            next_vote_at: self.next_vote_at?,
            is_connected: self.is_connected?,
            is_subscriber: self.is_subscriber?,
        })
    }
}

impl TryFrom<VoteLookupRow> for VoteLookup {
    type Error = PgError;

    fn try_from(row: VoteLookupRow) -> Result<Self, PgError> {
        match (&*row.outcome, row.server_id) {
            ("found", Some(id)) => match row.vote() {
                Some(vote) => Ok(Self::Vote(id, vote)),
                None => Err(unexpected("find_vote", "found")),
            },
            ("not_found", Some(id)) => Ok(Self::Nothing(id)),
            ("server_not_found", _) => Ok(Self::UnknownServer),
            ("token_needed", _) => Ok(Self::TokenRequired),
            (other, _) => Err(unexpected("find_vote", other)),
        }
    }
}

/// A query of the vote API: whether this voter has a vote for this server within the cooldown.
#[derive(Debug, Clone)]
pub(crate) struct VoteQuery {
    pub server: ServerKey,
    pub voter: VoterKey,
    pub at: DateTime<Utc>,
}

/// How a query identifies the voter.
#[derive(Debug, Clone)]
pub(crate) enum VoterKey {
    /// The hash of the address.
    Address(IpHash),
    /// The nickname, regardless of case.
    Player(Nickname),
}

impl VoterKey {
    fn address(&self) -> Option<&str> {
        match self {
            Self::Address(hash) => Some(hash.as_str()),
            Self::Player(_) => None,
        }
    }

    fn player(&self) -> Option<&str> {
        match self {
            Self::Address(_) => None,
            Self::Player(nickname) => Some(nickname.as_str()),
        }
    }
}

/// Answers queries together; returns one answer for each, in their order.
pub(crate) async fn find(
    owner: &mut PgConnection,
    queries: &[&VoteQuery],
) -> Result<Vec<VoteLookup>, PgError> {
    let each = |of: fn(&VoteQuery) -> Option<&str>| -> Vec<Option<&str>> {
        queries.iter().map(|query| of(query)).collect()
    };
    let servers: Vec<String> = queries.iter().map(|query| query.server.as_text()).collect();
    let times: Vec<DateTime<Utc>> = queries.iter().map(|query| query.at).collect();
    let rows: Vec<VoteLookupRow> = sqlx::query_as(
        "select
           found.outcome,
           found.server_id,
           found.server_name,
           found.username,
           found.voted_at,
           found.next_vote_at,
           found.is_connected,
           found.is_subscriber
         from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
           with ordinality as asked (server, ip_hash, nickname, at, place)
         cross join lateral (
           select * from public.find_vote(asked.server, asked.ip_hash, asked.at)
           where asked.ip_hash is not null
           union all
           select * from public.find_vote_of(asked.server, asked.nickname, asked.at)
           where asked.ip_hash is null
         ) as found
         order by asked.place",
    )
    .bind(servers)
    .bind(each(|query| query.voter.address()))
    .bind(each(|query| query.voter.player()))
    .bind(times)
    .fetch_all(&mut *owner)
    .await?;
    // The answers are given by position. A missing row would shift all later answers.
    if rows.len() != queries.len() {
        return Err(unexpected("find_vote", "too few"));
    }
    rows.into_iter().map(VoteLookup::try_from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(outcome: &str, values: bool) -> CastRow {
        let (at, count) = (DateTime::UNIX_EPOCH, 7);
        CastRow {
            outcome: outcome.to_owned(),
            vote_id: values.then_some(Uuid::nil()),
            voted_at: values.then_some(at),
            next_vote_at: values.then_some(at),
            total_votes: values.then_some(count),
            monthly_votes: values.then_some(count),
        }
    }

    #[test]
    fn unknown_or_incomplete_vote_outcomes_are_errors() {
        let next_vote_at = DateTime::UNIX_EPOCH;
        assert_eq!(
            CastOutcome::try_from(row("cooldown", true)).ok(),
            Some(CastOutcome::Cooldown { next_vote_at })
        );
        for (outcome, by) in [
            ("limit_address", VoteLimit::Address),
            ("limit_network", VoteLimit::Network),
            ("limit_server", VoteLimit::Server),
        ] {
            let again_at = DateTime::UNIX_EPOCH;
            assert_eq!(
                CastOutcome::try_from(row(outcome, true)).ok(),
                Some(CastOutcome::Limited { by, again_at })
            );
            CastOutcome::try_from(row(outcome, false)).expect_err(outcome);
        }
        for (outcome, cast) in [
            ("banned_account", CastOutcome::Banned(Ban::Account)),
            ("banned_address", CastOutcome::Banned(Ban::Address)),
            ("nickname_refused", CastOutcome::RefusedNickname),
            ("server_not_found", CastOutcome::UnknownServer),
            ("nickname_pattern", CastOutcome::BadNickname),
            ("captcha_spent", CastOutcome::Spent),
            ("ticket_unknown", CastOutcome::Ticket(TicketRefusal::Unknown)),
            ("ticket_expired", CastOutcome::Ticket(TicketRefusal::Expired)),
            ("ticket_spent", CastOutcome::Ticket(TicketRefusal::Spent)),
            ("ticket_required", CastOutcome::Ticket(TicketRefusal::Required)),
            ("deferred", CastOutcome::Deferred),
            ("busy", CastOutcome::Busy),
        ] {
            assert_eq!(CastOutcome::try_from(row(outcome, false)).ok(), Some(cast));
        }
        for (outcome, values) in
            [("acepted", true), ("", true), ("accepted", false), ("cooldown", false)]
        {
            let fault = CastOutcome::try_from(row(outcome, values)).expect_err(outcome);
            assert!(!fault.is_unavailable(), "{fault}");
        }
    }

    #[test]
    fn incomplete_vote_lookup_row_is_an_error() {
        let row = |outcome: &str, name: Option<&str>| VoteLookupRow {
            outcome: outcome.to_owned(),
            server_id: name.map(|_| Uuid::from_u128(7)),
            server_name: name.map(str::to_owned),
            username: None,
            voted_at: Some(DateTime::UNIX_EPOCH),
            next_vote_at: Some(DateTime::UNIX_EPOCH),
            is_connected: Some(false),
            is_subscriber: Some(true),
        };
        assert!(matches!(VoteLookup::try_from(row("found", Some("x"))), Ok(VoteLookup::Vote(..))));
        assert!(matches!(
            VoteLookup::try_from(row("not_found", Some("x"))),
            Ok(VoteLookup::Nothing(_))
        ));
        assert!(matches!(
            VoteLookup::try_from(row("server_not_found", None)),
            Ok(VoteLookup::UnknownServer)
        ));
        assert!(VoteLookup::try_from(row("found", None)).is_err());
        assert!(VoteLookup::try_from(row("lost", Some("x"))).is_err());
    }
}
