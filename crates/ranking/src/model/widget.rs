//! The facts in a server's widget on other sites.

use chrono::{DateTime, Utc};

/// A public server's figures. Texts are plain; callers that write them into a page must escape
/// them.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub struct WidgetFacts {
    /// The slug in its URL.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The name of its game.
    pub game_name: String,
    /// The logo, as an absolute URL or a path on this site.
    pub logo_url: Option<String>,
    /// Votes of this month.
    pub monthly_votes: i32,
    /// The rank in its game by the votes of this month.
    pub game_rank: i32,
    /// Whether it answered the last status query.
    pub is_online: bool,
    /// The players online at that query.
    pub online_players: i32,
    /// The maximum number of players; 0 when it is unknown.
    pub max_players: i32,
    /// When it was last queried; `None` when it never was.
    pub status_checked_at: Option<DateTime<Utc>>,
}
