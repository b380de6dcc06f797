//! Casting a vote.
//!
//! Cheap checks come first. The rest is one transaction of the vote batcher: the answer to the
//! challenge is spent together with the vote or not at all. A refusal that the voter can fix with
//! another nickname leaves the answer unspent.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::CaptchaRefusal;
use crate::captcha::{CaptchaAttempt, Purpose};
use crate::model::ban::Ban;
use crate::model::nickname::{Nickname, NicknameRefusal};
use crate::model::ticket::{Ticket, TicketRefusal};
use crate::model::vote::CountedVote;
use crate::receipt::Receipt;
use crate::store::vote::{Ballot, CastOutcome};
use crate::{Refusal, State};

/// A request to vote.
#[derive(Debug)]
pub(crate) struct VoteRequest<'a> {
    pub server: Uuid,
    pub nickname: &'a str,
    pub captcha: &'a str,
    /// The ticket with which a server's own site sent the voter.
    pub ticket: Option<&'a str>,
    pub account: Option<Uuid>,
    pub ip: IpAddr,
}

/// A vote that counts, with its receipt.
#[derive(Debug)]
pub(crate) struct VoteWithReceipt {
    pub vote: CountedVote,
    /// The signed receipt; `None` when signing failed.
    pub receipt: Option<String>,
}

/// Casts a vote.
///
/// # Errors
/// A [`Refusal`] that says why the vote does not count.
#[tracing::instrument(name = "ranking.cast_vote", skip_all, fields(server = %request.server))]
pub(crate) async fn cast_vote(
    state: &State,
    request: VoteRequest<'_>,
) -> Result<VoteWithReceipt, Refusal> {
    let server = request.server;
    let result = try_cast(state, request).await;
    if let Some(reason) = result.as_ref().err().and_then(Refusal::reason) {
        state.rejection_counts().record(server, reason);
    }
    result
}

async fn try_cast(state: &State, request: VoteRequest<'_>) -> Result<VoteWithReceipt, Refusal> {
    let VoteRequest { server, account, ip, .. } = request;
    let at = state.environment().clock.now();
    let voter = state.voter(ip);
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().votes.take(&voter, at).map_err(too_often)?;
    // Networks are compared here, since the raw address never reaches the database.
    if state.network_blocklist().contains(ip, at).await? {
        return Err(Refusal::Banned(Ban::Network));
    }
    let nickname = Nickname::parse(request.nickname)?;
    let ticket = request.ticket.map(|text| Ticket::parse(text).ok_or(TicketRefusal::Unknown));
    let ticket = ticket.transpose()?;
    let (answer, purpose) = (request.captcha, Purpose::Vote);
    let attempt = CaptchaAttempt { answer, purpose, server, from: ip };
    // The check may call a provider. It precedes the queue, so that no transaction waits for it.
    let proof = state.captcha().judge(state.environment(), attempt).await?;
    let network = state.network(ip);
    let ballot = Ballot { server, voter, network, account, nickname, proof, ticket, at };
    let nickname_and_ticket = (ballot.nickname.as_str().trim().to_owned(), ballot.ticket.clone());
    let vote = accepted_vote(state.vote_batcher().cast(ballot).await?, at)?;
    let (nickname, ticket) =
        (&*nickname_and_ticket.0, nickname_and_ticket.1.as_ref().map(Ticket::as_str));
    let voted_at = vote.voted_at;
    let receipt = Receipt { vote: vote.id, server, nickname, voted_at, ticket };
    let receipt = state.receipts().sign(&state.environment().public_url, &receipt);
    Ok(VoteWithReceipt { vote, receipt })
}

fn accepted_vote(cast: CastOutcome, now: DateTime<Utc>) -> Result<CountedVote, Refusal> {
    match cast {
        CastOutcome::Accepted(vote) => Ok(vote),
        CastOutcome::Cooldown { next_vote_at } => Err(Refusal::AlreadyVoted {
            next_vote_seconds: seconds_until(next_vote_at, now).max(1),
        }),
        CastOutcome::Limited { by, again_at } => {
            let wait = u64::try_from(seconds_until(again_at, now)).unwrap_or_default();
            Err(Refusal::VoteLimit { by, retry_after: wait.max(1) })
        }
        CastOutcome::Banned(why) => Err(Refusal::Banned(why)),
        CastOutcome::UnknownServer => Err(Refusal::ServerNotFound),
        CastOutcome::BadNickname => Err(Refusal::NicknamePattern),
        CastOutcome::RefusedNickname => Err(Refusal::NicknameRefused),
        CastOutcome::Spent => Err(CaptchaRefusal::Spent.into()),
        CastOutcome::Ticket(why) => Err(why.into()),
        CastOutcome::Deferred | CastOutcome::Busy => Err(Refusal::Overloaded),
    }
}

/// Whole seconds from `now` until `then`, rounded up, so that a client that waits them never
/// returns too early.
pub(crate) fn seconds_until(then: DateTime<Utc>, now: DateTime<Utc>) -> i64 {
    let wait = (then - now).num_milliseconds();
    wait.div_euclid(1000) + i64::from(wait.rem_euclid(1000) > 0)
}

impl From<NicknameRefusal> for Refusal {
    fn from(refusal: NicknameRefusal) -> Self {
        match refusal {
            NicknameRefusal::Length => Self::NicknameLength,
            NicknameRefusal::Characters => Self::NicknameCharacters,
        }
    }
}

impl From<CaptchaRefusal> for Refusal {
    fn from(refusal: CaptchaRefusal) -> Self {
        Self::Captcha(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_rounded_up_to_whole_seconds() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).expect("a time");
        let after = |millis: i64| seconds_until(now + chrono::TimeDelta::milliseconds(millis), now);
        assert_eq!([after(0), after(1), after(1000), after(1001), after(-1500)], [0, 1, 1, 2, -1]);
    }
}
