//! `_console.ceremonies`: passkey ceremonies that wait for a browser's answer.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// A ceremony that starts.
pub struct NewCeremony<'a> {
    pub id: Uuid,
    pub operator: Option<Uuid>,
    pub purpose: &'a str,
    pub state: &'a Value,
    pub expires_at: DateTime<Utc>,
}

/// Inserts a ceremony. Deletes expired ones and, of those without a known operator, all but the
/// `most` latest, because strangers may start any number of them.
pub async fn insert(
    conn: &mut PgConnection,
    new: &NewCeremony<'_>,
    now: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<()> {
    sqlx::query(
        "delete from _console.ceremonies
        where expires_at <= $1
            or id in (
                select c.id
                from _console.ceremonies as c
                where c.operator_id is null
                order by c.expires_at desc
                offset $2
            )",
    )
    .bind(now)
    .bind(most)
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "insert into _console.ceremonies (id, operator_id, purpose, state, expires_at)
        values ($1, $2, $3, $4, $5)",
    )
    .bind(new.id)
    .bind(new.operator)
    .bind(new.purpose)
    .bind(new.state)
    .bind(new.expires_at)
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes and returns a ceremony, so that it can be used only once, whatever its outcome.
pub async fn take(
    conn: &mut PgConnection,
    id: Uuid,
    operator: Option<Uuid>,
    purpose: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Value>> {
    sqlx::query_scalar(
        "delete from _console.ceremonies
        where id = $1
            and operator_id is not distinct from $2
            and purpose = $3
            and expires_at > $4
        returning state",
    )
    .bind(id)
    .bind(operator)
    .bind(purpose)
    .bind(now)
    .fetch_optional(conn)
    .await
}
