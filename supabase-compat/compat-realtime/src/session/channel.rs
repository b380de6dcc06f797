//! A channel that a socket has joined or is joining.

use std::collections::VecDeque;
use std::sync::Arc;

use super::join_config::JoinConfig;
use super::rate::RateWindow;
use super::token::SocketToken;
use crate::byte_quota::BytePermit;
use crate::changes::{ChangesSender, ChangesSubscription, StreamHold};
use crate::hub::Membership;
use crate::protocol::{ClientMessage, Reference};

/// The state of one topic for a socket.
#[derive(Default)]
pub(super) struct Slot {
    pub channel: Option<Channel>,
    /// Messages that arrived while the topic was busy, oldest first.
    pub backlog: VecDeque<ClientMessage>,
    is_busy: bool,
}

impl Slot {
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Marks the topic as busy.
    pub fn begin(&mut self) {
        self.is_busy = true;
    }

    /// Marks the topic as no longer busy.
    pub fn end(&mut self) {
        self.is_busy = false;
    }
}

/// A joined channel.
pub(super) struct Channel {
    pub join_ref: Reference,
    pub config: JoinConfig,
    pub token: SocketToken,
    pub rights: Rights,
    pub membership: Membership,
    pub presence_key: Arc<str>,
    pub presence_calls: RateWindow,
    pub changes: Option<ChangesSubscription>,
    pub changes_sender: ChangesSender,
    /// Keeps the stream open, through which broadcasts from the database come.
    pub _stream: StreamHold,
    /// The permit for the bytes of a long join.
    pub _memory: BytePermit,
}

/// What row security allows the token of a channel. A public channel allows everything but storing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rights {
    /// `None` if the right has not been queried yet.
    pub reads_presence: Option<bool>,
    /// See `reads_presence`.
    pub writes_broadcast: Option<bool>,
    /// See `reads_presence`.
    pub writes_presence: Option<bool>,
    /// Whether the token's broadcasts may be stored. See `reads_presence`.
    pub stores_broadcasts: Option<bool>,
}

impl Rights {
    /// The rights in a public channel.
    pub const ALL: Self = Self {
        reads_presence: Some(true),
        writes_broadcast: Some(true),
        writes_presence: Some(true),
        // Only private channels store broadcasts.
        stores_broadcasts: Some(false),
    };

    /// The rights of a caller that may read a private channel; the other rights are queried later.
    pub fn reading(reads_presence: Option<bool>) -> Self {
        Self {
            reads_presence,
            writes_broadcast: None,
            writes_presence: None,
            stores_broadcasts: None,
        }
    }
}
