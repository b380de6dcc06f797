//! One topic of this process, with its members and presences.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use super::broadcast::{BroadcastFrames, encode};
use super::presence::{Presence, PresenceDiff, PresenceQuota, Presences, meta};
use super::{Broadcast, Hub, MemberId, TopicKey};
use crate::byte_quota::BytePermit;
use crate::protocol::{Reference, Version, text};
use crate::send_queue::SendQueue;

/// A socket in a topic.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub queue: SendQueue,
    /// The client's address, for its share of the presence quota.
    pub address: IpAddr,
    pub version: Version,
    pub join_ref: Reference,
    /// Whether the member receives presence events.
    pub receives_presence: bool,
    /// Ids of the broadcasts that were replayed to the member.
    pub replayed: HashSet<Box<str>>,
}

/// What a socket is sent when it joins.
pub(crate) struct Entrance<'a> {
    /// The reply to the join.
    pub reply: Message,
    /// Whether the present members are sent.
    pub with_presences: bool,
    /// The replayed broadcasts of the topic, oldest first.
    pub past: &'a [Broadcast],
}

/// Why a presence is not tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrackRefusal {
    /// The payload is nested too deeply, or has an unpaired surrogate.
    Unreadable,
    /// The presences of the topic, of the process or of the client would exceed a limit.
    TooMuch,
}

/// See [`super::Hub`].
pub(super) struct Topic {
    pub name: TopicKey,
    state: Mutex<TopicState>,
}

struct TopicState {
    members: HashMap<MemberId, Member>,
    presences: Presences,
}

impl Topic {
    pub(super) fn new(name: TopicKey, quota: Arc<PresenceQuota>) -> Self {
        let state = TopicState { members: HashMap::new(), presences: Presences::new(quota) };
        Self { name, state: Mutex::new(state) }
    }

    pub(super) fn enter(&self, id: MemberId, member: Member, entrance: &Entrance<'_>) {
        let mut state = self.state();
        member.queue.push(entrance.reply.clone());
        if entrance.with_presences {
            self.send_presences(&state, &member);
        }
        for broadcast in entrance.past {
            let frame = encode(member.version, &self.name.topic, &member.join_ref, broadcast);
            if let Some(frame) = frame {
                member.queue.push(frame);
            }
        }
        state.members.insert(id, member);
    }

    pub(super) fn leave(&self, id: MemberId) -> PresenceDiff {
        let mut state = self.state();
        state.members.remove(&id);
        let diff = state.presences.untrack(id);
        self.announce(&state, &diff);
        diff
    }

    pub(super) fn broadcast(
        &self,
        broadcast: &Broadcast,
        except: Option<MemberId>,
        memory: Option<&Arc<BytePermit>>,
    ) -> usize {
        let frames = BroadcastFrames::new(broadcast, &self.name.topic, memory);
        let id = broadcast.id();
        let state = self.state();
        let mut receivers = 0;
        for (member_id, member) in &state.members {
            let knows = id.as_ref().is_some_and(|id| member.replayed.contains(&**id));
            if Some(*member_id) == except || knows {
                continue;
            }
            if let Some(frame) = frames.frame(member.version) {
                receivers += usize::from(member.queue.push_shared(frame));
            }
        }
        receivers
    }

    pub(super) fn merge(&self, node: Uuid, diff: PresenceDiff) {
        let mut state = self.state();
        let diff = state.presences.merge(node, diff);
        self.announce(&state, &diff);
    }

    pub(super) fn replace(&self, node: Uuid, presences: Vec<Presence>) {
        let mut state = self.state();
        let diff = state.presences.replace(node, presences);
        self.announce(&state, &diff);
    }

    pub(super) fn local_presences(&self) -> Vec<Presence> {
        self.state().presences.local()
    }

    pub(super) fn is_empty(&self) -> bool {
        let state = self.state();
        state.members.is_empty() && state.presences.is_empty()
    }

    /// Tracks a presence; `None` if it exceeds a limit.
    fn track(&self, id: MemberId, presence: Presence) -> Option<PresenceDiff> {
        let mut state = self.state();
        let Some(member) = state.members.get(&id) else { return Some(PresenceDiff::default()) };
        let address = member.address;
        let diff = state.presences.track(id, address, presence)?;
        self.announce(&state, &diff);
        Some(diff)
    }

    fn untrack(&self, id: MemberId) -> PresenceDiff {
        let mut state = self.state();
        let diff = state.presences.untrack(id);
        self.announce(&state, &diff);
        diff
    }

    /// Turns on presence events for a member, and sends it the present members.
    fn open_presence(&self, id: MemberId) {
        let mut state = self.state();
        let Some(member) = state.members.get_mut(&id) else { return };
        member.receives_presence = true;
        let member = member.clone();
        self.send_presences(&state, &member);
    }

    fn send_presences(&self, state: &TopicState, member: &Member) {
        let (topic, payload) = (&self.name.topic, state.presences.payload());
        let none = Reference::NONE;
        let frame =
            text(member.version, &member.join_ref, &none, topic, "presence_state", &payload);
        member.queue.push(Message::Text(frame));
    }

    fn announce(&self, state: &TopicState, diff: &PresenceDiff) {
        if diff.is_empty() {
            return;
        }
        let (payload, none) = (diff.payload(), Reference::NONE);
        let frame = |version| {
            Message::Text(text(version, &none, &none, &self.name.topic, "presence_diff", &payload))
        };
        let (mut object, mut array) = (None, None);
        for member in state.members.values().filter(|member| member.receives_presence) {
            let known = match member.version {
                Version::V1 => &mut object,
                Version::V2 => &mut array,
            };
            member.queue.push_shared(known.get_or_insert_with(|| frame(member.version)).clone());
        }
    }

    fn state(&self) -> MutexGuard<'_, TopicState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The membership of a socket in a topic; dropping it removes the member and its presence.
pub(crate) struct Membership {
    hub: Hub,
    topic: Arc<Topic>,
    id: MemberId,
    /// The reference and the payload of the tracked presence.
    tracked: Option<(Arc<str>, Box<RawValue>)>,
}

impl Membership {
    pub(super) fn new(hub: Hub, topic: Arc<Topic>, id: MemberId) -> Self {
        Self { hub, topic, id, tracked: None }
    }

    pub fn id(&self) -> MemberId {
        self.id
    }

    pub fn topic(&self) -> &TopicKey {
        &self.topic.name
    }

    /// Whether the member already tracks this payload.
    pub fn tracks(&self, payload: &RawValue) -> bool {
        self.tracked.as_ref().is_some_and(|(_, known)| same(known, payload))
    }

    /// Tracks the member's presence; `payload` is a JSON object.
    ///
    /// # Errors
    /// [`TrackRefusal`], in which case nothing is changed.
    pub fn track(
        &mut self,
        key: &Arc<str>,
        reference: Uuid,
        payload: &RawValue,
    ) -> Result<(), TrackRefusal> {
        let reference: Arc<str> = reference.simple().to_string().into();
        let previous = self.tracked.as_ref().map(|(reference, _)| &**reference);
        let meta = meta(payload, &reference, previous).ok_or(TrackRefusal::Unreadable)?;
        let presence = Presence { key: Arc::clone(key), reference: Arc::clone(&reference), meta };
        let diff = self.topic.track(self.id, presence).ok_or(TrackRefusal::TooMuch)?;
        self.tracked = Some((reference, payload.to_owned()));
        self.hub.relay_diff(&self.topic.name, &diff);
        Ok(())
    }

    /// Removes the member's presence.
    pub fn untrack(&mut self) {
        self.tracked = None;
        self.hub.relay_diff(&self.topic.name, &self.topic.untrack(self.id));
    }

    /// Turns on presence events for the member, and sends it the present members.
    pub fn open_presence(&self) {
        self.topic.open_presence(self.id);
    }

    /// Turns presence events for the member on or off.
    pub fn set_receives_presence(&self, receives_presence: bool) {
        if let Some(member) = self.topic.state().members.get_mut(&self.id) {
            member.receives_presence = receives_presence;
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.hub.leave(&self.topic.name, self.id);
    }
}

/// Whether two JSON objects are equal, regardless of key order and white space.
fn same(one: &RawValue, other: &RawValue) -> bool {
    let read = |raw: &RawValue| serde_json::from_str::<serde_json::Value>(raw.get()).ok();
    one.get() == other.get() || read(one) == read(other)
}
