//! A server's own site sends somebody to vote with a ticket, and asks what became of it.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_pg::PgError;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::State;
use crate::model::nickname::Nickname;
use crate::model::ticket::{Holder, Ticket, TicketStatus};
use crate::store::vote_ticket::{self, NewTicket};

/// How long a ticket holds unless the site says otherwise, and what it may say, in seconds.
pub(crate) const LIFETIME: u64 = 3_600;
const LIFETIMES: std::ops::RangeInclusive<u64> = 60..=86_400;
/// Characters of a reference at most.
const LONGEST_REFERENCE: usize = 100;

/// What a site wants a ticket for.
#[derive(Debug, Default)]
pub(crate) struct TicketRequest {
    pub reference: Option<String>,
    pub nickname: Option<String>,
    /// Seconds.
    pub lifetime: Option<u64>,
}

/// A ticket that was handed out.
#[derive(Debug)]
pub(crate) struct IssuedTicket {
    pub ticket: Ticket,
    /// The page that takes the vote.
    pub url: String,
    pub expires_at: DateTime<Utc>,
}

/// Why there is no answer about a ticket.
#[derive(Debug)]
pub(crate) enum TicketError {
    /// The token is not this server's.
    Unauthorized,
    /// No such ticket of this server.
    Unknown,
    /// So many tickets of the server wait that there are no more.
    TooMany,
    /// The wish cannot be granted; says what is wrong with it.
    BadRequest(&'static str),
    TooManyRequests {
        /// Whole seconds until the next call is taken.
        retry_after: u64,
    },
    Database(PgError),
}

impl From<PgError> for TicketError {
    fn from(error: PgError) -> Self {
        Self::Database(error)
    }
}

/// Hands out a ticket.
///
/// # Errors
/// See [`TicketError`]; nothing is handed out then.
#[tracing::instrument(name = "ranking.hand_out_ticket", skip_all)]
pub(crate) async fn issue(
    state: &State,
    holder: Holder<'_>,
    request: TicketRequest,
    asker: IpAddr,
) -> Result<IssuedTicket, TicketError> {
    let new = new_ticket(state, request)?;
    check_rate(state, asker)?;
    let mut owner = state.pools().questions.begin().await?;
    let (outcome, server) = vote_ticket::open(&mut owner, holder, &new).await?;
    owner.commit().await?;
    let server = match (&*outcome, server) {
        ("opened", Some(server)) => server,
        ("too_many", _) => return Err(TicketError::TooMany),
        _ => return Err(TicketError::Unauthorized),
    };
    let NewTicket { ticket, nickname, expires_at, .. } = new;
    let named = nickname.map(|name| utf8_percent_encode(&name, NON_ALPHANUMERIC).to_string());
    let named = named.map(|name| format!("&nickname={name}")).unwrap_or_default();
    let origin = &state.environment().public_url;
    let url = format!("{origin}/server/{server}?vote=1&ticket={}{named}", ticket.as_str());
    Ok(IssuedTicket { ticket, url, expires_at })
}

fn new_ticket(state: &State, request: TicketRequest) -> Result<NewTicket, TicketError> {
    let TicketRequest { reference, nickname, lifetime } = request;
    let lifetime = lifetime.unwrap_or(LIFETIME);
    if !LIFETIMES.contains(&lifetime) {
        return Err(TicketError::BadRequest("lifetime must be 60 to 86400 seconds"));
    }
    if reference.as_ref().is_some_and(|text| text.chars().count() > LONGEST_REFERENCE) {
        return Err(TicketError::BadRequest("reference must have 100 characters at most"));
    }
    // PostgreSQL keeps no such text.
    if reference.as_ref().is_some_and(|text| text.contains('\0')) {
        return Err(TicketError::BadRequest("reference must be text"));
    }
    let nickname = nickname.map(|name| Nickname::parse(&name)).transpose();
    let nickname =
        nickname.map_err(|_| TicketError::BadRequest("nickname cannot be voted with"))?;
    let at = state.environment().clock.now();
    let span = TimeDelta::from_std(Duration::from_secs(lifetime)).unwrap_or_default();
    Ok(NewTicket {
        ticket: Ticket::draw(state.environment().entropy.bytes()),
        reference,
        nickname: nickname.map(|name| name.as_str().to_owned()),
        at,
        expires_at: at + span,
    })
}

/// What became of a ticket. Asking has no effect.
#[tracing::instrument(name = "ranking.find_ticket", skip_all)]
pub(crate) async fn find(
    state: &State,
    holder: Holder<'_>,
    ticket: &Ticket,
    asker: IpAddr,
) -> Result<TicketStatus, TicketError> {
    check_rate(state, asker)?;
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.begin().await?;
    let status = vote_ticket::find(&mut owner, holder, ticket, now).await?;
    owner.rollback().await?;
    match &*status.outcome {
        "not_yours" => Err(TicketError::Unauthorized),
        "ticket_unknown" => Err(TicketError::Unknown),
        _ => Ok(status),
    }
}

fn check_rate(state: &State, asker: IpAddr) -> Result<(), TicketError> {
    let now = state.environment().clock.now();
    let taken = state.limits().token_questions.take(&state.voter(asker), now);
    taken.map_err(|retry_after| TicketError::TooManyRequests { retry_after })
}
