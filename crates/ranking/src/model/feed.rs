//! The contents of a feed of new servers, in plain text.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The newest public servers, of all games or of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewServers {
    /// The game of the servers, when the feed is for one game.
    pub game: Option<FeedGame>,
    /// The servers, newest first.
    pub servers: Vec<NewServer>,
}

/// The game of a feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FeedGame {
    /// Its name.
    pub name: String,
    /// Its slug.
    pub slug: String,
    /// The slug of the page that shows it: its own page, or one that it shares with another game.
    pub page_slug: String,
}

/// A public server as a feed names it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NewServer {
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
    /// The slug of its game.
    pub game_slug: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When its owner last changed it.
    pub updated_at: DateTime<Utc>,
}

impl NewServer {
    /// The time of the last change; never before the server was added.
    pub fn changed_at(&self) -> DateTime<Utc> {
        self.updated_at.max(self.created_at)
    }
}
