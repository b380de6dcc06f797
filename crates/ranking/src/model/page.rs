//! What a page is about, in plain text, for its title, its preview and its structured data.

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
    /// The one with a slug of its own, as in `/game/{gameSlug}`.
    Slug(&'a str),
    /// Those of the word of a shortcut page, as in `/serveurs-{game}`.
    Shortcut(&'a str),
}

impl ServerQuery<'_> {
    /// Whether a server can be called so; what cannot be is not asked for.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Self::Id(_) => true,
            Self::Slug(slug) => is_slug(slug),
        }
    }
}

impl GameQuery<'_> {
    /// Whether a page of games can be called so.
    pub(crate) fn is_possible(self) -> bool {
        let (Self::Slug(word) | Self::Shortcut(word)) = self;
        is_slug(word)
    }
}

/// A public server. Texts are plain: whoever writes them into a page escapes them.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub struct ServerFacts {
    /// Its id.
    pub id: Uuid,
    /// Its slug in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its whole description on one line, without formatting; to be cut where it is used.
    pub description: String,
    /// The language its owner writes in: `fr`, `en` or `es`.
    pub language: String,
    /// The name of its game.
    pub game_name: String,
    /// The slug of its game's page.
    pub game_slug: String,
    /// Its logo, an absolute address or a path of this site.
    pub logo_url: Option<String>,
    /// Its banner, likewise.
    pub banner_url: Option<String>,
    /// The picture behind its page, or that of its game, likewise.
    pub backdrop_url: Option<String>,
    /// Votes since it was added.
    pub total_votes: i32,
    /// Votes of this month.
    pub monthly_votes: i32,
    /// Players on it when it was last asked.
    pub online_players: i32,
    /// Room for players.
    pub max_players: i32,
    /// Whether it answered when it was last asked.
    pub is_online: bool,
    /// How many reviews there are.
    pub review_count: i32,
    /// Their average from 1 to 5; `None` without reviews.
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
    /// The slug of the page it is shown on: its own, or another game's which it shares.
    pub page_slug: String,
    /// Its logo, an absolute address or a path of this site.
    pub logo_url: Option<String>,
    /// Its backdrop, likewise.
    pub backdrop_url: Option<String>,
    /// Public servers on this page.
    pub server_count: i64,
}

/// A contest, as its administrators wrote of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EventFacts {
    /// Its name.
    pub name: String,
    /// What is said of it; empty when nothing is.
    pub description: String,
    /// When it begins.
    pub start_date: DateTime<Utc>,
    /// When it ends.
    pub end_date: DateTime<Utc>,
}

/// What a sitemap names beside the fixed pages and the servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SitemapFacts {
    /// How many public servers there are.
    pub servers: i64,
    /// The slug of every game and that of the page it is shown on.
    pub games: Vec<(String, String)>,
    /// Words of the shortcuts that show several games together; any other names one game's page
    /// a second time.
    pub shortcuts: Vec<String>,
    /// Slugs of the games of which months' first three are kept.
    pub halls: Vec<String>,
    /// Ids of the newest announced contests.
    pub events: Vec<Uuid>,
    /// First days of the months that are over and kept, the latest first.
    pub months: Vec<NaiveDate>,
    /// Such a month and the slug of a game that had votes in it, the latest first.
    pub game_months: Vec<(NaiveDate, String)>,
}

/// A place in the order servers were added in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SitemapPlace {
    /// When the server that stands there was added.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: Uuid,
}

/// A public server as a sitemap names it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SitemapServer {
    /// Its id.
    pub id: Uuid,
    /// Its slug in addresses.
    pub slug: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When its owner last changed it.
    pub updated_at: DateTime<Utc>,
    /// Its logo, an absolute address or a path of this site.
    pub logo_url: Option<String>,
    /// Its banner, likewise.
    pub banner_url: Option<String>,
}

/// What every page needs to know of the site.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteFacts {
    /// `site_name`.
    pub name: String,
    /// `site_description`; empty when none is set.
    pub description: String,
    /// `contact_email`, where the site is written to; none when none is set.
    pub contact_email: Option<String>,
    /// `site_timezone`, the zone in which months end.
    pub timezone: String,
    /// When the month ends in that zone, as a Unix time in seconds; none where the zone is unknown.
    pub month_ends_at: Option<i64>,
    /// `vote_cooldown_seconds`.
    pub vote_cooldown_seconds: i64,
    /// `all_games_backdrop_url`.
    pub backdrop_url: Option<String>,
    /// `structured_data_fallback_rating`: `None`, unless an operator insists.
    pub fallback_rating: Option<f64>,
}
