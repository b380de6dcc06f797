//! What a feed of new servers tells, in plain text.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The newest public servers, of all games or of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewServers {
    /// The game they are of, where one was asked for.
    pub game: Option<FeedGame>,
    /// The newest first.
    pub servers: Vec<NewServer>,
}

/// The game of a feed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FeedGame {
    /// Its name.
    pub name: String,
    /// Its slug.
    pub slug: String,
    /// The slug of the page it is shown on: its own, or another game's which it shares.
    pub page_slug: String,
}

/// A public server as a feed names it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NewServer {
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
    /// The slug of its game.
    pub game_slug: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When its owner last changed it.
    pub updated_at: DateTime<Utc>,
}

impl NewServer {
    /// When what is told of it last changed; never before it was added.
    pub fn changed_at(&self) -> DateTime<Utc> {
        self.updated_at.max(self.created_at)
    }
}
