//! A vote, as it was counted and as it is found again.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A vote that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CountedVote {
    pub id: Uuid,
    pub voted_at: DateTime<Utc>,
    pub next_vote_at: DateTime<Utc>,
    pub total_votes: i32,
    pub monthly_votes: i32,
}

/// A vote within the cooldown, as far as the asker may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundVote {
    /// In plain text.
    pub server_name: String,
    /// `None` when asked by the public id, unless the owner opened it.
    pub username: Option<String>,
    pub voted_at: DateTime<Utc>,
    pub next_vote_at: DateTime<Utc>,
    /// Whether the voter was signed in.
    pub is_connected: bool,
    /// Whether the server has an active Prestige.
    pub is_subscriber: bool,
}

/// Whose votes there are too many of, for any process to take one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteLimit {
    /// Of an address, for all servers.
    Address,
    /// Of a network, for one server.
    Network,
    /// Of everybody, for one server.
    Server,
}

/// What is known of a player's reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RewardClaim {
    /// There is no vote to reward.
    NoVote,
    /// A vote waits for it.
    Open,
    /// It is given with this answer, and with no other.
    Taken,
    /// It was given before.
    Claimed,
}
