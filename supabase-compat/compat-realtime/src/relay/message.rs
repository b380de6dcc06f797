//! What one process tells the others, as JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::hub::{Broadcast, Presence, PresenceDiff, TopicKey};
use crate::protocol::{UserBroadcast, UserPayload};

/// What a process said at once.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RelayBatch {
    pub node: Uuid,
    pub messages: Vec<RelayMessage>,
}

impl RelayBatch {
    /// Whether all of it is about public topics, where any login may know of it and might have said
    /// it.
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

/// One thing said.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum RelayMessage {
    /// It lives.
    Alive,
    /// It begins to listen; the others tell it who is present with them.
    Hello,
    /// It stops.
    Bye,
    Broadcast {
        topic: RelayTopic,
        broadcast: RelayBroadcast,
    },
    Presences {
        topic: RelayTopic,
        diff: PresenceDiff,
    },
    /// Everybody who is present with it.
    State {
        topics: TopicPresences,
    },
}

/// Who is present in each topic.
pub(super) type TopicPresences = Vec<(RelayTopic, Vec<Presence>)>;

/// A topic's name.
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
    /// The broadcast; none where the base64 is none.
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
    /// The topics of a state.
    pub fn state(&mut self) -> Option<&mut TopicPresences> {
        match self {
            Self::State { topics } => Some(topics),
            _ => None,
        }
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        let presences = |all: &[Presence]| -> usize {
            all.iter().map(|one| one.key.len() + one.meta.len() + 64).sum()
        };
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
            Self::State { topics } => {
                topics.iter().map(|(topic, all)| topic.name.len() + presences(all)).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
