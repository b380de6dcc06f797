//! Settings of realtime/v1, as plain values.

use std::time::Duration;

use crate::byte_quota::ByteLimits;
use crate::hub::PresenceLimits;
use crate::send_queue::QueueLimits;

/// Every setting of realtime/v1. Each process counts limits for itself.
#[derive(Debug, Clone)]
pub struct Config {
    /// `TENANT_MAX_CONCURRENT_USERS`: sockets of one process.
    pub max_sockets: usize,
    /// `REALTIME_MAX_SOCKETS_PER_ADDRESS`: sockets of one address, or of one /64 of IPv6.
    pub max_sockets_per_address: usize,
    /// `TENANT_MAX_CHANNELS_PER_CLIENT`: channels of one socket.
    pub max_channels_per_socket: usize,
    /// `TENANT_MAX_EVENTS_PER_SECOND`: broadcasts of one socket, and of one address over REST.
    pub max_events_per_second: u32,
    /// `TENANT_MAX_BYTES_PER_SECOND`: bytes of frames of one socket.
    pub max_bytes_per_second: u32,
    /// `REALTIME_MAX_FRAMES_PER_SECOND`: frames of one socket, apart from its broadcasts.
    pub max_frames_per_second: u32,
    /// `TENANT_MAX_JOINS_PER_SECOND`: joins of one socket.
    pub max_joins_per_second: u32,
    /// `REALTIME_MAX_PRESENCE_EVENTS_PER_SECOND`: tracks and untracks of one process.
    pub max_presence_events_per_second: u32,
    /// `REALTIME_CLIENT_PRESENCE_MAX_CALLS`: tracks and untracks of one channel of a socket within
    /// `client_presence_window`.
    pub client_presence_calls: u32,
    /// `REALTIME_CLIENT_PRESENCE_WINDOW_MS`.
    pub client_presence_window: Duration,
    /// `REALTIME_MAX_PAYLOAD_SIZE_KB`: kilobytes of one payload.
    pub max_payload_kilobytes: usize,
    /// `REALTIME_MAX_PRESENCE_SIZE_KB`: kilobytes of the presence of one member.
    pub max_presence_kilobytes: usize,
    /// `REALTIME_MAX_CHANNEL_PRESENCE_SIZE_KB`: kilobytes of the presences of all members of a
    /// channel, in all processes.
    pub max_channel_presence_kilobytes: usize,
    /// `REALTIME_MAX_TOTAL_PRESENCE_SIZE_KB`: kilobytes of the presences of all members of one
    /// process.
    pub max_total_presence_kilobytes: usize,
    /// `REALTIME_MAX_PENDING_SIZE_KB`: kilobytes of long joins, of messages that wait while their
    /// channel is busy, and of messages that have arrived in part, of all clients of one process.
    pub max_pending_kilobytes: usize,
    /// `REALTIME_MAX_UNREAD_SIZE_KB`: kilobytes that wait to be read by the sockets of one process,
    /// beyond the first of each. A broadcast to many sockets counts once, for its sender.
    pub max_unread_kilobytes: usize,
    /// `REALTIME_PRIVATE_ONLY`: whether public channels are refused.
    pub private_only: bool,
    /// `REALTIME_PRESENCE_ENABLED`: whether presence is on for every channel, even if the join does
    /// not ask for it.
    pub presence_enabled: bool,
    /// `REALTIME_BROADCAST_PERSISTENCE`: whether a broadcast is stored if its sender asks for that
    /// and has the right to.
    pub stores_broadcasts: bool,
    /// `REALTIME_SUSPEND`: whether new sockets are refused.
    pub suspended: bool,
    /// `REALTIME_HEARTBEAT_TIMEOUT_MS`: how long a socket may stay silent.
    pub silence_timeout: Duration,
    /// `NO_CHANNEL_TIMEOUT_IN_MS`: how long a socket may have no channel.
    pub no_channel_timeout: Duration,
    /// `CONNECT_ERROR_BACKOFF_MS`: how long the refusal of a socket is held back.
    pub connect_backoff: Duration,
    /// `CHANNEL_ERROR_BACKOFF_MS`: how long the refusal of a join is held back.
    pub join_backoff: Duration,
    /// `REALTIME_TOKEN_CHECK_MS`: the longest time between two checks of a channel's token.
    pub token_check: Duration,
    /// `REALTIME_RIGHTS_TTL_MS`: how long the right to read a private channel is cached for later
    /// joins; zero turns the cache off.
    pub rights_ttl: Duration,
    /// `REALTIME_SEND_TIMEOUT_MS`: how long a client may leave a frame unread.
    pub send_timeout: Duration,
    /// `REALTIME_QUEUE_FRAMES`: frames that may wait for one socket.
    pub queue_frames: usize,
    /// `REALTIME_QUEUE_BYTES`: bytes that may wait for one socket.
    pub queue_bytes: usize,
    /// `REALTIME_NODE_HEARTBEAT_MS`: how often a process sends a heartbeat to the others. A process
    /// that is silent for three times as long counts as dead.
    pub node_heartbeat: Duration,
    /// `REALTIME_STREAM_GRACE_MS`: how long the replication stream stays open after the last
    /// subscription ends.
    pub stream_grace: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_sockets: 10_000,
            max_sockets_per_address: 1_000,
            max_channels_per_socket: 100,
            max_events_per_second: 100,
            max_bytes_per_second: 10_000_000,
            max_frames_per_second: 10_000,
            max_joins_per_second: 100,
            max_presence_events_per_second: 1_000,
            client_presence_calls: 5,
            client_presence_window: Duration::from_secs(30),
            max_payload_kilobytes: 3_000,
            max_presence_kilobytes: 100,
            max_channel_presence_kilobytes: 8_000,
            max_total_presence_kilobytes: 256_000,
            max_pending_kilobytes: 256_000,
            max_unread_kilobytes: 256_000,
            private_only: false,
            presence_enabled: false,
            stores_broadcasts: false,
            suspended: false,
            silence_timeout: Duration::from_secs(60),
            no_channel_timeout: Duration::from_secs(10 * 60),
            connect_backoff: Duration::from_millis(200),
            join_backoff: Duration::from_millis(500),
            token_check: Duration::from_secs(5 * 60),
            rights_ttl: Duration::from_secs(5),
            send_timeout: Duration::from_secs(15),
            queue_frames: 4_096,
            queue_bytes: 8 << 20,
            node_heartbeat: Duration::from_secs(3),
            stream_grace: Duration::from_secs(10),
        }
    }
}

impl Config {
    /// Bytes of the largest payload: the limit, plus what the original adds for the rest of a
    /// message.
    pub(crate) fn max_payload(&self) -> usize {
        self.max_payload_kilobytes * 1000 + 500
    }

    /// Bytes of the longest payload of a track.
    pub(crate) fn max_presence(&self) -> usize {
        self.max_presence_kilobytes * 1000
    }

    /// One client may use a quarter of a topic's bytes and of the process's; one presence of the
    /// largest size always fits.
    pub(crate) fn presence_limits(&self) -> PresenceLimits {
        let shared = |kilobytes| ByteLimits::shared(kilobytes * 1000, self.max_presence());
        PresenceLimits {
            topic: shared(self.max_channel_presence_kilobytes),
            process: shared(self.max_total_presence_kilobytes),
        }
    }

    /// One client may use a quarter of the limit; one message of the largest size always fits.
    pub(crate) fn pending_limits(&self) -> ByteLimits {
        ByteLimits::shared(self.max_pending_kilobytes * 1000, self.max_payload())
    }

    /// The sockets of one client may use a quarter of the limit; one message of the largest size
    /// always fits.
    pub(crate) fn unread_limits(&self) -> ByteLimits {
        ByteLimits::shared(self.max_unread_kilobytes * 1000, self.max_payload())
    }

    pub(crate) fn queue_limits(&self) -> QueueLimits {
        QueueLimits { frames: self.queue_frames, bytes: self.queue_bytes }
    }
}
