//! Stores broadcasts of clients, for the replay of their channels.
//!
//! Triggers on `realtime.messages` are a project's own code. They run in a session of
//! `authenticator`, as the queries for rights do.

use std::net::IpAddr;

use compat_pg::{Acting, ActingDb, Identity, PgError, Row, Statement, TransactionOptions};

use super::policy::{LOGIN, TIMEOUT};
use crate::protocol::UserPayload;

const STORE: &str = "select realtime.store_broadcast($1, $2, $3::jsonb, $4::bytea)::text";

/// Stores a broadcast and returns its id. The caller has checked the right to store it.
pub(crate) async fn store(
    db: &ActingDb,
    topic: &str,
    client: IpAddr,
    event: &str,
    payload: &UserPayload,
) -> Result<String, PgError> {
    let (json, bytes) = match payload {
        UserPayload::Json(text) => (Some(&**text), None),
        UserPayload::Bytes(bytes) => (None, Some(format!("\\x{}", hex::encode(bytes)))),
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
        extra: &[TIMEOUT, ("realtime.topic", topic)],
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
