//! `_console.setup_links`. A used link is deleted.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Whether the database has a console.
pub async fn is_kept(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("select pg_catalog.to_regclass('_console.setup_links') is not null")
        .fetch_one(conn)
        .await
}

/// Inserts a link, and deletes expired ones.
pub async fn insert(
    conn: &mut PgConnection,
    token_hash: &[u8],
    role: &str,
    is_first: bool,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("delete from _console.setup_links where expires_at <= $1")
        .bind(now)
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "insert into _console.setup_links (token_hash, role, is_first, expires_at)
        values ($1, $2, $3, $4)",
    )
    .bind(token_hash)
    .bind(role)
    .bind(is_first)
    .bind(expires_at)
    .execute(conn)
    .await
    .map(drop)
}

/// The role of a token's link, if the link is valid.
pub async fn find(
    conn: &mut PgConnection,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "select l.role
        from _console.setup_links as l
        where l.token_hash = $1
            and l.expires_at > $2
            and not (l.is_first and exists (select from _console.operators))",
    )
    .bind(token_hash)
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// Deletes a link when it is used; returns false if another request has used it.
pub async fn delete(conn: &mut PgConnection, token_hash: &[u8]) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from _console.setup_links where token_hash = $1")
        .bind(token_hash)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the first owner's links of earlier starts.
pub async fn delete_first(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("delete from _console.setup_links where is_first").execute(conn).await.map(drop)
}
