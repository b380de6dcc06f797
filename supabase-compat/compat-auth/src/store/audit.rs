//! `auth.audit_log_entries`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    payload: &Value,
    ip: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.audit_log_entries (instance_id, id, payload, ip_address, created_at)
        values ('00000000-0000-0000-0000-000000000000', $1, $2::json, $3, $4)",
    )
    .bind(id)
    .bind(sqlx::types::Json(payload))
    .bind(ip)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}
