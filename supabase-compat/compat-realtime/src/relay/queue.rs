//! The queue of messages to the other processes, bounded in bytes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::message::RelayMessage;
use crate::hub::{Broadcast, PresenceDiff, TopicKey};

/// The most bytes that may wait. Beyond them, broadcasts are dropped, and changes of presences are
/// replaced by one full state.
const KEPT: usize = 16 << 20;

/// The messages that wait for one batch. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct RelayQueue(Arc<Inner>);

struct Inner {
    waiting: Mutex<QueueContents>,
    arrival: Notify,
    is_alone: AtomicBool,
    dropped: AtomicU64,
}

#[derive(Default)]
struct QueueContents {
    messages: VecDeque<RelayMessage>,
    bytes: usize,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
            arrival: Notify::new(),
            is_alone: AtomicBool::new(true),
            dropped: AtomicU64::new(0),
        }
    }
}

impl RelayQueue {
    /// Queues a broadcast, if another process is known.
    pub fn broadcast(&self, name: &TopicKey, broadcast: Broadcast) {
        if !self.is_alone() {
            let (topic, broadcast) = (name.clone().into(), broadcast.into());
            self.push(RelayMessage::Broadcast { topic, broadcast });
        }
    }

    /// Queues a change of presences, if another process is known.
    pub fn presences(&self, name: &TopicKey, diff: &PresenceDiff) {
        if !self.is_alone() && !diff.is_empty() {
            let (topic, diff) = (name.clone().into(), diff.clone());
            self.push(RelayMessage::Presences { topic, diff });
        }
    }

    /// Whether no other process is known.
    pub fn is_alone(&self) -> bool {
        self.0.is_alone.load(Ordering::Relaxed)
    }

    pub(super) fn set_alone(&self, is_alone: bool) {
        self.0.is_alone.store(is_alone, Ordering::Relaxed);
    }

    pub(super) fn push(&self, message: RelayMessage) {
        let mut waiting = self.waiting();
        let is_full = waiting.bytes + message.weight() > KEPT;
        let message = match message {
            RelayMessage::Broadcast { .. } if is_full => {
                self.0.dropped.fetch_add(1, Ordering::Relaxed);
                return;
            }
            RelayMessage::Presences { .. } if is_full => RelayMessage::state(),
            other => other,
        };
        if matches!(message, RelayMessage::State { .. }) {
            // A state is filled in when it is sent, so one is as good as several.
            waiting.messages.retain(|other| !matches!(other, RelayMessage::State { .. }));
        }
        waiting.bytes += message.weight();
        waiting.messages.push_back(message);
        drop(waiting);
        self.0.arrival.notify_one();
    }

    /// Waits until a message is queued.
    pub(super) async fn ready(&self) {
        loop {
            let arrival = self.0.arrival.notified();
            if !self.waiting().messages.is_empty() {
                return;
            }
            arrival.await;
        }
    }

    /// Takes messages from the front of the queue, of about `bytes` at most.
    pub(super) fn take(&self, bytes: usize) -> Vec<RelayMessage> {
        let mut waiting = self.waiting();
        let (mut batch, mut weight) = (Vec::new(), 0);
        while weight < bytes
            && let Some(message) = waiting.messages.pop_front()
        {
            weight += message.weight();
            batch.push(message);
        }
        waiting.bytes = waiting.bytes.saturating_sub(weight);
        if waiting.messages.is_empty() {
            // States that were merged into one had each been counted.
            waiting.bytes = 0;
        }
        batch
    }

    /// Drops all waiting messages, and counts the broadcasts among them.
    pub(super) fn lose(&self) {
        let dropped = std::mem::take(&mut *self.waiting());
        let is_broadcast = |one: &&RelayMessage| matches!(one, RelayMessage::Broadcast { .. });
        let broadcasts = dropped.messages.iter().filter(is_broadcast).count();
        self.0.dropped.fetch_add(broadcasts as u64, Ordering::Relaxed);
    }

    /// The number of broadcasts that were not sent to other processes, because the queue was full
    /// or the database was unavailable.
    pub fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    fn waiting(&self) -> MutexGuard<'_, QueueContents> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::hub::Presence;

    use super::*;

    #[test]
    fn process_that_is_alone_collects_nothing() {
        let queue = RelayQueue::default();
        let topic = TopicKey { topic: "realtime:a".into(), is_private: false };
        queue.broadcast(&topic, Broadcast::Text("{}".into()));
        assert!(queue.take(100).is_empty());
        queue.set_alone(false);
        queue.broadcast(&topic, Broadcast::Text("{}".into()));
        assert_eq!(queue.take(100).len(), 1);
    }

    #[test]
    fn states_that_wait_become_one() {
        let queue = RelayQueue::default();
        for _ in 0..3 {
            queue.push(RelayMessage::state());
        }
        queue.push(RelayMessage::Alive);
        assert_eq!(queue.take(1000).len(), 2);
    }

    #[test]
    fn presences_beyond_the_bound_become_one_state() {
        let queue = RelayQueue::default();
        queue.set_alone(false);
        let topic = TopicKey { topic: "realtime:a".into(), is_private: false };
        let meta = " ".repeat(KEPT / 2);
        let presence =
            || Presence { key: "a".into(), reference: "b".into(), meta: meta.as_str().into() };
        for _ in 0..4 {
            let diff = PresenceDiff { joins: vec![presence()], leaves: Vec::new() };
            queue.presences(&topic, &diff);
        }
        let batch = queue.take(usize::MAX);
        assert_eq!(batch.len(), 2);
        assert!(matches!(batch[1], RelayMessage::State { .. }));
    }

    #[test]
    fn broadcasts_beyond_the_bound_are_dropped_and_counted() {
        let queue = RelayQueue::default();
        queue.set_alone(false);
        let topic = TopicKey { topic: "realtime:a".into(), is_private: false };
        let long: Box<str> = " ".repeat(KEPT / 2).into();
        for _ in 0..3 {
            queue.broadcast(&topic, Broadcast::Text(long.clone()));
        }
        assert_eq!(queue.dropped(), 2);
    }
}
