//! The topics of this process: who is in them, what is said there, who is present.
//!
//! A topic is public or private; both may exist with one name and know nothing of each
//! other. The lock of the topics is taken before that of a topic; the queues of sockets come last.

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
    /// Whole, with `realtime:`.
    pub topic: Arc<str>,
    pub is_private: bool,
}

/// Who is in a topic, as a number nobody else has.
pub(crate) type MemberId = u64;

/// All topics of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hub(Arc<Inner>);

struct Inner {
    topics: Mutex<HashMap<TopicKey, Arc<Topic>>>,
    members: AtomicU64,
    /// To the other processes.
    relay: RelayQueue,
    presences: Arc<PresenceQuota>,
}

impl Hub {
    /// Without topics; what happens in one is told to the other processes through `relay`.
    pub fn new(relay: RelayQueue, limits: PresenceLimits) -> Self {
        let (topics, members) = (Mutex::default(), AtomicU64::new(0));
        let presences = Arc::new(PresenceQuota::new(limits));
        Self(Arc::new(Inner { topics, members, relay, presences }))
    }

    /// Enters a topic, and tells by whom it may be left again. What `entrance` gives is sent before
    /// anything that happens in the topic from now on.
    pub fn enter(&self, name: &TopicKey, member: Member, entrance: &Entrance<'_>) -> Membership {
        let id = self.0.members.fetch_add(1, Ordering::Relaxed);
        let mut topics = self.topics();
        let topic = topics.entry(name.clone()).or_insert_with(|| self.new_topic(name));
        // Entered under the lock of the topics, so that no empty topic is removed meanwhile.
        topic.enter(id, member, entrance);
        Membership::new(self.clone(), Arc::clone(topic), id)
    }

    /// Says something to everybody in a topic but one, in all processes; gives to how many of this
    /// one. It counts for `memory` until the last of them has read it.
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

    /// Says something to everybody of this process in a topic: what came from another process, or
    /// from the database, where every process reads for itself.
    pub fn deliver(&self, name: &TopicKey, broadcast: &Broadcast) -> usize {
        self.topic(name).map_or(0, |topic| topic.broadcast(broadcast, None, None))
    }

    /// Takes over what became of presences in another process.
    pub fn merge_presences(&self, name: &TopicKey, node: Uuid, diff: PresenceDiff) {
        let mut topics = self.topics();
        let topic = topics.entry(name.clone()).or_insert_with(|| self.new_topic(name));
        topic.merge(node, diff);
        self.forget_if_empty(topics, name);
    }

    /// Makes the presences of another process those of `states`, in every topic.
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

    /// The presences that members of this process have, by topic.
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
