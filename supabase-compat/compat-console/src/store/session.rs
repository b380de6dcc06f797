//! `_console.sessions`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A session with its operator.
#[derive(sqlx_macros::FromRow)]
pub struct SessionRow {
    pub id: Uuid,
    pub email: String,
    pub role: String,
    pub last_seen_at: DateTime<Utc>,
}

/// Inserts a session, and deletes expired ones.
pub async fn insert(
    conn: &mut PgConnection,
    token_hash: &[u8],
    operator: Uuid,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("delete from _console.sessions where expires_at <= $1")
        .bind(now)
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "insert into _console.sessions (token_hash, operator_id, created_at, last_seen_at, expires_at)
        values ($1, $2, $3, $3, $4)",
    )
    .bind(token_hash)
    .bind(operator)
    .bind(now)
    .bind(expires_at)
    .execute(conn)
    .await
    .map(drop)
}

/// The session of a token, unless it has expired or has been idle since `idle_since`.
pub async fn find(
    conn: &mut PgConnection,
    token_hash: &[u8],
    now: DateTime<Utc>,
    idle_since: DateTime<Utc>,
) -> sqlx::Result<Option<SessionRow>> {
    sqlx::query_as(
        "select o.id, o.email, o.role, s.last_seen_at
        from _console.sessions as s
        join _console.operators as o on o.id = s.operator_id
        where s.token_hash = $1
            and s.expires_at > $2
            and s.last_seen_at > $3",
    )
    .bind(token_hash)
    .bind(now)
    .bind(idle_since)
    .fetch_optional(conn)
    .await
}

/// Updates the time of last use of a session and its operator.
pub async fn touch(
    conn: &mut PgConnection,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with touched as (
            update _console.sessions
            set last_seen_at = $2
            where token_hash = $1
            returning operator_id
        )
        update _console.operators
        set last_seen_at = $2
        where id in (select operator_id from touched)",
    )
    .bind(token_hash)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes a session.
pub async fn delete(conn: &mut PgConnection, token_hash: &[u8]) -> sqlx::Result<()> {
    sqlx::query("delete from _console.sessions where token_hash = $1")
        .bind(token_hash)
        .execute(conn)
        .await
        .map(drop)
}

/// Deletes all sessions of an operator except this one.
pub async fn delete_others(
    conn: &mut PgConnection,
    operator: Uuid,
    token_hash: &[u8],
) -> sqlx::Result<()> {
    sqlx::query("delete from _console.sessions where operator_id = $1 and token_hash <> $2")
        .bind(operator)
        .bind(token_hash)
        .execute(conn)
        .await
        .map(drop)
}
