//! What is said in a topic, and how each version of the protocol says it.

use std::cell::OnceCell;

use axum::extract::ws::Message;

use crate::protocol::{Reference, UserBroadcast, Version, text};

/// Something said in a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Broadcast {
    /// The payload of the message `broadcast`, a JSON object that is passed on as it came.
    Text(Box<str>),
    /// An event and its payload.
    User(UserBroadcast),
}

impl Broadcast {
    /// The id of a message that the database has, too.
    pub fn id(&self) -> Option<Box<str>> {
        let metadata = match self {
            Self::User(user) if !user.metadata.is_empty() => &user.metadata,
            _ => return None,
        };
        let metadata: serde_json::Value = serde_json::from_str(metadata).ok()?;
        Some(metadata.get("id")?.as_str()?.into())
    }
}

/// A broadcast on one topic, written at most once for each version.
pub(super) struct BroadcastFrames<'a> {
    broadcast: &'a Broadcast,
    topic: &'a str,
    object: OnceCell<Option<Message>>,
    array: OnceCell<Option<Message>>,
}

impl<'a> BroadcastFrames<'a> {
    pub fn new(broadcast: &'a Broadcast, topic: &'a str) -> Self {
        Self { broadcast, topic, object: OnceCell::new(), array: OnceCell::new() }
    }

    /// The frame for a socket of this version; none where it has no way to say it: bytes in
    /// version 1.
    pub fn frame(&self, version: Version) -> Option<Message> {
        let frame = match version {
            Version::V1 => &self.object,
            Version::V2 => &self.array,
        };
        frame.get_or_init(|| encode(version, self.topic, &Reference::NONE, self.broadcast)).clone()
    }
}

/// One frame of a broadcast for whoever joined by `join_ref`.
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
        // A field too long for its length goes as text.
        (Broadcast::User(user), Version::V2) => match user.frame(topic) {
            Some(frame) => Some(Message::Binary(frame)),
            None => user.envelope().map(|payload| as_text(&payload)),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::UserPayload;

    use super::*;

    #[test]
    fn text_reaches_both_versions_as_text() {
        let broadcast = Broadcast::Text(r#"{"event":1,"more":[1.0]}"#.into());
        let frames = BroadcastFrames::new(&broadcast, "realtime:a");
        let one = r#"{"topic":"realtime:a","event":"broadcast","payload":{"event":1,"more":[1.0]},"ref":null,"join_ref":null}"#;
        let two = r#"[null,null,"realtime:a","broadcast",{"event":1,"more":[1.0]}]"#;
        assert_eq!(frames.frame(Version::V1), Some(Message::text(one)));
        assert_eq!(frames.frame(Version::V2), Some(Message::text(two)));
    }

    #[test]
    fn long_fields_and_bytes_take_the_way_there_is() {
        let (event, metadata) = ("e".repeat(300).into(), "".into());
        let long = UserBroadcast { event, metadata, payload: UserPayload::Json("{}".into()) };
        let long = Broadcast::User(long);
        let frames = BroadcastFrames::new(&long, "realtime:a");
        assert!(matches!(frames.frame(Version::V2), Some(Message::Text(_))));
        let payload = UserPayload::Bytes(vec![1].into());
        let (event, metadata) = ("e".into(), "".into());
        let bytes = Broadcast::User(UserBroadcast { event, metadata, payload });
        let frames = BroadcastFrames::new(&bytes, "realtime:a");
        assert!(matches!(frames.frame(Version::V2), Some(Message::Binary(_))));
        assert_eq!(frames.frame(Version::V1), None);
    }
}
