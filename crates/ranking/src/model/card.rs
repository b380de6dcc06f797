//! The facts on the social card of a page: few words and figures, in plain text.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::{GameQuery, ServerQuery};

/// The subject of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardQuery<'a> {
    /// One server, by its slug.
    Server(&'a str),
    /// One game, or the games of a shortcut page.
    Games(GameQuery<'a>),
    /// One contest, in the language with this code.
    Event(Uuid, &'a str),
}

impl CardQuery<'_> {
    /// Whether the slug is well formed; a malformed one is not looked up.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Self::Server(slug) => ServerQuery::Slug(slug).is_possible(),
            Self::Games(query) => query.is_possible(),
            Self::Event(..) => true,
        }
    }
}

/// The facts of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardFacts {
    /// The card of a server.
    Server(ServerCard),
    /// The card of a page of games.
    Games(GamesCard),
    /// The card of a contest.
    Event(EventCard),
}

/// A public server on a card.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ServerCard {
    /// The slug in its URL.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The name of its game.
    pub game_name: String,
    /// The colour of its game, as `#rrggbb`.
    pub accent_color: Option<String>,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// The backdrop of its page or else of its game, likewise.
    pub backdrop_url: Option<String>,
    /// The rank among the servers of its game.
    pub game_rank: i32,
    /// Votes of this month.
    pub monthly_votes: i32,
    /// The first day of this month, on the site's clock.
    pub month: NaiveDate,
}

/// A page of games on a card.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GamesCard {
    /// The game's name; of several, the first one's.
    pub name: String,
    /// Its slug.
    pub slug: String,
    /// Its colour, as `#rrggbb`.
    pub accent_color: Option<String>,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Its backdrop, likewise.
    pub backdrop_url: Option<String>,
    /// Public servers on this page.
    pub server_count: i64,
    /// The first three of them this month.
    #[sqlx(skip)]
    pub first: Vec<PlacedServer>,
}

/// One of the first servers of a game.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PlacedServer {
    /// The slug in its URL.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Votes of this month.
    pub monthly_votes: i32,
}

/// A contest on a card.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EventCard {
    /// Its name.
    pub name: String,
    /// Its first day, on the site's clock.
    pub starts_on: NaiveDate,
    /// The last day on which votes count.
    pub ends_on: NaiveDate,
    /// Votes its servers have to reach together.
    pub target_votes: i32,
    /// How many servers win.
    pub winner_count: i32,
    /// Days of Prestige each of them wins.
    pub prestige_days: i32,
}
