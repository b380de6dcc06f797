//! Parses frames into messages, and writes messages as text frames.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::binary::{self, UserBroadcast};

/// A version of the protocol (`vsn`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Version {
    /// `1.0.0`: objects, text only.
    V1,
    /// `2.0.0`: arrays, and binary broadcasts.
    V2,
}

impl Version {
    /// Parses `vsn`. Clients that are older than the parameter speak 1.0.0.
    pub fn of(vsn: Option<&str>) -> Option<Self> {
        match vsn {
            None => Some(Self::V1),
            Some(text) if text.starts_with("1.") => Some(Self::V1),
            Some(text) if text.starts_with("2.") => Some(Self::V2),
            Some(_) => None,
        }
    }
}

/// `ref` or `join_ref`: a text, a number or null, sent back unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reference(Option<Box<str>>);

impl Reference {
    /// The reference of a message that is not a reply.
    pub const NONE: Self = Self(None);

    /// The reference in a binary frame, where an empty text means none.
    pub fn of_text(text: &str) -> Self {
        let json = || Value::from(text).to_string().into_boxed_str();
        Self((!text.is_empty()).then(json))
    }

    fn of_json(raw: Option<&RawValue>) -> Option<Self> {
        match serde_json::from_str(raw.map_or("null", RawValue::get)).ok()? {
            Value::Null => Some(Self(None)),
            value @ (Value::String(_) | Value::Number(_)) => {
                Some(Self(Some(value.to_string().into_boxed_str())))
            }
            _ => None,
        }
    }

    /// The reference as JSON.
    pub fn json(&self) -> &str {
        self.0.as_deref().unwrap_or("null")
    }

    /// Whether the client expects a reply.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// A message of a client.
#[derive(Debug)]
pub(crate) struct ClientMessage {
    pub join_ref: Reference,
    pub reference: Reference,
    pub topic: Box<str>,
    pub event: Box<str>,
    pub payload: ClientPayload,
}

impl ClientMessage {
    /// The bytes that are kept while the message waits.
    pub fn len(&self) -> usize {
        let references = self.join_ref.json().len() + self.reference.json().len();
        references + self.topic.len() + self.event.len() + self.payload.len()
    }
}

/// What a message carries.
#[derive(Debug)]
pub(crate) enum ClientPayload {
    /// The unchanged JSON of a text frame.
    Json(Box<RawValue>),
    /// A broadcast in a binary frame (kind 3).
    Broadcast(UserBroadcast),
    /// Bytes of a binary push (kind 0), which no event of this service takes.
    Bytes,
}

impl ClientPayload {
    /// Its length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Json(raw) => raw.get().len(),
            Self::Broadcast(broadcast) => broadcast.payload.len(),
            Self::Bytes => 0,
        }
    }
}

#[derive(Deserialize)]
struct ObjectFrame<'a> {
    topic: String,
    event: String,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow, rename = "ref")]
    reference: Option<&'a RawValue>,
    #[serde(borrow)]
    join_ref: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ArrayFrame<'a>(
    #[serde(borrow)] Option<&'a RawValue>,
    #[serde(borrow)] Option<&'a RawValue>,
    String,
    String,
    #[serde(borrow)] Option<&'a RawValue>,
);

/// Parses a frame; `None` if it is malformed, and the contract drops such frames.
pub(crate) fn read(version: Version, message: &Message) -> Option<ClientMessage> {
    match (version, message) {
        (Version::V1, Message::Text(text)) => object(text),
        (Version::V2, Message::Text(text)) => array(text),
        (Version::V2, Message::Binary(bytes)) => binary::read(bytes),
        _ => None,
    }
}

fn object(text: &str) -> Option<ClientMessage> {
    let frame: ObjectFrame<'_> = serde_json::from_str(text).ok()?;
    incoming(frame.join_ref, frame.reference, frame.topic, frame.event, frame.payload)
}

fn array(text: &str) -> Option<ClientMessage> {
    let ArrayFrame(join_ref, reference, topic, event, payload) = serde_json::from_str(text).ok()?;
    incoming(join_ref, reference, topic, event, payload)
}

fn incoming(
    join_ref: Option<&RawValue>,
    reference: Option<&RawValue>,
    topic: String,
    event: String,
    payload: Option<&RawValue>,
) -> Option<ClientMessage> {
    Some(ClientMessage {
        join_ref: Reference::of_json(join_ref)?,
        reference: Reference::of_json(reference)?,
        topic: topic.into(),
        event: event.into(),
        payload: ClientPayload::Json(payload.unwrap_or(RawValue::NULL).to_owned()),
    })
}

/// Writes a message; `payload` is JSON.
pub(crate) fn text(
    version: Version,
    join_ref: &Reference,
    reference: &Reference,
    topic: &str,
    event: &str,
    payload: &str,
) -> Utf8Bytes {
    TextEnvelope::new(version, join_ref, reference, topic, event).around(&[payload])
}

/// The text around the payload of a text frame, for writing many frames that differ only in the
/// payload.
#[derive(Debug)]
pub(crate) struct TextEnvelope {
    head: Box<str>,
    tail: Box<str>,
}

impl TextEnvelope {
    /// An envelope for messages of one event in a topic.
    pub fn new(
        version: Version,
        join_ref: &Reference,
        reference: &Reference,
        topic: &str,
        event: &str,
    ) -> Self {
        let (topic, event) = (Value::from(topic), Value::from(event));
        let (join_ref, reference) = (join_ref.json(), reference.json());
        let (head, tail) = match version {
            Version::V1 => (
                format!(r#"{{"topic":{topic},"event":{event},"payload":"#),
                format!(r#","ref":{reference},"join_ref":{join_ref}}}"#),
            ),
            Version::V2 => (format!("[{join_ref},{reference},{topic},{event},"), "]".to_owned()),
        };
        Self { head: head.into(), tail: tail.into() }
    }

    /// A frame with the payload, which is given in pieces.
    pub fn around(&self, payload: &[&str]) -> Utf8Bytes {
        let length: usize = payload.iter().map(|piece| piece.len()).sum();
        let mut text = String::with_capacity(self.head.len() + length + self.tail.len());
        text.push_str(&self.head);
        text.extend(payload.iter().copied());
        text.push_str(&self.tail);
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(version: Version, text: &str) -> Option<ClientMessage> {
        read(version, &Message::Text(text.to_owned().into()))
    }

    #[test]
    fn both_versions_carry_the_same_message() {
        let one = r#"{"topic":"realtime:a","event":"phx_join","payload":{"x":1.0},"ref":"1","join_ref":2}"#;
        let two = r#"[2,"1","realtime:a","phx_join",{"x":1.0}]"#;
        for (version, frame) in [(Version::V1, one), (Version::V2, two)] {
            let message = parsed(version, frame).expect("a message");
            assert_eq!((&*message.topic, &*message.event), ("realtime:a", "phx_join"));
            assert_eq!((message.join_ref.json(), message.reference.json()), ("2", "\"1\""));
            let ClientPayload::Json(payload) = &message.payload else { panic!("no JSON") };
            assert_eq!(payload.get(), r#"{"x":1.0}"#);
            let again = text(
                version,
                &message.join_ref,
                &message.reference,
                &message.topic,
                &message.event,
                payload.get(),
            );
            assert_eq!(again.as_str(), frame);
        }
    }

    #[test]
    fn missing_references_and_payloads_are_null() {
        let message = parsed(Version::V1, r#"{"topic":"phoenix","event":"heartbeat"}"#);
        let message = message.expect("a message");
        assert_eq!(message.reference, Reference::NONE);
        assert!(matches!(&message.payload, ClientPayload::Json(raw) if raw.get() == "null"));
    }

    #[test]
    fn malformed_texts_are_no_messages() {
        for frame in ["", "{}", "[]", "null", "[1,2,3,4,5]", r#"[{},null,"t","e",{}]"#, "[null"] {
            assert!(parsed(Version::V1, frame).is_none(), "{frame}");
            assert!(parsed(Version::V2, frame).is_none(), "{frame}");
        }
    }

    #[test]
    fn protocol_version_is_the_major_number() {
        assert_eq!(Version::of(None), Some(Version::V1));
        assert_eq!(Version::of(Some("1.0.0")), Some(Version::V1));
        assert_eq!(Version::of(Some("2.0.0")), Some(Version::V2));
        assert_eq!(Version::of(Some("3.0.0")), None);
    }

    #[test]
    fn random_texts_never_panic() {
        let text =
            r#"[\[\]{}",:0-9a-z\\ ]{0,60}|\[null,"1","[a-z:]{0,9}","[a-z_]{0,9}",[^\]]{0,20}\]"#;
        compat_testkit::property_test("text frames", text, |text: String| {
            let _ = (parsed(Version::V1, &text), parsed(Version::V2, &text));
        });
    }

    #[test]
    fn random_bytes_never_panic() {
        let bytes = prop::collection::vec(any::<u8>(), 0..80);
        compat_testkit::property_test("binary frames", bytes, |bytes: Vec<u8>| {
            let _ = read(Version::V2, &Message::Binary(bytes.into()));
        });
    }
}
