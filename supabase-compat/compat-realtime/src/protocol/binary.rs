//! Binary frames of version 2.0.0. Each begins with its kind and the lengths of its fields, one
//! byte each, in bytes of UTF-8.
//!
//! Kind 0 is a push, 3 a client's broadcast, 4 the server's. Kinds 1 (replies) and 2 (broadcasts
//! whose payload is bytes) are not written here, and clients do not read them.

use bytes::{BufMut as _, Bytes, BytesMut};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::frame::{ClientMessage, ClientPayload, Reference};

const PUSH: u8 = 0;
const USER_BROADCAST_PUSH: u8 = 3;
const USER_BROADCAST: u8 = 4;

/// How a payload is encoded.
const BINARY: u8 = 0;
const JSON: u8 = 1;

/// A broadcast whose event stands outside its payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserBroadcast {
    /// The application's event.
    pub event: Box<str>,
    /// A JSON object about the message; empty if there is none.
    pub metadata: Box<str>,
    /// The payload: JSON text, or bytes of the application's own.
    pub payload: UserPayload,
}

/// See [`UserBroadcast`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UserPayload {
    /// JSON text.
    Json(Box<str>),
    /// Any other bytes.
    Bytes(Bytes),
}

impl UserPayload {
    /// Its length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Json(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl UserBroadcast {
    /// The frame of kind 4; `None` if a field is longer than its length byte can express.
    pub fn frame(&self, topic: &str) -> Option<Bytes> {
        let (encoding, payload) = match &self.payload {
            UserPayload::Json(text) => (JSON, text.as_bytes()),
            UserPayload::Bytes(bytes) => (BINARY, &bytes[..]),
        };
        let fields = [topic, &self.event, &self.metadata];
        let length: usize = fields.iter().map(|field| field.len()).sum();
        let mut frame = BytesMut::with_capacity(5 + length + payload.len());
        frame.put_u8(USER_BROADCAST);
        for field in fields {
            frame.put_u8(u8::try_from(field.len()).ok()?);
        }
        frame.put_u8(encoding);
        fields.iter().for_each(|field| frame.put_slice(field.as_bytes()));
        frame.put_slice(payload);
        Some(frame.freeze())
    }

    /// The broadcast for its receivers, without the metadata that is meant for the server only.
    pub fn for_receivers(&self) -> Self {
        let fields = serde_json::from_str::<Map<String, Value>>(&self.metadata);
        let mut fields = fields.unwrap_or_default();
        let metadata = match fields.remove("persist") {
            None => self.metadata.clone(),
            Some(_) if fields.is_empty() => "".into(),
            Some(_) => Value::from(fields).to_string().into(),
        };
        Self { event: self.event.clone(), metadata, payload: self.payload.clone() }
    }

    /// Whether the sender asks for the broadcast to be stored: `persist` is true, or an object with
    /// a duration.
    pub fn asks_to_be_stored(&self) -> bool {
        let fields = serde_json::from_str::<Map<String, Value>>(&self.metadata);
        let persist = fields.ok().and_then(|mut fields| fields.remove("persist"));
        matches!(persist, Some(Value::Bool(true) | Value::Object(_)))
    }

    /// The same broadcast as the payload of the message `broadcast`; `None` if its payload is not
    /// JSON.
    pub fn envelope(&self) -> Option<String> {
        let UserPayload::Json(payload) = &self.payload else { return None };
        let event = Value::from(&*self.event);
        let meta = match &*self.metadata {
            "" => String::new(),
            metadata => format!(r#","meta":{metadata}"#),
        };
        Some(format!(r#"{{"event":{event},"payload":{payload},"type":"broadcast"{meta}}}"#))
    }
}

/// Reads the fields of a frame one after the other.
struct Fields<'a> {
    lengths: &'a [u8],
    at: usize,
    frame: &'a Bytes,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (length, rest) = self.lengths.split_first()?;
        let end = self.at + usize::from(*length);
        let field = self.frame.get(self.at..end)?;
        (self.lengths, self.at) = (rest, end);
        std::str::from_utf8(field).ok()
    }
}

/// Parses a client's frame; `None` if it is malformed.
pub(super) fn read(frame: &Bytes) -> Option<ClientMessage> {
    match *frame.first()? {
        PUSH => push(frame),
        USER_BROADCAST_PUSH => user_broadcast(frame),
        _ => None,
    }
}

fn push(frame: &Bytes) -> Option<ClientMessage> {
    let mut fields = Fields { lengths: frame.get(1..5)?, at: 5, frame };
    Some(ClientMessage {
        join_ref: Reference::of_text(fields.next()?),
        reference: Reference::of_text(fields.next()?),
        topic: fields.next()?.into(),
        event: fields.next()?.into(),
        payload: ClientPayload::Bytes,
    })
}

fn user_broadcast(frame: &Bytes) -> Option<ClientMessage> {
    let mut fields = Fields { lengths: frame.get(1..6)?, at: 7, frame };
    let encoding = *frame.get(6)?;
    let join_ref = Reference::of_text(fields.next()?);
    let reference = Reference::of_text(fields.next()?);
    let topic = fields.next()?.into();
    let event = fields.next()?.into();
    let metadata = object_text(fields.next()?)?;
    let payload = frame.slice(fields.at..);
    let payload = match encoding {
        BINARY => UserPayload::Bytes(payload),
        JSON => {
            let raw: &RawValue = serde_json::from_slice(&payload).ok()?;
            UserPayload::Json(raw.get().into())
        }
        _ => return None,
    };
    let broadcast = UserBroadcast { event, metadata, payload };
    let payload = ClientPayload::Broadcast(broadcast);
    Some(ClientMessage { join_ref, reference, topic, event: "broadcast".into(), payload })
}

/// The unchanged metadata, if it is a JSON object or empty.
fn object_text(text: &str) -> Option<Box<str>> {
    if text.is_empty() {
        return Some("".into());
    }
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    Some(if object.is_empty() { "".into() } else { text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of kind 3, as realtime-js writes it.
    fn pushed(metadata: &str, encoding: u8, payload: &[u8]) -> Bytes {
        let fields = ["1", "2", "realtime:é", "shout", metadata];
        let mut frame = vec![USER_BROADCAST_PUSH];
        frame.extend(fields.iter().map(|field| field.len() as u8));
        frame.push(encoding);
        fields.iter().for_each(|field| frame.extend(field.as_bytes()));
        frame.extend(payload);
        frame.into()
    }

    #[test]
    fn broadcast_of_client_leaves_as_kind_four() {
        let message = read(&pushed(r#"{"a":1}"#, JSON, br#"{"x":[1]}"#)).expect("a message");
        assert_eq!((message.join_ref.json(), message.reference.json()), ("\"1\"", "\"2\""));
        assert_eq!((&*message.topic, &*message.event), ("realtime:é", "broadcast"));
        let ClientPayload::Broadcast(broadcast) = message.payload else { panic!("no broadcast") };
        let frame = broadcast.frame("realtime:é").expect("a frame");
        let mut expected = vec![USER_BROADCAST, 11, 5, 7, JSON];
        expected.extend("realtime:éshout{\"a\":1}{\"x\":[1]}".as_bytes());
        assert_eq!(&frame[..], expected);
        let envelope = r#"{"event":"shout","payload":{"x":[1]},"type":"broadcast","meta":{"a":1}}"#;
        assert_eq!(broadcast.envelope().as_deref(), Some(envelope));
    }

    #[test]
    fn persist_metadata_requests_broadcast_storage() {
        for (metadata, asks) in [
            ("", false),
            (r#"{"persist":true}"#, true),
            (r#"{"persist":{"ttl":60}}"#, true),
            (r#"{"persist":false}"#, false),
            (r#"{"persist":"yes"}"#, false),
        ] {
            let message = read(&pushed(metadata, JSON, b"{}")).expect("a message");
            let ClientPayload::Broadcast(broadcast) = message.payload else { panic!("none") };
            assert_eq!(broadcast.asks_to_be_stored(), asks, "{metadata}");
            assert_eq!(&*broadcast.for_receivers().metadata, "");
        }
    }

    #[test]
    fn bytes_have_no_envelope() {
        let message = read(&pushed("", BINARY, &[0, 255])).expect("a message");
        let ClientPayload::Broadcast(broadcast) = message.payload else { panic!("no broadcast") };
        assert_eq!(broadcast.payload, UserPayload::Bytes(Bytes::from_static(&[0, 255])));
        assert_eq!(broadcast.envelope(), None);
        assert!(broadcast.frame(&"t".repeat(256)).is_none());
    }

    #[test]
    fn incomplete_or_unknown_frames_are_dropped() {
        let complete = pushed("", JSON, b"{}");
        for end in 0..complete.len() {
            assert!(read(&complete.slice(..end)).is_none(), "{end}");
        }
        for kind in [1, 2, 4, 9] {
            assert!(read(&Bytes::from(vec![kind; 40])).is_none(), "{kind}");
        }
        assert!(read(&pushed("", JSON, b"{")).is_none());
        assert!(read(&pushed("[]", JSON, b"{}")).is_none());
    }
}
