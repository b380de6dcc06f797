//! A server's own site sends somebody to vote with a ticket, and asks what became of it.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_pg::PgError;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::State;
use crate::model::nickname::Nickname;
use crate::model::ticket::{Holder, KnownTicket, Ticket};
use crate::store::vote_ticket::{self, Order};

/// How long a ticket holds unless the site says otherwise, and what it may say, in seconds.
pub(crate) const LIFETIME: u64 = 3_600;
const LIFETIMES: std::ops::RangeInclusive<u64> = 60..=86_400;
/// Characters of a reference at most.
const LONGEST_REFERENCE: usize = 100;

/// What a site wants a ticket for.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    pub reference: Option<String>,
    pub nickname: Option<String>,
    /// Seconds.
    pub lifetime: Option<u64>,
}

/// A ticket that was handed out.
#[derive(Debug)]
pub(crate) struct Handed {
    pub ticket: Ticket,
    /// The page that takes the vote.
    pub url: String,
    pub expires_at: DateTime<Utc>,
}

/// Why there is no answer about a ticket.
#[derive(Debug)]
pub(crate) enum Denied {
    /// The token is not this server's.
    NotYours,
    /// No such ticket of this server.
    Unknown,
    /// So many tickets of the server wait that there are no more.
    TooMany,
    /// The wish cannot be granted; says what is wrong with it.
    Bad(&'static str),
    TooOften {
        /// Whole seconds until the next call is taken.
        retry_after: u64,
    },
    Database(PgError),
}

impl From<PgError> for Denied {
    fn from(error: PgError) -> Self {
        Self::Database(error)
    }
}

/// Hands out a ticket.
///
/// # Errors
/// See [`Denied`]; nothing is handed out then.
#[tracing::instrument(name = "ranking.hand_out_ticket", skip_all)]
pub(crate) async fn hand_out(
    state: &State,
    holder: Holder<'_>,
    wish: Wish,
    asker: IpAddr,
) -> Result<Handed, Denied> {
    let order = order(state, wish)?;
    admit(state, asker)?;
    let mut owner = state.pools().questions.begin().await?;
    let (outcome, server) = vote_ticket::open(&mut owner, holder, &order).await?;
    owner.commit().await?;
    let server = match (&*outcome, server) {
        ("opened", Some(server)) => server,
        ("too_many", _) => return Err(Denied::TooMany),
        _ => return Err(Denied::NotYours),
    };
    let Order { ticket, nickname, expires_at, .. } = order;
    let named = nickname.map(|name| utf8_percent_encode(&name, NON_ALPHANUMERIC).to_string());
    let named = named.map(|name| format!("&nickname={name}")).unwrap_or_default();
    let origin = &state.environment().public_url;
    let url = format!("{origin}/server/{server}?vote=1&ticket={}{named}", ticket.as_str());
    Ok(Handed { ticket, url, expires_at })
}

fn order(state: &State, wish: Wish) -> Result<Order, Denied> {
    let Wish { reference, nickname, lifetime } = wish;
    let lifetime = lifetime.unwrap_or(LIFETIME);
    if !LIFETIMES.contains(&lifetime) {
        return Err(Denied::Bad("lifetime must be 60 to 86400 seconds"));
    }
    if reference.as_ref().is_some_and(|text| text.chars().count() > LONGEST_REFERENCE) {
        return Err(Denied::Bad("reference must have 100 characters at most"));
    }
    // PostgreSQL keeps no such text.
    if reference.as_ref().is_some_and(|text| text.contains('\0')) {
        return Err(Denied::Bad("reference must be text"));
    }
    let nickname = nickname.map(|name| Nickname::parse(&name)).transpose();
    let nickname = nickname.map_err(|_| Denied::Bad("nickname cannot be voted with"))?;
    let at = state.environment().clock.now();
    let span = TimeDelta::from_std(Duration::from_secs(lifetime)).unwrap_or_default();
    Ok(Order {
        ticket: Ticket::draw(state.environment().entropy.bytes()),
        reference,
        nickname: nickname.map(|name| name.as_str().to_owned()),
        at,
        expires_at: at + span,
    })
}

/// What became of a ticket. Asking has no effect.
///
/// # Errors
/// See [`Denied`].
#[tracing::instrument(name = "ranking.find_ticket", skip_all)]
pub(crate) async fn find(
    state: &State,
    holder: Holder<'_>,
    ticket: &Ticket,
    asker: IpAddr,
) -> Result<KnownTicket, Denied> {
    admit(state, asker)?;
    let now = state.environment().clock.now();
    let mut owner = state.pools().questions.begin().await?;
    let known = vote_ticket::find(&mut owner, holder, ticket, now).await?;
    owner.rollback().await?;
    match &*known.outcome {
        "not_yours" => Err(Denied::NotYours),
        "ticket_unknown" => Err(Denied::Unknown),
        _ => Ok(known),
    }
}

fn admit(state: &State, asker: IpAddr) -> Result<(), Denied> {
    let now = state.environment().clock.now();
    let taken = state.limits().token_questions.take(&state.voter(asker), now);
    taken.map_err(|retry_after| Denied::TooOften { retry_after })
}
