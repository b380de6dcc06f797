//! `auth.refresh_tokens`: the chain of a session.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::refresh::{Active, Presented};

/// Appends a token to a session's chain.
pub async fn insert(
    conn: &mut PgConnection,
    token: &str,
    user_id: Uuid,
    session_id: Uuid,
    parent: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.refresh_tokens (
            instance_id, token, user_id, session_id, parent, revoked, created_at, updated_at
        )
        values ('00000000-0000-0000-0000-000000000000', $1, $2::text, $3, $4, false, $5, $5)",
    )
    .bind(token)
    .bind(user_id.to_string())
    .bind(session_id)
    .bind(parent)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Where a token belongs: whether it exists, and its session.
pub async fn session_of(
    conn: &mut PgConnection,
    token: &str,
) -> sqlx::Result<Option<Option<Uuid>>> {
    sqlx::query_scalar("select session_id from auth.refresh_tokens where token = $1")
        .bind(token)
        .fetch_optional(conn)
        .await
}

/// A token's state; read it under the session's lock.
pub async fn presented(conn: &mut PgConnection, token: &str) -> sqlx::Result<Option<Presented>> {
    let row: Option<(bool, DateTime<Utc>)> = sqlx::query_as(
        "select
            coalesce(revoked, false),
            coalesce(updated_at, created_at, 'epoch')
        from auth.refresh_tokens
        where token = $1",
    )
    .bind(token)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|(revoked, updated_at)| Presented { token: token.to_owned(), revoked, updated_at }))
}

/// The session's unused token.
pub async fn active(conn: &mut PgConnection, session_id: Uuid) -> sqlx::Result<Option<Active>> {
    let row: Option<(String, Option<String>)> = sqlx::query_as(
        "select
            token,
            parent
        from auth.refresh_tokens
        where session_id = $1
            and revoked = false
        order by id desc
        limit 1",
    )
    .bind(session_id)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|(token, parent)| Active { token, parent }))
}

/// Marks a token used; the moment of its last use slides.
pub async fn revoke(conn: &mut PgConnection, token: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("update auth.refresh_tokens set revoked = true, updated_at = $2 where token = $1")
        .bind(token)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Marks every token of a session used.
pub async fn revoke_family(
    conn: &mut PgConnection,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.refresh_tokens
        set revoked = true, updated_at = $2
        where session_id = $1
            and revoked = false",
    )
    .bind(session_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}
