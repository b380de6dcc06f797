//! Who is present in a topic: under a key, one entry for each member who tracks it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::MemberId;

/// Whose presence it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PresenceOwner {
    /// A member of this process.
    Member(MemberId),
    /// Somebody of another process.
    Node(Uuid),
}

/// Somebody who is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub key: Arc<str>,
    /// `phx_ref`, nobody else's.
    pub reference: Arc<str>,
    /// The JSON object of the contract: the payload with `phx_ref`, and `phx_ref_prev` where it
    /// was another one before.
    pub meta: Arc<str>,
}

/// What became of the presences of a topic.
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

/// The presences of a topic.
#[derive(Debug, Default)]
pub(super) struct Presences(Vec<(PresenceOwner, Presence)>);

impl Presences {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The payload of `presence_state`.
    pub fn payload(&self) -> String {
        grouped(self.0.iter().map(|(_, presence)| presence))
    }

    /// Makes `presence` the member's, in the place of the one before.
    pub fn track(&mut self, member: MemberId, presence: Presence) -> PresenceDiff {
        let diff = PresenceDiff { leaves: self.untrack(member).leaves, joins: vec![presence] };
        self.add(PresenceOwner::Member(member), &diff.joins);
        diff
    }

    /// Takes away the member's.
    pub fn untrack(&mut self, member: MemberId) -> PresenceDiff {
        PresenceDiff { joins: Vec::new(), leaves: self.remove_of(PresenceOwner::Member(member)) }
    }

    /// Takes over what another process says; gives what is new in it.
    pub fn merge(&mut self, node: Uuid, diff: PresenceDiff) -> PresenceDiff {
        let owner = PresenceOwner::Node(node);
        let mut leaves = diff.leaves;
        leaves.retain(|gone| self.remove(owner, &gone.reference));
        let mut joins = diff.joins;
        joins.retain(|new| !self.has(owner, &new.reference));
        self.add(owner, &joins);
        PresenceDiff { joins, leaves }
    }

    /// Makes another process's presences these; gives what is new in it.
    pub fn replace(&mut self, node: Uuid, presences: Vec<Presence>) -> PresenceDiff {
        let of_node = self.0.iter().filter(|(owner, _)| *owner == PresenceOwner::Node(node));
        let is_left = |presence: &&Presence| {
            !presences.iter().any(|other| other.reference == presence.reference)
        };
        let leaves = of_node.map(|(_, presence)| presence).filter(is_left).cloned().collect();
        self.merge(node, PresenceDiff { joins: presences, leaves })
    }

    /// Those of members of this process.
    pub fn local(&self) -> Vec<Presence> {
        let is_local = |owner: &PresenceOwner| matches!(owner, PresenceOwner::Member(_));
        let local = self.0.iter().filter(|(owner, _)| is_local(owner));
        local.map(|(_, presence)| presence.clone()).collect()
    }

    fn add(&mut self, owner: PresenceOwner, presences: &[Presence]) {
        self.0.extend(presences.iter().map(|presence| (owner, presence.clone())));
    }

    fn has(&self, owner: PresenceOwner, reference: &str) -> bool {
        self.0.iter().any(|(other, known)| *other == owner && &*known.reference == reference)
    }

    fn remove(&mut self, owner: PresenceOwner, reference: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|(other, known)| *other != owner || &*known.reference != reference);
        self.0.len() < before
    }

    fn remove_of(&mut self, owner: PresenceOwner) -> Vec<Presence> {
        let (gone, left) = std::mem::take(&mut self.0).into_iter().partition(|(o, _)| *o == owner);
        self.0 = left;
        let gone: Vec<(PresenceOwner, Presence)> = gone;
        gone.into_iter().map(|(_, presence)| presence).collect()
    }
}

/// The entry of a payload.
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

    #[test]
    fn keys_gather_the_entries_of_their_members() {
        let mut presences = Presences::default();
        presences.track(1, presence("ada", "r1"));
        presences.track(2, presence("ada", "r2"));
        let expected = r#"{"ada":{"metas":[{"a":1,"phx_ref":"r1"},{"a":1,"phx_ref":"r2"}]}}"#;
        assert_eq!(presences.payload(), expected);
        let diff = presences.track(1, presence("ada", "r3"));
        assert_eq!((&*diff.leaves[0].reference, &*diff.joins[0].reference), ("r1", "r3"));
        assert_eq!(presences.untrack(1).leaves.len(), 1);
        assert!(presences.untrack(1).is_empty());
    }

    #[test]
    fn presences_of_another_process_come_and_go_once() {
        let (mut presences, node) = (Presences::default(), Uuid::from_u128(1));
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
