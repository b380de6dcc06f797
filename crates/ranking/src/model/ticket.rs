//! A ticket: what a server's own site sends somebody to vote with.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::model::server_key::ServerKey;

/// Well formed, not yet looked up. Whoever has it may vote in the place of who it was made for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ticket(String);

impl Ticket {
    /// Draws one: 192 bits, in base64url.
    pub fn draw(chance: [u8; 24]) -> Self {
        use base64::Engine as _;
        Self(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(chance))
    }

    /// Reads what an address or a ballot holds; `None` when it can be none of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (22..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        fits.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Ticket {
    /// It is a secret until it is spent, and stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket")
    }
}

/// Who asks about tickets: the server an address names, and the token that proves it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub server: &'a ServerKey,
    pub token: &'a ServerKey,
}

/// What is known of a ticket.
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

/// Why a ballot's ticket, or the lack of one, has it refused. Nothing is spent then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TicketRefusal {
    /// No such ticket of this server.
    #[error("This voting link is not valid for this server")]
    Unknown,
    /// Its time is over.
    #[error("This voting link has expired")]
    Expired,
    /// Another vote has spent it.
    #[error("This voting link has been used already")]
    Spent,
    /// The server takes votes with a ticket only.
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
