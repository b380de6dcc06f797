//! The body of `POST /api/broadcast`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::RestRefusal;
use crate::hub::Broadcast;

/// A message of a batch.
pub(super) struct BatchMessage {
    pub topic: String,
    pub event: String,
    /// A JSON object, unchanged.
    pub payload: Box<RawValue>,
    pub is_private: bool,
    id: Option<String>,
}

impl BatchMessage {
    /// The message as a broadcast.
    pub fn broadcast(&self) -> Broadcast {
        let (event, payload) = (Value::from(self.event.as_str()), self.payload.get());
        let meta = match &self.id {
            Some(id) => format!(r#","meta":{}"#, json!({"id": id})),
            None => String::new(),
        };
        let text = format!(r#"{{"event":{event},"payload":{payload},"type":"broadcast"{meta}}}"#);
        Broadcast::Text(text.into())
    }
}

/// Parses `{"messages": […]}`; an error lists what is wrong with each message.
///
/// # Errors
/// [`RestRefusal::BatchTooLarge`] if there are more than `most`; the messages beyond are not kept.
pub(super) fn read(body: &[u8], most: usize) -> Result<Vec<BatchMessage>, RestRefusal> {
    #[derive(Deserialize)]
    struct Batch<'a> {
        #[serde(borrow)]
        messages: Option<&'a RawValue>,
    }
    let body: Batch<'_> = serde_json::from_slice(body).map_err(|_| RestRefusal::BadBody)?;
    let wrong =
        |problem: Value| RestRefusal::Fields(BTreeMap::from([("messages".into(), problem)]));
    let messages = body.messages.ok_or_else(|| wrong(json!(["can't be blank"])))?;
    let mut reader = serde_json::Deserializer::from_str(messages.get());
    let messages = FirstOfList(most + 1).deserialize(&mut reader);
    let messages = messages.map_err(|_| wrong(json!(["is invalid"])))?;
    if messages.len() > most {
        return Err(RestRefusal::BatchTooLarge);
    }
    let read: Vec<Result<BatchMessage, Value>> = messages.into_iter().map(read_message).collect();
    if read.iter().any(Result::is_err) {
        let problems = read.into_iter().map(|one| one.err().unwrap_or_else(|| json!({})));
        return Err(wrong(problems.collect()));
    }
    Ok(read.into_iter().filter_map(Result::ok).collect())
}

/// Deserializes at most this many messages of a list, and skips the others.
struct FirstOfList(usize);

impl<'de> DeserializeSeed<'de> for FirstOfList {
    type Value = Vec<MessageFields<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for FirstOfList {
    type Value = Vec<MessageFields<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut messages = Vec::new();
        while messages.len() < self.0 {
            let Some(message) = list.next_element()? else { return Ok(messages) };
            messages.push(message);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(messages)
    }
}

/// A message whose fields are unchecked JSON.
#[derive(Deserialize)]
struct MessageFields<'a> {
    #[serde(borrow)]
    topic: Option<&'a RawValue>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    private: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

fn read_message(fields: MessageFields<'_>) -> Result<BatchMessage, Value> {
    let mut problems = serde_json::Map::new();
    let mut text = |name: &str, raw: Option<&RawValue>| -> String {
        match raw.map(|raw| serde_json::from_str::<String>(raw.get())) {
            Some(Ok(text)) if !text.is_empty() => return text,
            None | Some(Ok(_)) => problems.insert(name.to_owned(), json!(["can't be blank"])),
            Some(Err(_)) => problems.insert(name.to_owned(), json!(["is invalid"])),
        };
        String::new()
    };
    let (topic, event) = (text("topic", fields.topic), text("event", fields.event));
    if fields.payload.is_none() {
        problems.insert("payload".to_owned(), json!(["can't be blank"]));
    } else if fields.payload.is_some_and(|payload| !payload.get().starts_with('{')) {
        problems.insert("payload".to_owned(), json!(["is invalid"]));
    }
    let flag = fields.private.map(RawValue::get);
    let id = fields.id.and_then(|raw| serde_json::from_str(raw.get()).ok());
    match fields.payload {
        Some(payload) if problems.is_empty() => Ok(BatchMessage {
            topic,
            event,
            payload: payload.to_owned(),
            is_private: matches!(flag, Some("true" | "\"true\"")),
            id,
        }),
        _ => Err(problems.into()),
    }
}
