//! The data that the vote API gives about a server.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A server's figures.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub(crate) struct ServerFigures {
    pub id: Uuid,
    /// In plain text.
    pub name: String,
    pub slug: String,
    pub game: String,
    /// `N/A` when the owner gave none.
    pub ip_address: String,
    pub version: Option<String>,
    pub website_url: Option<String>,
    pub is_online: bool,
    pub online_players: i32,
    pub max_players: i32,
    pub status_checked_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub total_votes: i32,
    /// Votes of the current month.
    pub monthly_votes: i32,
    pub clicks: i32,
    pub review_count: i32,
    /// The average, to one decimal; `None` without reviews.
    pub rating: Option<f64>,
    /// The rank among all servers by the votes of the month; `None` for a server that is not
    /// public.
    pub rank: Option<i32>,
    /// The same among the servers of its game.
    pub game_rank: Option<i32>,
    /// Votes of the last thirty days that count.
    pub accepted_lately: i64,
    /// Votes rejected in that time.
    pub refused_lately: i64,
    /// Votes cast in that time and voided since.
    pub voided_lately: i64,
}

impl ServerFigures {
    /// The host and port of the game server, where its owner gave them.
    pub fn place(&self) -> (&str, Option<u16>) {
        let address = match &*self.ip_address {
            "N/A" => "",
            address => address,
        };
        match address.rsplit_once(':').map(|(host, port)| (host, port.parse())) {
            Some((host, Ok(port))) if !host.contains(':') || host.ends_with(']') => {
                (host, Some(port))
            }
            _ => (address, None),
        }
    }
}

/// A recent vote.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub(crate) struct RecentVote {
    pub nickname: String,
    pub voted_at: DateTime<Utc>,
    /// `voted_at` in the site's time zone: `2026-05-14 13:00:00`.
    pub local_time: String,
    /// Whether its reward was claimed.
    pub is_claimed: bool,
}

/// A voter with their number of votes.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub(crate) struct VoterTotal {
    /// The nickname in one of its spellings; case does not distinguish voters.
    pub nickname: String,
    pub votes: i64,
}

/// A public review.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub(crate) struct PublicReview {
    pub id: Uuid,
    /// `None` for an anonymous review.
    pub author_name: Option<String>,
    pub rating: i32,
    /// In plain text.
    pub comment: String,
    pub created_at: DateTime<Utc>,
    pub answer: Option<String>,
}

/// A month in the site's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Month {
    /// The current month.
    Current,
    /// The previous month.
    Last,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> (String, Option<u16>) {
        let figures = ServerFigures {
            id: Uuid::nil(),
            name: String::new(),
            slug: String::new(),
            game: String::new(),
            ip_address: address.to_owned(),
            version: None,
            website_url: None,
            is_online: false,
            online_players: 0,
            max_players: 0,
            status_checked_at: None,
            created_at: DateTime::UNIX_EPOCH,
            total_votes: 0,
            monthly_votes: 0,
            clicks: 0,
            review_count: 0,
            rating: None,
            rank: None,
            game_rank: None,
            accepted_lately: 0,
            refused_lately: 0,
            voided_lately: 0,
        };
        let (host, port) = figures.place();
        (host.to_owned(), port)
    }

    #[test]
    fn an_address_is_read_as_host_and_port() {
        assert_eq!(at("play.example:25566"), ("play.example".into(), Some(25566)));
        assert_eq!(at("play.example"), ("play.example".into(), None));
        assert_eq!(at("[2001:db8::1]:9"), ("[2001:db8::1]".into(), Some(9)));
        assert_eq!(at("2001:db8::1"), ("2001:db8::1".into(), None));
        assert_eq!(at("N/A"), (String::new(), None));
        assert_eq!(at("host:port"), ("host:port".into(), None));
    }
}
