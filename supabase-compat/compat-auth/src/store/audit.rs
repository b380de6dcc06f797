//! `auth.audit_log_entries`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;

pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    payload: &Value,
    ip: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.audit_log_entries (instance_id, id, payload, ip_address, created_at)
            values ('00000000-0000-0000-0000-000000000000', $1, $2::json, $3, $4)",
        )
        .bind(id)
        .bind(sqlx::types::Json(payload))
        .bind(ip)
        .bind(now),
        conn,
    )
    .await
}

/// An entry of the audit log.
#[derive(serde::Serialize, sqlx_macros::FromRow)]
pub struct Entry {
    pub id: Uuid,
    pub payload: Option<Value>,
    pub created_at: Option<DateTime<Utc>>,
    pub ip_address: String,
}

/// One page of entries, newest first, and the number of all that match; `key` and `value` filter
/// the payload unless empty.
pub async fn page(
    conn: &mut PgConnection,
    key: &str,
    value: &str,
    limit: i64,
    offset: i64,
) -> sqlx::Result<(Vec<Entry>, i64)> {
    let total: i64 = sqlx::query_scalar(
        "select count(*)
        from auth.audit_log_entries
        where $1 = '' or payload ->> $1 = $2",
    )
    .bind(key)
    .bind(value)
    .fetch_one(&mut *conn)
    .await?;
    let entries = sqlx::query_as(
        "select
            id,
            payload,
            created_at,
            ip_address
        from auth.audit_log_entries
        where $1 = '' or payload ->> $1 = $2
        order by created_at desc, id
        limit $3
        offset $4",
    )
    .bind(key)
    .bind(value)
    .bind(limit)
    .bind(offset)
    .fetch_all(conn)
    .await?;
    Ok((entries, total))
}
