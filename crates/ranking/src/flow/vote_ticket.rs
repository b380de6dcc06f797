//! Vote tickets: a server's own site creates one to send somebody to vote, and asks for its
//! outcome.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_pg::PgError;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::State;
use crate::model::nickname::Nickname;
use crate::model::ticket::{Holder, Ticket, TicketStatus};
use crate::store::vote_ticket::{self, NewTicket};

/// The default lifetime of a ticket, and the range that a site may choose from, in seconds.
pub(crate) const LIFETIME: u64 = 3_600;
const LIFETIMES: std::ops::RangeInclusive<u64> = 60..=86_400;
/// The longest reference, in characters.
const LONGEST_REFERENCE: usize = 100;

/// A site's request for a ticket.
#[derive(Debug, Default)]
pub(crate) struct TicketRequest {
    pub reference: Option<String>,
    pub nickname: Option<String>,
    /// The lifetime in seconds.
    pub lifetime: Option<u64>,
}

/// A new ticket.
#[derive(Debug)]
pub(crate) struct IssuedTicket {
    pub ticket: Ticket,
    /// The URL of the page where the voter votes with the ticket.
    pub url: String,
    pub expires_at: DateTime<Utc>,
}

/// Why a ticket request fails.
#[derive(Debug)]
pub(crate) enum TicketError {
    /// The token does not belong to this server.
    Unauthorized,
    /// The server has no such ticket.
    Unknown,
    /// The server has too many open tickets.
    TooMany,
    /// The request is invalid; the text says how.
    BadRequest(&'static str),
    TooManyRequests {
        /// Whole seconds until the next call is accepted.
        retry_after: u64,
    },
    Database(PgError),
}

impl From<PgError> for TicketError {
    fn from(error: PgError) -> Self {
        Self::Database(error)
    }
}

/// Creates a ticket.
///
/// # Errors
/// See [`TicketError`]; no ticket is created then.
#[tracing::instrument(name = "ranking.hand_out_ticket", skip_all)]
pub(crate) async fn issue(
    state: &State,
    holder: Holder<'_>,
    request: TicketRequest,
    client: IpAddr,
) -> Result<IssuedTicket, TicketError> {
    let new = new_ticket(state, request)?;
    check_rate(state, client)?;
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
    // PostgreSQL cannot store a text with a null character.
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

/// The status of a ticket. The request changes nothing.
#[tracing::instrument(name = "ranking.find_ticket", skip_all)]
pub(crate) async fn find(
    state: &State,
    holder: Holder<'_>,
    ticket: &Ticket,
    client: IpAddr,
) -> Result<TicketStatus, TicketError> {
    check_rate(state, client)?;
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

fn check_rate(state: &State, client: IpAddr) -> Result<(), TicketError> {
    let now = state.environment().clock.now();
    let permit = state.limits().token_questions.take(&state.voter(client), now);
    permit.map_err(|retry_after| TicketError::TooManyRequests { retry_after })
}
