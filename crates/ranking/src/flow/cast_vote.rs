//! Casting a vote.
//!
//! What costs nothing is checked first, and what must be whole is one transaction: the answer to
//! the challenge is spent with the vote or not at all. A refusal that the voter can mend by
//! another nickname leaves it unspent.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    Refusal, State,
    captcha::{CaptchaRefusal, Proof, Purpose},
    model::nickname::{Nickname, NicknameRefusal},
    store::{
        captcha_spent, server,
        vote::{self, Ballot, Cast},
    },
};

/// What a voter asks for.
#[derive(Debug)]
pub(crate) struct VoteRequest<'a> {
    pub server: Uuid,
    pub nickname: &'a str,
    pub captcha: &'a str,
    pub account: Option<Uuid>,
    pub ip: IpAddr,
}

/// A vote that counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedVote {
    pub voted_at: DateTime<Utc>,
    pub next_vote_at: DateTime<Utc>,
    pub total_votes: i32,
    pub monthly_votes: i32,
}

/// Takes a vote, or says why not.
pub(crate) async fn cast_vote(
    state: &State,
    request: VoteRequest<'_>,
) -> Result<CountedVote, Refusal> {
    let VoteRequest { server, account, ip, .. } = request;
    let at = state.edge().clock.now();
    let voter = state.voter(ip);
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.vote_limit().take(&voter, at).map_err(too_often)?;
    let nickname = Nickname::parse(request.nickname)?;
    let proof = state.captcha().judge(request.captcha, Purpose::Vote, server, at)?;
    let ballot = Ballot { server, voter, account, nickname, at };
    counted(record(state, &ballot, &proof).await?, at)
}

/// The transaction: what it refuses by an error is taken back, the answer to the challenge with it.
async fn record(state: &State, ballot: &Ballot, proof: &Proof) -> Result<Cast, Refusal> {
    let mut owner = state.owner().begin().await?;
    match server::admits_nickname(&mut owner, ballot.server, &ballot.nickname).await? {
        None => return Err(Refusal::ServerNotFound),
        Some(false) => return Err(Refusal::NicknamePattern),
        Some(true) => {}
    }
    if !captcha_spent::spend(&mut owner, proof).await? {
        return Err(CaptchaRefusal::Spent.into());
    }
    let cast = vote::cast(&mut owner, ballot).await?;
    // A vote that has to wait is committed too: its answer stays spent, or it could be used to ask
    // about every nickname there is.
    owner.commit().await?;
    Ok(cast)
}

fn counted(cast: Cast, now: DateTime<Utc>) -> Result<CountedVote, Refusal> {
    match cast.outcome.as_str() {
        "accepted" => Ok(CountedVote {
            voted_at: cast.voted_at.unwrap_or(now),
            next_vote_at: cast.next_vote_at.unwrap_or(now),
            total_votes: cast.total_votes.unwrap_or_default(),
            monthly_votes: cast.monthly_votes.unwrap_or_default(),
        }),
        "cooldown" => Err(Refusal::AlreadyVoted {
            next_vote_seconds: seconds_until(cast.next_vote_at.unwrap_or(now), now).max(1),
        }),
        "banned" => Err(Refusal::Banned),
        _ => Err(Refusal::ServerNotFound),
    }
}

/// Whole seconds from `now` until `then`, rounded up: whoever waits them has waited enough.
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
