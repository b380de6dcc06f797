//! The presences of a topic: each key has one entry for every member that tracks it.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::MemberId;
use crate::byte_quota::{ByteLimits, BytePermit, ByteQuota};

/// The owner of a presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PresenceOwner {
    /// A member of this process.
    Member(MemberId),
    /// A member of another process.
    Node(Uuid),
}

/// The presence of one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub key: Arc<str>,
    /// The unique `phx_ref`.
    pub reference: Arc<str>,
    /// The JSON object of the contract: the payload with `phx_ref`, and with `phx_ref_prev` if it
    /// replaces an earlier presence.
    pub meta: Arc<str>,
}

impl Presence {
    /// The approximate size in bytes.
    pub fn weight(&self) -> usize {
        self.key.len() + self.meta.len() + 64
    }
}

/// Limits for the bytes of presences.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PresenceLimits {
    /// The limits of a topic: for all processes together, and for one client of this process.
    pub topic: ByteLimits,
    /// The limits for the members of this process.
    pub process: ByteLimits,
}

/// The quota for presences of this process's members. All topics share it.
#[derive(Debug)]
pub(super) struct PresenceQuota {
    topic: ByteLimits,
    process: ByteQuota,
}

impl PresenceQuota {
    pub fn new(limits: PresenceLimits) -> Self {
        Self { topic: limits.topic, process: ByteQuota::new(limits.process) }
    }
}

/// A change of the presences of a topic.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PresenceDiff {
    pub joins: Vec<Presence>,
    pub leaves: Vec<Presence>,
}

impl PresenceDiff {
    pub fn is_empty(&self) -> bool {
        self.joins.is_empty() && self.leaves.is_empty()
    }

    /// The payload of `presence_diff`.
    pub fn payload(&self) -> String {
        format!(r#"{{"joins":{},"leaves":{}}}"#, grouped(&self.joins), grouped(&self.leaves))
    }
}

/// A presence in a topic.
#[derive(Debug)]
struct PresenceEntry {
    owner: PresenceOwner,
    presence: Presence,
    /// The bytes of the presence; `None` for presences of other processes.
    permit: Option<BytePermit>,
}

/// The presences of a topic.
#[derive(Debug)]
pub(super) struct Presences {
    all: Vec<PresenceEntry>,
    bytes: usize,
    quota: Arc<PresenceQuota>,
}

impl Presences {
    /// An empty set of presences.
    pub fn new(quota: Arc<PresenceQuota>) -> Self {
        Self { all: Vec::new(), bytes: 0, quota }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The payload of `presence_state`.
    pub fn payload(&self) -> String {
        grouped(self.all.iter().map(|entry| &entry.presence))
    }

    /// Sets the presence of a member, in place of an earlier one. Returns `None`, and changes
    /// nothing, if that exceeds a limit of the topic, the process or the member's address.
    pub fn track(
        &mut self,
        member: MemberId,
        address: IpAddr,
        presence: Presence,
    ) -> Option<PresenceDiff> {
        let owner = PresenceOwner::Member(member);
        let place = self.all.iter().position(|entry| entry.owner == owner);
        let before = place.map_or(0, |place| self.all[place].presence.weight());
        let after = presence.weight();
        let fresh = self.quota.process.empty(address);
        let of_client: usize = self.of_client(fresh.client());
        let limits = self.quota.topic;
        let is_too_much = self.bytes - before + after > limits.total
            || (after > before && of_client - before + after > limits.of_client);
        if is_too_much {
            return None;
        }
        let known = place.and_then(|place| self.all[place].permit.take());
        let mut permit = known.unwrap_or(fresh);
        if !permit.resize(after) {
            if let Some(place) = place {
                self.all[place].permit = Some(permit);
            }
            return None;
        }
        let diff = PresenceDiff { leaves: self.remove_of(owner), joins: vec![presence.clone()] };
        self.bytes += after;
        self.all.push(PresenceEntry { owner, presence, permit: Some(permit) });
        Some(diff)
    }

    /// The bytes of the presences of one client.
    fn of_client(&self, client: IpAddr) -> usize {
        let is_own = |entry: &&PresenceEntry| {
            entry.permit.as_ref().is_some_and(|permit| permit.client() == client)
        };
        self.all.iter().filter(is_own).map(|entry| entry.presence.weight()).sum()
    }

    /// Removes the presence of a member.
    pub fn untrack(&mut self, member: MemberId) -> PresenceDiff {
        let leaves = self.remove_of(PresenceOwner::Member(member));
        PresenceDiff { joins: Vec::new(), leaves }
    }

    /// Applies a change of another process; returns what is new in it.
    pub fn merge(&mut self, node: Uuid, diff: PresenceDiff) -> PresenceDiff {
        let owner = PresenceOwner::Node(node);
        let known = self.known_of(owner, &diff);
        let mut leaves = diff.leaves;
        leaves.retain(|presence| known.contains(&presence.reference));
        let removed = references(&leaves);
        let is_left = |presence: &Presence| {
            known.contains(&presence.reference) && !removed.contains(&presence.reference)
        };
        let mut joins = diff.joins;
        joins.retain(|presence| !is_left(presence));
        if !removed.is_empty() {
            let stays = |entry: &PresenceEntry| {
                entry.owner != owner || !removed.contains(&entry.presence.reference)
            };
            self.all.retain(stays);
            self.bytes = self.all.iter().map(|entry| entry.presence.weight()).sum();
        }
        self.add(owner, &joins);
        PresenceDiff { joins, leaves }
    }

    /// Replaces the presences of another process; returns what has changed.
    pub fn replace(&mut self, node: Uuid, presences: Vec<Presence>) -> PresenceDiff {
        let stay = references(&presences);
        let of_node = self.all.iter().filter(|entry| entry.owner == PresenceOwner::Node(node));
        let leaves = of_node
            .map(|entry| &entry.presence)
            .filter(|presence| !stay.contains(&presence.reference))
            .cloned()
            .collect();
        self.merge(node, PresenceDiff { joins: presences, leaves })
    }

    /// The presences of this process's members.
    pub fn local(&self) -> Vec<Presence> {
        let is_local = |entry: &&PresenceEntry| matches!(entry.owner, PresenceOwner::Member(_));
        self.all.iter().filter(is_local).map(|entry| entry.presence.clone()).collect()
    }

    fn add(&mut self, owner: PresenceOwner, presences: &[Presence]) {
        self.bytes += weight(presences);
        let entry =
            |presence: &Presence| PresenceEntry { owner, presence: presence.clone(), permit: None };
        self.all.extend(presences.iter().map(entry));
    }

    /// The references within `diff` that the owner has. Takes one pass over the presences, however
    /// long `diff` is.
    fn known_of(&self, owner: PresenceOwner, diff: &PresenceDiff) -> HashSet<Arc<str>> {
        let mut mentioned = references(&diff.leaves);
        mentioned.extend(references(&diff.joins));
        let of_owner = self.all.iter().filter(|entry| entry.owner == owner);
        let owned = of_owner.map(|entry| &entry.presence.reference);
        owned.filter(|reference| mentioned.contains(*reference)).cloned().collect()
    }

    fn remove_of(&mut self, owner: PresenceOwner) -> Vec<Presence> {
        let (removed, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.all).into_iter().partition(|entry| entry.owner == owner);
        self.all = left;
        let removed: Vec<Presence> = removed.into_iter().map(|entry| entry.presence).collect();
        self.bytes -= weight(&removed);
        removed
    }
}

fn weight(presences: &[Presence]) -> usize {
    presences.iter().map(Presence::weight).sum()
}

fn references(presences: &[Presence]) -> HashSet<Arc<str>> {
    presences.iter().map(|presence| Arc::clone(&presence.reference)).collect()
}

/// Builds the entry (`meta`) of a payload.
pub(super) fn meta(
    payload: &RawValue,
    reference: &str,
    previous: Option<&str>,
) -> Option<Arc<str>> {
    let mut fields: Map<String, Value> = serde_json::from_str(payload.get()).ok()?;
    fields.insert("phx_ref".to_owned(), reference.into());
    if let Some(previous) = previous {
        fields.insert("phx_ref_prev".to_owned(), previous.into());
    }
    Some(Value::from(fields).to_string().into())
}

/// `{key: {"metas": [entry, …]}}`.
fn grouped<'a>(presences: impl IntoIterator<Item = &'a Presence>) -> String {
    let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for presence in presences {
        keys.entry(&presence.key).or_default().push(&presence.meta);
    }
    let entry = |(key, metas): (&&str, &Vec<&str>)| {
        format!(r#"{}:{{"metas":[{}]}}"#, Value::from(*key), metas.join(","))
    };
    format!("{{{}}}", keys.iter().map(entry).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(key: &str, reference: &str) -> Presence {
        let payload = RawValue::from_string(r#"{"a":1}"#.to_owned()).expect("JSON");
        let meta = meta(&payload, reference, None).expect("an object");
        Presence { key: key.into(), reference: reference.into(), meta }
    }

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    /// Presences with limits that one client may use up alone.
    fn presences(topic: usize, process: usize) -> Presences {
        let all = |total| ByteLimits { total, of_client: total };
        let limits = PresenceLimits { topic: all(topic), process: all(process) };
        Presences::new(Arc::new(PresenceQuota::new(limits)))
    }

    #[test]
    fn presences_beyond_the_limits_change_nothing() {
        let weight = presence("ada", "r1").weight();
        for (topic, process) in [(2 * weight, 9 * weight), (9 * weight, 2 * weight)] {
            let mut presences = presences(topic, process);
            assert!(presences.track(1, ADDRESS, presence("ada", "r1")).is_some());
            assert!(presences.track(2, ADDRESS, presence("bob", "r2")).is_some());
            assert_eq!(presences.track(3, ADDRESS, presence("cid", "r3")), None);
            assert!(presences.track(2, ADDRESS, presence("bob", "r4")).is_some());
            presences.untrack(1);
            assert!(presences.track(3, ADDRESS, presence("cid", "r3")).is_some());
        }
    }

    #[test]
    fn one_client_leaves_presences_to_others() {
        let weight = presence("ada", "r1").weight();
        let few = ByteLimits { total: 4 * weight, of_client: 2 * weight };
        let many = ByteLimits { total: 99 * weight, of_client: 99 * weight };
        for (topic, process) in [(few, many), (many, few)] {
            let limits = PresenceLimits { topic, process };
            let mut presences = Presences::new(Arc::new(PresenceQuota::new(limits)));
            assert!(presences.track(1, ADDRESS, presence("ada", "r1")).is_some());
            assert!(presences.track(2, ADDRESS, presence("bob", "r2")).is_some());
            assert_eq!(presences.track(3, ADDRESS, presence("cid", "r3")), None);
            let other = IpAddr::from([10, 0, 0, 1]);
            assert!(presences.track(3, other, presence("cid", "r3")).is_some());
            assert!(presences.track(2, ADDRESS, presence("bob", "r4")).is_some());
            presences.untrack(1);
            assert!(presences.track(4, ADDRESS, presence("dan", "r5")).is_some());
        }
    }

    #[test]
    fn presences_of_other_processes_fill_the_topic_alone() {
        let weight = presence("ada", "r1").weight();
        let mut presences = presences(2 * weight, weight);
        let joins = vec![presence("bob", "r2")];
        presences.merge(Uuid::from_u128(1), PresenceDiff { joins, leaves: Vec::new() });
        assert!(presences.track(1, ADDRESS, presence("ada", "r1")).is_some());
        assert_eq!(presences.track(2, ADDRESS, presence("cid", "r3")), None);
        presences.replace(Uuid::from_u128(1), Vec::new());
        presences.untrack(1);
        assert!(presences.track(2, ADDRESS, presence("cid", "r3")).is_some());
    }

    #[test]
    fn keys_gather_the_entries_of_their_members() {
        let mut presences = presences(1_000, 1_000);
        presences.track(1, ADDRESS, presence("ada", "r1"));
        presences.track(2, ADDRESS, presence("ada", "r2"));
        let expected = r#"{"ada":{"metas":[{"a":1,"phx_ref":"r1"},{"a":1,"phx_ref":"r2"}]}}"#;
        assert_eq!(presences.payload(), expected);
        let diff = presences.track(1, ADDRESS, presence("ada", "r3")).unwrap();
        assert_eq!((&*diff.leaves[0].reference, &*diff.joins[0].reference), ("r1", "r3"));
        assert_eq!(presences.untrack(1).leaves.len(), 1);
        assert!(presences.untrack(1).is_empty());
    }

    #[test]
    fn presences_of_another_process_come_and_go_once() {
        let (mut presences, node) = (presences(1_000, 1_000), Uuid::from_u128(1));
        let joins = PresenceDiff { joins: vec![presence("ada", "r1")], leaves: Vec::new() };
        assert_eq!(presences.merge(node, joins.clone()), joins);
        assert!(presences.merge(node, joins).is_empty());
        assert!(presences.local().is_empty());
        let diff = presences.replace(node, vec![presence("bob", "r2")]);
        assert_eq!((&*diff.leaves[0].key, &*diff.joins[0].key), ("ada", "bob"));
        assert_eq!(presences.replace(node, Vec::new()).leaves.len(), 1);
        assert!(presences.is_empty());
    }
}
