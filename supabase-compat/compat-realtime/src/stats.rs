//! Counters for the metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio_tungstenite::tungstenite::Message;

use crate::state::State;

/// Counts since the start. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stats(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    joins: AtomicU64,
    refused_joins: AtomicU64,
    broadcasts: AtomicU64,
    deliveries: AtomicU64,
    presence_events: AtomicU64,
    changes: AtomicU64,
    slow_readers: AtomicU64,
    input_bytes: AtomicU64,
    output_bytes: AtomicU64,
}

/// A snapshot of the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RealtimeCounts {
    /// Open sockets, and the limit of them.
    pub sockets: usize,
    /// See `sockets`.
    pub max_sockets: usize,
    /// Channels with at least one member; a public and a private channel of one name count as two.
    pub channels: usize,
    /// Requested joins.
    pub joins: u64,
    /// Refused joins.
    pub refused_joins: u64,
    /// Accepted broadcasts, from sockets and over REST.
    pub broadcasts: u64,
    /// Broadcasts handed to sockets of this process.
    pub deliveries: u64,
    /// Tracks and untracks.
    pub presence_events: u64,
    /// Changes of tables handed to sockets.
    pub changes: u64,
    /// The limits per second of a socket's broadcasts and joins.
    pub max_events_per_second: u32,
    /// See `max_events_per_second`.
    pub max_joins_per_second: u32,
    /// Sockets closed because their clients read too slowly.
    pub slow_readers: u64,
    /// Broadcasts that could not be sent to other processes.
    pub dropped_relays: u64,
    /// Bytes of payloads received.
    pub input_bytes: u64,
    /// Bytes of payloads sent.
    pub output_bytes: u64,
}

impl Stats {
    pub fn join(&self) {
        self.0.joins.fetch_add(1, Relaxed);
    }

    pub fn join_refused(&self) {
        self.0.refused_joins.fetch_add(1, Relaxed);
    }

    pub fn broadcast(&self, receivers: usize) {
        self.0.broadcasts.fetch_add(1, Relaxed);
        self.0.deliveries.fetch_add(receivers as u64, Relaxed);
    }

    pub fn presence(&self) {
        self.0.presence_events.fetch_add(1, Relaxed);
    }

    pub fn changes(&self, count: usize) {
        self.0.changes.fetch_add(count as u64, Relaxed);
    }

    pub fn slow_reader(&self) {
        self.0.slow_readers.fetch_add(1, Relaxed);
    }

    pub fn received(&self, frame: &Message) {
        self.0.input_bytes.fetch_add(length(frame), Relaxed);
    }

    pub fn sent(&self, frame: &Message) {
        self.0.output_bytes.fetch_add(length(frame), Relaxed);
    }
}

impl State {
    /// A snapshot of the counters.
    pub fn counts(&self) -> RealtimeCounts {
        let counters = &self.stats.0;
        let read = |counter: &AtomicU64| counter.load(Relaxed);
        RealtimeCounts {
            sockets: self.sockets.count(),
            max_sockets: self.config.max_sockets,
            channels: self.hub.count(),
            joins: read(&counters.joins),
            refused_joins: read(&counters.refused_joins),
            broadcasts: read(&counters.broadcasts),
            deliveries: read(&counters.deliveries),
            presence_events: read(&counters.presence_events),
            changes: read(&counters.changes),
            max_events_per_second: self.config.max_events_per_second,
            max_joins_per_second: self.config.max_joins_per_second,
            slow_readers: read(&counters.slow_readers),
            dropped_relays: self.relay.dropped(),
            input_bytes: read(&counters.input_bytes),
            output_bytes: read(&counters.output_bytes),
        }
    }
}

fn length(frame: &Message) -> u64 {
    let length = match frame {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) => bytes.len(),
        _ => 0,
    };
    length as u64
}
