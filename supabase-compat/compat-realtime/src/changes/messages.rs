//! Broadcasts from the database: rows of `realtime.messages`, each delivered once.

use std::collections::{HashSet, VecDeque};

use chrono::{DateTime, Utc};
use compat_pg::{OwnerDb, PgError};
use compat_replication::{Insert, Relation, Value};
use serde_json::json;
use uuid::Uuid;

use crate::hub::{Broadcast, Hub, TopicKey};
use crate::protocol::{UserBroadcast, UserPayload};
use crate::store::changes as store;

/// The most ids of delivered messages that are kept.
const REMEMBERED: usize = 50_000;
/// The most messages that are loaded after the stream was lost.
const MOST_MISSED: i64 = 10_000;

/// The most bytes of their payloads: all of them are in memory at once.
const MISSED_BYTES: i64 = 64 << 20;

/// Delivers messages to the topics of this process.
pub(super) struct MessageFeed {
    hub: Hub,
    max_payload: usize,
    table: Option<MessagesTable>,
    passed: HashSet<Uuid>,
    order: VecDeque<Uuid>,
    /// When the first stream of an uninterrupted series of reconnections began, by the database's
    /// clock.
    since: Option<DateTime<Utc>>,
}

/// The oid and the columns of `realtime.messages`.
struct MessagesTable {
    id: u32,
    columns: Vec<String>,
}

/// A row of `realtime.messages`.
struct MessageRow<'a> {
    id: Uuid,
    topic: &'a str,
    event: &'a str,
    is_private: bool,
    payload: UserPayload,
}

impl MessageFeed {
    pub fn new(hub: Hub, max_payload: usize) -> Self {
        let (passed, order) = (HashSet::new(), VecDeque::new());
        Self { hub, max_payload, table: None, passed, order, since: None }
    }

    /// Prepares for a new stream. If the previous one was lost, delivers the messages that were
    /// committed meanwhile.
    pub async fn begin(&mut self, db: &OwnerDb, was_lost: bool) -> Result<(), PgError> {
        self.table = None;
        let Some(since) = self.since.filter(|_| was_lost) else {
            self.since = Some(store::server_time(db).await?);
            return Ok(());
        };
        let largest = i64::try_from(self.max_payload).unwrap_or(i64::MAX);
        for missed in store::missed(db, since, MOST_MISSED, largest, MISSED_BYTES).await? {
            let payload = match (&missed.payload, missed.binary_payload) {
                (Some(text), _) => UserPayload::Json(text.as_str().into()),
                (None, Some(bytes)) => UserPayload::Bytes(bytes.into()),
                (None, None) => continue,
            };
            self.pass(MessageRow {
                id: missed.id,
                topic: &missed.topic,
                event: &missed.event,
                is_private: missed.private,
                payload,
            });
        }
        Ok(())
    }

    /// Records the shape of `realtime.messages`.
    pub fn learn(&mut self, relation: &Relation) {
        if relation.schema == "realtime" && relation.table == "messages" {
            let columns = relation.columns.iter().map(|column| column.name.clone()).collect();
            self.table = Some(MessagesTable { id: relation.id, columns });
        }
    }

    /// Delivers the message of a row; returns false if the row belongs to another table.
    pub fn take(&mut self, insert: &Insert) -> bool {
        let Some(table) = self.table.as_ref().filter(|table| table.id == insert.relation) else {
            return false;
        };
        let value = |name: &str| {
            let index = table.columns.iter().position(|column| column == name)?;
            insert.new.0.get(index).and_then(Value::text)
        };
        let row = || {
            let payload = match (value("payload"), value("binary_payload")) {
                (Some(text), _) => UserPayload::Json(text.into()),
                (None, Some(hex)) => UserPayload::Bytes(bytes(hex)?.into()),
                (None, None) => return None,
            };
            // Probe rows have no event, but they are never committed anyway.
            value("inserted_at")?;
            (value("extension")? == "broadcast").then_some(())?;
            // A broadcast that a client had stored was already sent.
            (value("skip_broadcast") != Some("t")).then_some(())?;
            let is_private = value("private")? == "t";
            let (topic, event) = (value("topic")?, value("event")?);
            Some(MessageRow { id: value("id")?.parse().ok()?, topic, event, is_private, payload })
        };
        if let Some(row) = row() {
            self.pass(row);
        }
        true
    }

    fn pass(&mut self, row: MessageRow<'_>) {
        if row.payload.len() > self.max_payload {
            tracing::warn!(id = %row.id, "message from the database dropped: it is too large");
            return;
        }
        if !self.passed.insert(row.id) {
            return;
        }
        self.order.push_back(row.id);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.passed.remove(&oldest);
        }
        let topic = TopicKey {
            topic: format!("realtime:{}", row.topic).into(),
            is_private: row.is_private,
        };
        let metadata = json!({"id": row.id}).to_string().into();
        let broadcast = UserBroadcast { event: row.event.into(), metadata, payload: row.payload };
        self.hub.deliver(&topic, &Broadcast::User(broadcast));
    }
}

/// `bytea` in its hexadecimal form, `\xdeadbeef`.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("\\x")?.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::bytes;

    #[test]
    fn random_bytes_are_read_from_their_digits() {
        property_test("bytea", any::<Vec<u8>>(), |value| {
            let text: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(bytes(&format!("\\x{text}")), Some(value));
        });
        assert_eq!(bytes("\\x1"), None);
        assert_eq!(bytes("\\xgg"), None);
    }
}
