//! A vote ticket: a one-time token with which a server's own site sends a voter.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::model::server_key::ServerKey;

/// A well-formed ticket that is not yet looked up. Anybody who has it can vote in place of the
/// intended voter.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ticket(String);

impl Ticket {
    /// A new ticket of 192 random bits, in base64url.
    pub fn draw(chance: [u8; 24]) -> Self {
        use base64::Engine as _;
        Self(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(chance))
    }

    /// Parses a ticket from a URL or a ballot; `None` when it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (22..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        fits.then(|| Self(text.to_owned()))
    }

    /// The ticket as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Ticket {
    /// A ticket is secret until it is spent, and is not printed in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket")
    }
}

/// The caller of the ticket API: the server in the URL, and the token that proves the ownership.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub server: &'a ServerKey,
    pub token: &'a ServerKey,
}

/// The status of a ticket.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct TicketStatus {
    pub outcome: String,
    pub reference: Option<String>,
    pub nickname: Option<String>,
    pub expires_at: Option<DateTime<Utc>>,
    pub vote_id: Option<Uuid>,
    pub voted_as: Option<String>,
    pub spent_at: Option<DateTime<Utc>>,
}

/// Why a ballot is refused for its ticket, or for the lack of one. No ticket is spent then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TicketRefusal {
    /// The server has no such ticket.
    #[error("This voting link is not valid for this server")]
    Unknown,
    /// The ticket has expired.
    #[error("This voting link has expired")]
    Expired,
    /// Another vote has used the ticket.
    #[error("This voting link has been used already")]
    Spent,
    /// The server accepts only votes with a ticket.
    #[error("This server takes votes that come from its own site only")]
    Required,
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_drawn_ticket_is_read_again() {
        let ticket = Ticket::draw([7; 24]);
        assert_eq!(Ticket::parse(ticket.as_str()), Some(ticket));
    }

    #[test]
    fn random_texts_parse_as_ticket_or_none() {
        property_test("ticket", any::<String>(), |text| {
            if let Some(ticket) = Ticket::parse(&text) {
                assert!(ticket.as_str().is_ascii());
            }
        });
    }
}
