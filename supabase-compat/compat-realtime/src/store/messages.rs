//! Broadcasts of clients that are stored, for the past of their channels.
//!
//! Triggers on `realtime.messages` are a project's own code. They run in a session of `authenticator`, as
//! where rights are asked for.

use std::net::IpAddr;

use compat_pg::{Acting, ActingDb, Identity, PgError, Row, Statement, TransactionOptions};

use super::policy::{LOGIN, PATIENCE};
use crate::protocol::UserPayload;

const STORE: &str = "select realtime.store_broadcast($1, $2, $3::jsonb, $4::bytea)::text";

/// Stores a broadcast; gives its id. Whether anybody may is not asked here.
pub(crate) async fn store(
    db: &ActingDb,
    topic: &str,
    client: IpAddr,
    event: &str,
    payload: &UserPayload,
) -> Result<String, PgError> {
    let (json, bytes) = match payload {
        UserPayload::Json(text) => (Some(&**text), None),
        UserPayload::Bytes(bytes) => (None, Some(hexadecimal(bytes))),
    };
    let identity = Identity {
        role: LOGIN,
        claims_json: "{}",
        method: "POST",
        path: "",
        headers_json: "{}",
        cookies_json: "{}",
        search_path: "public, extensions",
        read_only: false,
        commit: true,
        client: Some(client),
        extra: &[PATIENCE, ("realtime.topic", topic)],
    };
    let params = [Some(topic), Some(event), json, bytes.as_deref()];
    let mut acting = db.begin(&TransactionOptions::default(), &identity);
    let rows = rows_of(&mut acting, STORE, &params).await?;
    acting.commit().await?;
    rows.first().map_or_else(|| Ok(String::new()), |row| row.try_get(0))
}

async fn rows_of(
    acting: &mut Acting<'_>,
    sql: &str,
    params: &[Option<&str>],
) -> Result<Vec<Row>, PgError> {
    acting.run(Statement { sql, params }).await
}

/// `bytea` in its hexadecimal form.
fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    let digits = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    "\\x".chars().chain(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_digits() {
        assert_eq!(hexadecimal(&[0, 0x1f, 0xff]), r"\x001fff");
    }
}
