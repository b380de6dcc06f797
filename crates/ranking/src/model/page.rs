//! The facts of a page, in plain text, for its title, its preview and its structured data.

use chrono::{DateTime, NaiveDate, Utc};
use page_registry::is_slug;
use uuid::Uuid;

/// Which server a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerQuery<'a> {
    /// By id, as in `/server/{id}`.
    Id(Uuid),
    /// By slug, as in `/serveur/{slug}`.
    Slug(&'a str),
}

/// Which games a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameQuery<'a> {
    /// One game by its slug, as in `/game/{gameSlug}`.
    Slug(&'a str),
    /// The games of a shortcut page, as in `/serveurs-{game}`.
    Shortcut(&'a str),
}

impl ServerQuery<'_> {
    /// Whether the slug is well formed; a malformed one is not looked up.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Self::Id(_) => true,
            Self::Slug(slug) => is_slug(slug),
        }
    }
}

impl GameQuery<'_> {
    /// Whether the slug is well formed.
    pub(crate) fn is_possible(self) -> bool {
        let (Self::Slug(word) | Self::Shortcut(word)) = self;
        is_slug(word)
    }
}

/// A public server. Texts are plain; callers that write them into a page must escape them.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub struct ServerFacts {
    /// Its id.
    pub id: Uuid,
    /// The slug in its URL.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The whole description on one line, without formatting. Callers truncate it.
    pub description: String,
    /// The language its owner writes in: `fr`, `en` or `es`.
    pub language: String,
    /// The name of its game.
    pub game_name: String,
    /// The slug of its game's page.
    pub game_slug: String,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Its banner, likewise.
    pub banner_url: Option<String>,
    /// The backdrop of its page or else of its game, likewise.
    pub backdrop_url: Option<String>,
    /// Votes since it was added.
    pub total_votes: i32,
    /// Votes of this month.
    pub monthly_votes: i32,
    /// The players online at the last status query.
    pub online_players: i32,
    /// The maximum number of players.
    pub max_players: i32,
    /// Whether it answered the last status query.
    pub is_online: bool,
    /// The number of reviews.
    pub review_count: i32,
    /// The average rating from 1 to 5; `None` without reviews.
    pub rating_average: Option<f64>,
    /// When its owner last changed it.
    pub updated_at: DateTime<Utc>,
}

/// A game page.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct GameFacts {
    /// The game's name; of a shortcut page, the first one's.
    pub name: String,
    /// Its slug.
    pub slug: String,
    /// The slug of the page that shows it: its own page, or one that it shares with another game.
    pub page_slug: String,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Its backdrop, likewise.
    pub backdrop_url: Option<String>,
    /// Public servers on this page.
    pub server_count: i64,
}

/// A contest, with the texts of its administrators.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EventFacts {
    /// Its name.
    pub name: String,
    /// The description; empty when there is none.
    pub description: String,
    /// When it begins.
    pub start_date: DateTime<Utc>,
    /// When it ends.
    pub end_date: DateTime<Utc>,
}

/// The contents of the sitemap beside the fixed pages and the servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SitemapFacts {
    /// The number of public servers.
    pub servers: i64,
    /// The slug of every game, and the slug of the page that shows it.
    pub games: Vec<(String, String)>,
    /// The shortcuts that show several games; every other shortcut duplicates one game's page.
    pub shortcuts: Vec<String>,
    /// The slugs of the games that have a hall of fame.
    pub halls: Vec<String>,
    /// The ids of the newest announced contests.
    pub events: Vec<Uuid>,
    /// The first days of the archived months, latest first.
    pub months: Vec<NaiveDate>,
    /// Each archived month with the slug of a game that had votes in it, latest first.
    pub game_months: Vec<(NaiveDate, String)>,
}

/// A position in the order in which servers were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SitemapPlace {
    /// When the server at this position was added.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: Uuid,
}

/// A public server in the sitemap.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SitemapServer {
    /// Its id.
    pub id: Uuid,
    /// The slug in its URL.
    pub slug: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When its owner last changed it.
    pub updated_at: DateTime<Utc>,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Its banner, likewise.
    pub banner_url: Option<String>,
}

/// The settings of the site that every page needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteFacts {
    /// `site_name`.
    pub name: String,
    /// `site_description`; empty when none is set.
    pub description: String,
    /// `contact_email`; `None` when it is not set.
    pub contact_email: Option<String>,
    /// `site_timezone`, the zone in which months end.
    pub timezone: String,
    /// When the month ends in that zone, as a Unix time in seconds; `None` when the zone is
    /// unknown.
    pub month_ends_at: Option<i64>,
    /// `vote_cooldown_seconds`.
    pub vote_cooldown_seconds: i64,
    /// `all_games_backdrop_url`.
    pub backdrop_url: Option<String>,
    /// `structured_data_fallback_rating`; `None` unless an operator sets it.
    pub fallback_rating: Option<f64>,
}
