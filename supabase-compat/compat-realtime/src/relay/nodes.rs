//! The other processes: when each was last heard, and the parts of its state so far.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::message::TopicPresences;
use crate::hub::{Presence, TopicKey};

/// The processes that are known to live.
pub(super) struct Nodes {
    last_seen: HashMap<Uuid, Instant>,
    timeout: Duration,
    /// States of which parts are still missing.
    partial: HashMap<Uuid, PartialState>,
}

struct PartialState {
    presences: HashMap<TopicKey, Vec<Presence>>,
    /// The index of the next part.
    next: u32,
}

impl Nodes {
    /// An empty list. A process that is silent for longer than `timeout` counts as dead.
    pub fn new(timeout: Duration) -> Self {
        Self { last_seen: HashMap::new(), timeout, partial: HashMap::new() }
    }

    /// Records a sign of life; returns whether the process is new.
    pub fn note_alive(&mut self, node: Uuid) -> bool {
        self.last_seen.insert(node, Instant::now()).is_none()
    }

    pub fn remove(&mut self, node: &Uuid) {
        self.last_seen.remove(node);
        self.partial.remove(node);
    }

    /// Adds a part of a node's state; returns the state once it is complete. A state with a missing
    /// part is dropped: another one follows when notifications arrive again.
    pub fn collect(
        &mut self,
        node: Uuid,
        topics: TopicPresences,
        part: u32,
        has_more: bool,
    ) -> Option<HashMap<TopicKey, Vec<Presence>>> {
        let partial = self.partial.remove(&node).filter(|partial| partial.next == part);
        let mut presences = match partial {
            Some(partial) => partial.presences,
            None if part == 0 => HashMap::new(),
            None => return None,
        };
        for (topic, more) in topics {
            presences.entry(topic.key()).or_default().extend(more);
        }
        if !has_more {
            return Some(presences);
        }
        self.partial.insert(node, PartialState { presences, next: part.saturating_add(1) });
        None
    }

    /// Restarts all timeouts: no process could be heard until now, so none was silent.
    pub fn restart_timeouts(&mut self) {
        self.last_seen.values_mut().for_each(|last_seen| *last_seen = Instant::now());
    }

    /// Removes the processes that timed out; returns them.
    pub fn remove_silent(&mut self) -> Vec<Uuid> {
        let dead = |seen: &Instant| seen.elapsed() > self.timeout;
        let nodes: Vec<Uuid> =
            self.last_seen.iter().filter(|(_, seen)| dead(seen)).map(|(node, _)| *node).collect();
        nodes.iter().for_each(|node| self.remove(node));
        nodes
    }

    pub fn is_empty(&self) -> bool {
        self.last_seen.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_whole_with_its_last_part() {
        let mut nodes = Nodes::new(Duration::from_secs(9));
        let node = Uuid::from_u128(1);
        let key = TopicKey { topic: "realtime:a".into(), is_private: false };
        let topics = |reference: &str| {
            let (name, meta) = ("k".into(), "{}".into());
            let presence = Presence { key: name, reference: reference.into(), meta };
            vec![(key.clone().into(), vec![presence])]
        };
        assert_eq!(nodes.collect(node, topics("1"), 0, true), None);
        assert_eq!(nodes.collect(node, topics("2"), 1, true), None);
        let state = nodes.collect(node, topics("3"), 2, false).unwrap();
        assert_eq!(state[&key].len(), 3);
        // A part out of sequence, and parts of a state that was restarted.
        assert_eq!(nodes.collect(node, topics("1"), 0, true), None);
        assert_eq!(nodes.collect(node, topics("3"), 2, false), None);
        assert_eq!(nodes.collect(node, topics("4"), 1, false), None);
        assert_eq!(nodes.collect(node, topics("5"), 0, false).unwrap()[&key].len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn silent_process_is_forgotten_after_its_patience() {
        let mut nodes = Nodes::new(Duration::from_secs(9));
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(nodes.note_alive(one) && nodes.note_alive(two) && !nodes.note_alive(one));
        tokio::time::advance(Duration::from_secs(6)).await;
        nodes.note_alive(two);
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(nodes.remove_silent(), [one]);
        nodes.restart_timeouts();
        assert!(nodes.remove_silent().is_empty() && !nodes.is_empty());
    }
}
