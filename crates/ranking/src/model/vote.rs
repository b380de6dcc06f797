//! A counted vote, and the vote that a look-up finds.

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

/// A vote within the cooldown, with only what the caller may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundVote {
    /// In plain text.
    pub server_name: String,
    /// `None` when the caller used the public id, unless the owner made the names public.
    pub username: Option<String>,
    pub voted_at: DateTime<Utc>,
    pub next_vote_at: DateTime<Utc>,
    /// Whether the voter was signed in.
    pub is_connected: bool,
    /// Whether the server has an active Prestige.
    pub is_subscriber: bool,
}

/// A vote limit that all processes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteLimit {
    /// The votes of an address for all servers.
    Address,
    /// The votes of a network for one server.
    Network,
    /// All votes for one server.
    Server,
}

/// The state of a player's reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RewardClaim {
    /// There is no vote to reward.
    NoVote,
    /// A vote has an unclaimed reward.
    Open,
    /// This request claimed the reward; no other request can.
    Taken,
    /// The reward was claimed before.
    Claimed,
}
