//! What a server's widget on other sites tells.

use chrono::{DateTime, Utc};

/// A public server's figures. Texts are plain: whoever writes them into a page escapes them.
#[derive(Debug, Clone, PartialEq, sqlx_macros::FromRow)]
pub struct WidgetFacts {
    /// Its slug in addresses.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The name of its game.
    pub game_name: String,
    /// Its logo, an absolute address or a path of this site.
    pub logo_url: Option<String>,
    /// Votes of this month.
    pub monthly_votes: i32,
    /// Its place in its game by the votes of this month.
    pub game_rank: i32,
    /// Whether it answered when it was last asked.
    pub is_online: bool,
    /// Players on it then.
    pub online_players: i32,
    /// Room for players; 0 where nobody tells how many play.
    pub max_players: i32,
    /// When it was last asked; none when it never was.
    pub status_checked_at: Option<DateTime<Utc>>,
}
