//! The stored messages of a private channel.

use chrono::{DateTime, Utc};
use compat_pg::{OwnerDb, PgError};
use uuid::Uuid;

/// A stored message.
#[derive(Debug)]
pub(crate) struct PastMessage {
    pub id: Uuid,
    pub event: String,
    /// JSON text.
    pub payload: Option<String>,
    pub binary_payload: Option<Vec<u8>>,
}

type PastRow = (Uuid, String, Option<String>, Option<Vec<u8>>);

/// The newest messages since a moment, oldest first: at most `limit` messages, and `bytes` of
/// payloads.
pub(crate) async fn past(
    db: &OwnerDb,
    topic: &str,
    since: DateTime<Utc>,
    limit: i64,
    bytes: i64,
) -> Result<Vec<PastMessage>, PgError> {
    let mut owner = db.begin().await?;
    let query = sqlx::query_as(
        "select id, event, payload, binary_payload
        from (
            select
                n.*,
                sum(coalesce(octet_length(n.payload), octet_length(n.binary_payload)))
                over (order by n.inserted_at desc, n.id) as bytes
            from (
                select id, event, payload::text as payload, binary_payload, inserted_at
                from realtime.messages
                where topic = $1
                    and private
                    and extension = 'broadcast'
                    and event is not null
                    and inserted_at >= $2 at time zone 'utc'
                    and inserted_at < (now() at time zone 'utc') + interval '1 minute'
                order by inserted_at desc, id
                limit $3
            ) as n
        ) as sized
        where bytes <= $4::int8
        order by inserted_at desc, id",
    );
    let rows: Vec<PastRow> =
        query.bind(topic).bind(since).bind(limit).bind(bytes).fetch_all(&mut *owner).await?;
    owner.rollback().await?;
    let messages = rows.into_iter().rev().map(|(id, event, payload, binary_payload)| PastMessage {
        id,
        event,
        payload,
        binary_payload,
    });
    Ok(messages.collect())
}
