//! A channel that a socket has joined, or is about to.

use std::collections::VecDeque;
use std::sync::Arc;

use super::join_config::JoinConfig;
use super::rate::RateWindow;
use super::token::SocketToken;
use crate::byte_quota::BytePermit;
use crate::changes::{ChangesSender, ChangesSubscription, StreamHold};
use crate::hub::Membership;
use crate::protocol::{ClientMessage, Reference};

/// What a socket has under one topic.
#[derive(Default)]
pub(super) struct Slot {
    pub channel: Option<Channel>,
    /// What came while something was under way, oldest first.
    pub backlog: VecDeque<ClientMessage>,
    is_busy: bool,
}

impl Slot {
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Marks that something is under way.
    pub fn begin(&mut self) {
        self.is_busy = true;
    }

    /// Marks that nothing is under way.
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
    /// Broadcasts from the database come while it is held.
    pub _stream: StreamHold,
    /// The bytes of a long join.
    pub _memory: BytePermit,
}

/// What row security lets the token of a channel do. A public channel lets everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rights {
    /// None where nobody has asked yet.
    pub reads_presence: Option<bool>,
    /// See `reads_presence`.
    pub writes_broadcast: Option<bool>,
    /// See `reads_presence`.
    pub writes_presence: Option<bool>,
    /// Whether its broadcasts may be stored. See `reads_presence`.
    pub stores_broadcasts: Option<bool>,
}

impl Rights {
    /// Those in a public channel.
    pub const ALL: Self = Self {
        reads_presence: Some(true),
        writes_broadcast: Some(true),
        writes_presence: Some(true),
        // The past is that of private channels.
        stores_broadcasts: Some(false),
    };

    /// Those of somebody who may read a private channel, and of whom no more is known.
    pub fn reading(reads_presence: Option<bool>) -> Self {
        Self {
            reads_presence,
            writes_broadcast: None,
            writes_presence: None,
            stores_broadcasts: None,
        }
    }
}
