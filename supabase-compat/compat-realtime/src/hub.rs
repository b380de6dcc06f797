//! The topics of this process, with their members, broadcasts and presences.
//!
//! A topic is public or private; a public and a private topic of the same name are independent of
//! each other. Locks are taken in this order: the map of topics, a topic, the queues of sockets.

mod broadcast;
mod presence;
mod topic;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

pub(crate) use broadcast::Broadcast;
use presence::PresenceQuota;
pub(crate) use presence::{Presence, PresenceDiff, PresenceLimits};
use topic::Topic;
pub(crate) use topic::{Entrance, Member, Membership, TrackRefusal};

use crate::byte_quota::BytePermit;
use crate::relay::RelayQueue;

/// The name of a topic.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TopicKey {
    /// The full topic, with `realtime:`.
    pub topic: Arc<str>,
    pub is_private: bool,
}

/// The unique number of a member of a topic.
pub(crate) type MemberId = u64;

/// All topics of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hub(Arc<Inner>);

struct Inner {
    topics: Mutex<HashMap<TopicKey, Arc<Topic>>>,
    members: AtomicU64,
    /// The queue of messages to the other processes.
    relay: RelayQueue,
    presences: Arc<PresenceQuota>,
}

impl Hub {
    /// A hub without topics, which sends events to the other processes through `relay`.
    pub fn new(relay: RelayQueue, limits: PresenceLimits) -> Self {
        let (topics, members) = (Mutex::default(), AtomicU64::new(0));
        let presences = Arc::new(PresenceQuota::new(limits));
        Self(Arc::new(Inner { topics, members, relay, presences }))
    }

    /// Adds a member to a topic; dropping the returned membership removes it again. The frames of
    /// `entrance` are sent before anything that happens in the topic from now on.
    pub fn enter(&self, name: &TopicKey, member: Member, entrance: &Entrance<'_>) -> Membership {
        let id = self.0.members.fetch_add(1, Ordering::Relaxed);
        let mut topics = self.topics();
        let topic = topics.entry(name.clone()).or_insert_with(|| self.new_topic(name));
        // The map stays locked, so that the topic is not removed as empty meanwhile.
        topic.enter(id, member, entrance);
        Membership::new(self.clone(), Arc::clone(topic), id)
    }

    /// Broadcasts to all members of a topic, in all processes, except for `except`; returns how
    /// many members of this process receive it. The bytes count for `memory` until the last member
    /// has read them.
    pub fn broadcast(
        &self,
        name: &TopicKey,
        broadcast: Broadcast,
        except: Option<MemberId>,
        memory: &Arc<BytePermit>,
    ) -> usize {
        let topic = self.topic(name);
        let receivers = topic.map_or(0, |topic| topic.broadcast(&broadcast, except, Some(memory)));
        self.0.relay.broadcast(name, broadcast);
        receivers
    }

    /// Delivers a broadcast to the members of this process only: it came from another process, or
    /// from the database, which every process reads for itself.
    pub fn deliver(&self, name: &TopicKey, broadcast: &Broadcast) -> usize {
        self.topic(name).map_or(0, |topic| topic.broadcast(broadcast, None, None))
    }

    /// Applies a change of another process's presences.
    pub fn merge_presences(&self, name: &TopicKey, node: Uuid, diff: PresenceDiff) {
        let mut topics = self.topics();
        let topic = topics.entry(name.clone()).or_insert_with(|| self.new_topic(name));
        topic.merge(node, diff);
        self.forget_if_empty(topics, name);
    }

    /// Replaces the presences of another process by `states`, in every topic.
    pub fn replace_presences(&self, node: Uuid, states: HashMap<TopicKey, Vec<Presence>>) {
        let known: Vec<TopicKey> = self.topics().keys().cloned().collect();
        for name in known.into_iter().filter(|name| !states.contains_key(name)) {
            self.replace(&name, node, Vec::new());
        }
        for (name, presences) in states {
            self.replace(&name, node, presences);
        }
    }

    fn replace(&self, name: &TopicKey, node: Uuid, presences: Vec<Presence>) {
        let mut topics = self.topics();
        let topic = topics.entry(name.clone()).or_insert_with(|| self.new_topic(name));
        topic.replace(node, presences);
        self.forget_if_empty(topics, name);
    }

    /// The presences of this process's members, by topic.
    pub fn local_presences(&self) -> Vec<(TopicKey, Vec<Presence>)> {
        let topics: Vec<Arc<Topic>> = self.topics().values().cloned().collect();
        let states = topics.iter().map(|topic| (topic.name.clone(), topic.local_presences()));
        states.filter(|(_, presences)| !presences.is_empty()).collect()
    }

    /// How many topics there are.
    pub fn count(&self) -> usize {
        self.topics().len()
    }

    fn new_topic(&self, name: &TopicKey) -> Arc<Topic> {
        Arc::new(Topic::new(name.clone(), Arc::clone(&self.0.presences)))
    }

    fn topic(&self, name: &TopicKey) -> Option<Arc<Topic>> {
        self.topics().get(name).cloned()
    }

    fn leave(&self, name: &TopicKey, id: MemberId) {
        let topics = self.topics();
        let diff = topics.get(name).map(|topic| topic.leave(id)).unwrap_or_default();
        self.forget_if_empty(topics, name);
        self.0.relay.presences(name, &diff);
    }

    fn relay_diff(&self, name: &TopicKey, diff: &PresenceDiff) {
        self.0.relay.presences(name, diff);
    }

    fn forget_if_empty(
        &self,
        mut topics: MutexGuard<'_, HashMap<TopicKey, Arc<Topic>>>,
        name: &TopicKey,
    ) {
        if topics.get(name).is_some_and(|topic| topic.is_empty()) {
            topics.remove(name);
        }
    }

    fn topics(&self) -> MutexGuard<'_, HashMap<TopicKey, Arc<Topic>>> {
        self.0.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
