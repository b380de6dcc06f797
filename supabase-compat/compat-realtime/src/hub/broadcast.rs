//! Broadcasts, and their frames in each version of the protocol.

use std::cell::OnceCell;
use std::sync::Arc;

use bytes::Bytes;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::byte_quota::BytePermit;
use crate::protocol::{Reference, UserBroadcast, Version, text};

/// A broadcast to the members of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Broadcast {
    /// The payload of the message `broadcast`, a JSON object that is passed on unchanged.
    Text(Box<str>),
    /// An event and its payload.
    User(UserBroadcast),
}

impl Broadcast {
    /// The id of the message, if the database has stored it.
    pub fn id(&self) -> Option<Box<str>> {
        let metadata = match self {
            Self::User(user) if !user.metadata.is_empty() => &user.metadata,
            _ => return None,
        };
        let metadata: serde_json::Value = serde_json::from_str(metadata).ok()?;
        Some(metadata.get("id")?.as_str()?.into())
    }
}

/// A broadcast to one topic, encoded at most once for each version.
pub(super) struct BroadcastFrames<'a> {
    broadcast: &'a Broadcast,
    topic: &'a str,
    /// The permit that the frames count for until they are dropped.
    memory: Option<&'a Arc<BytePermit>>,
    object: OnceCell<Option<Message>>,
    array: OnceCell<Option<Message>>,
}

impl<'a> BroadcastFrames<'a> {
    pub fn new(
        broadcast: &'a Broadcast,
        topic: &'a str,
        memory: Option<&'a Arc<BytePermit>>,
    ) -> Self {
        Self { broadcast, topic, memory, object: OnceCell::new(), array: OnceCell::new() }
    }

    /// The frame for a socket of this version; `None` if the version cannot express it (bytes in
    /// version 1).
    pub fn frame(&self, version: Version) -> Option<Message> {
        let frame = match version {
            Version::V1 => &self.object,
            Version::V2 => &self.array,
        };
        let encode = || {
            let frame = encode(version, self.topic, &Reference::NONE, self.broadcast)?;
            Some(self.memory.map_or_else(|| frame.clone(), |memory| count(&frame, memory)))
        };
        frame.get_or_init(encode).clone()
    }
}

/// Bytes that count for a client until they are dropped.
struct CountedBytes {
    bytes: Bytes,
    _memory: Arc<BytePermit>,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

fn count(frame: &Message, memory: &Arc<BytePermit>) -> Message {
    let count = |bytes| Bytes::from_owner(CountedBytes { bytes, _memory: Arc::clone(memory) });
    match frame {
        // The bytes stay valid UTF-8.
        Message::Text(text) => Utf8Bytes::try_from(count(text.clone().into()))
            .map_or_else(|_| frame.clone(), Message::Text),
        Message::Binary(bytes) => Message::Binary(count(bytes.clone())),
        other => other.clone(),
    }
}

/// Encodes a broadcast for the channel that was joined with `join_ref`.
pub(super) fn encode(
    version: Version,
    topic: &str,
    join_ref: &Reference,
    broadcast: &Broadcast,
) -> Option<Message> {
    let as_text = |payload: &str| {
        Message::Text(text(version, join_ref, &Reference::NONE, topic, "broadcast", payload))
    };
    match (broadcast, version) {
        (Broadcast::Text(payload), _) => Some(as_text(payload)),
        (Broadcast::User(user), Version::V1) => user.envelope().map(|payload| as_text(&payload)),
        // A field too long for the binary frame is sent as text.
        (Broadcast::User(user), Version::V2) => match user.frame(topic) {
            Some(frame) => Some(Message::Binary(frame)),
            None => user.envelope().map(|payload| as_text(&payload)),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::byte_quota::{ByteLimits, ByteQuota};
    use crate::protocol::UserPayload;

    #[test]
    fn broadcast_quota_is_released_with_its_frames() {
        let quota = ByteQuota::new(ByteLimits { total: 10, of_client: 10 });
        let client = IpAddr::from([10, 0, 0, 1]);
        let memory = Arc::new(quota.take(client, 10).expect("bytes"));
        let broadcast = Broadcast::Text("{}".into());
        let frames = BroadcastFrames::new(&broadcast, "realtime:a", Some(&memory));
        let waiting = [Version::V1, Version::V2].map(|version| frames.frame(version));
        let plain = BroadcastFrames::new(&broadcast, "realtime:a", None);
        assert_eq!(waiting[0], plain.frame(Version::V1));
        drop(frames);
        drop(memory);
        assert!(quota.take(client, 1).is_none());
        drop(waiting);
        assert!(quota.take(client, 10).is_some());
    }

    #[test]
    fn text_reaches_both_versions_as_text() {
        let broadcast = Broadcast::Text(r#"{"event":1,"more":[1.0]}"#.into());
        let frames = BroadcastFrames::new(&broadcast, "realtime:a", None);
        let one = r#"{"topic":"realtime:a","event":"broadcast","payload":{"event":1,"more":[1.0]},"ref":null,"join_ref":null}"#;
        let two = r#"[null,null,"realtime:a","broadcast",{"event":1,"more":[1.0]}]"#;
        assert_eq!(frames.frame(Version::V1), Some(Message::text(one)));
        assert_eq!(frames.frame(Version::V2), Some(Message::text(two)));
    }

    #[test]
    fn frame_encoding_depends_on_field_length_and_payload() {
        let (event, metadata) = ("e".repeat(300).into(), "".into());
        let long = UserBroadcast { event, metadata, payload: UserPayload::Json("{}".into()) };
        let long = Broadcast::User(long);
        let frames = BroadcastFrames::new(&long, "realtime:a", None);
        assert!(matches!(frames.frame(Version::V2), Some(Message::Text(_))));
        let payload = UserPayload::Bytes(vec![1].into());
        let (event, metadata) = ("e".into(), "".into());
        let bytes = Broadcast::User(UserBroadcast { event, metadata, payload });
        let frames = BroadcastFrames::new(&bytes, "realtime:a", None);
        assert!(matches!(frames.frame(Version::V2), Some(Message::Binary(_))));
        assert_eq!(frames.frame(Version::V1), None);
    }
}
