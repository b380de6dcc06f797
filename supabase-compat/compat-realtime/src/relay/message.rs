//! The messages between processes, as JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::hub::{Broadcast, Presence, PresenceDiff, TopicKey};
use crate::protocol::{UserBroadcast, UserPayload};

/// The messages that a process sends together.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RelayBatch {
    pub node: Uuid,
    pub messages: Vec<RelayMessage>,
}

impl RelayBatch {
    /// Whether all messages concern public topics. Any login may read such a batch, and may have
    /// forged it.
    pub fn is_public(&self) -> bool {
        self.messages.iter().all(|message| match message {
            RelayMessage::Broadcast { topic, .. } | RelayMessage::Presences { topic, .. } => {
                !topic.private
            }
            RelayMessage::Alive
            | RelayMessage::Hello
            | RelayMessage::Bye
            | RelayMessage::State { .. } => false,
        })
    }
}

/// A message to the other processes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum RelayMessage {
    /// A heartbeat.
    Alive,
    /// The sender begins to listen; the others answer with their state.
    Hello,
    /// The sender stops.
    Bye,
    Broadcast {
        topic: RelayTopic,
        broadcast: RelayBroadcast,
    },
    Presences {
        topic: RelayTopic,
        diff: PresenceDiff,
    },
    /// All presences of the sender, split into parts where necessary.
    State {
        topics: TopicPresences,
        /// The index of this part, from zero.
        #[serde(default)]
        part: u32,
        #[serde(default)]
        has_more: bool,
    },
}

/// The presences of each topic.
pub(super) type TopicPresences = Vec<(RelayTopic, Vec<Presence>)>;

/// Splits presences into state messages of about `bytes` each; returns at least one.
pub(super) fn states(presences: Vec<(TopicKey, Vec<Presence>)>, bytes: usize) -> Vec<RelayMessage> {
    let mut parts: Vec<TopicPresences> = vec![Vec::new()];
    let mut weight = 0;
    for (key, presences) in presences {
        let mut begins = true;
        for presence in presences {
            let own = presence.weight();
            if weight > 0 && weight + own > bytes {
                (begins, weight) = (true, 0);
                parts.push(Vec::new());
            }
            weight += own;
            let Some(part) = parts.last_mut() else { break };
            if std::mem::take(&mut begins) {
                weight += key.topic.len();
                part.push((key.clone().into(), Vec::new()));
            }
            part.last_mut().into_iter().for_each(|(_, all)| all.push(presence.clone()));
        }
    }
    let count = parts.len();
    let state = |(place, topics): (usize, TopicPresences)| RelayMessage::State {
        topics,
        part: u32::try_from(place).unwrap_or(u32::MAX),
        has_more: place + 1 < count,
    };
    parts.into_iter().enumerate().map(state).collect()
}

/// The name of a topic.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RelayTopic {
    name: String,
    private: bool,
}

impl From<TopicKey> for RelayTopic {
    fn from(key: TopicKey) -> Self {
        Self { name: key.topic.to_string(), private: key.is_private }
    }
}

impl RelayTopic {
    pub fn key(&self) -> TopicKey {
        TopicKey { topic: self.name.as_str().into(), is_private: self.private }
    }
}

/// A broadcast.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum RelayBroadcast {
    Text(String),
    Json {
        event: String,
        metadata: String,
        payload: String,
    },
    /// The payload in base64.
    Bytes {
        event: String,
        metadata: String,
        payload: String,
    },
}

impl From<Broadcast> for RelayBroadcast {
    fn from(broadcast: Broadcast) -> Self {
        match broadcast {
            Broadcast::Text(payload) => Self::Text(payload.into()),
            Broadcast::User(UserBroadcast { event, metadata, payload }) => {
                let (event, metadata) = (event.into(), metadata.into());
                match payload {
                    UserPayload::Json(text) => Self::Json { event, metadata, payload: text.into() },
                    UserPayload::Bytes(bytes) => {
                        Self::Bytes { event, metadata, payload: STANDARD.encode(bytes) }
                    }
                }
            }
        }
    }
}

impl RelayBroadcast {
    /// Decodes the broadcast; `None` if the base64 is invalid.
    pub fn read(self) -> Option<Broadcast> {
        let user = |event: String, metadata: String, payload| {
            let (event, metadata) = (event.into(), metadata.into());
            Broadcast::User(UserBroadcast { event, metadata, payload })
        };
        Some(match self {
            Self::Text(payload) => Broadcast::Text(payload.into()),
            Self::Json { event, metadata, payload } => {
                user(event, metadata, UserPayload::Json(payload.into()))
            }
            Self::Bytes { event, metadata, payload } => {
                let bytes = STANDARD.decode(payload).ok()?;
                user(event, metadata, UserPayload::Bytes(bytes.into()))
            }
        })
    }
}

impl RelayMessage {
    /// A placeholder for the state, which is filled in when it is sent.
    pub fn state() -> Self {
        Self::State { topics: Vec::new(), part: 0, has_more: false }
    }

    /// The approximate size in bytes.
    pub fn weight(&self) -> usize {
        let presences = |all: &[Presence]| -> usize { all.iter().map(Presence::weight).sum() };
        64 + match self {
            Self::Alive | Self::Hello | Self::Bye => 0,
            Self::Broadcast { topic, broadcast } => {
                topic.name.len()
                    + match broadcast {
                        RelayBroadcast::Text(payload) => payload.len(),
                        RelayBroadcast::Json { event, metadata, payload }
                        | RelayBroadcast::Bytes { event, metadata, payload } => {
                            event.len() + metadata.len() + payload.len()
                        }
                    }
            }
            Self::Presences { topic, diff } => {
                topic.name.len() + presences(&diff.joins) + presences(&diff.leaves)
            }
            Self::State { topics, .. } => {
                topics.iter().map(|(topic, all)| topic.name.len() + presences(all)).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_state_is_split_into_parts() {
        let presence = |reference: usize| Presence {
            key: "k".into(),
            reference: reference.to_string().into(),
            meta: "{}".into(),
        };
        let topic = |name: &str| TopicKey { topic: name.into(), is_private: false };
        let all = vec![
            (topic("a"), (0..5).map(presence).collect()),
            (topic("b"), (5..9).map(presence).collect()),
        ];
        let parts = states(all, 3 * (presence(0).weight() + 1));
        let mut entries = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let RelayMessage::State { topics, part, has_more } = part else { panic!("{part:?}") };
            assert_eq!((*part as usize, *has_more), (place, place + 1 < parts.len()));
            for (topic, presences) in topics {
                entries.extend(
                    presences.iter().map(|one| (topic.name.clone(), one.reference.clone())),
                );
            }
        }
        assert_eq!((parts.len(), entries.len()), (3, 9));
        assert_eq!(entries[8], ("b".to_owned(), "8".into()));
        assert_eq!(states(Vec::new(), 100).len(), 1);
    }

    #[test]
    fn broadcasts_arrive_as_they_left() {
        let user = |payload| {
            let (event, metadata) = ("e".into(), r#"{"id":"1"}"#.into());
            Broadcast::User(UserBroadcast { event, metadata, payload })
        };
        for broadcast in [
            Broadcast::Text(r#"{"a":"\u0000"}"#.into()),
            user(UserPayload::Json("[1.0]".into())),
            user(UserPayload::Bytes(vec![0, 255].into())),
        ] {
            let text = serde_json::to_string(&RelayBroadcast::from(broadcast.clone()));
            let read: RelayBroadcast =
                serde_json::from_str(&text.expect("JSON")).expect("a broadcast");
            assert_eq!(read.read(), Some(broadcast));
        }
    }
}
