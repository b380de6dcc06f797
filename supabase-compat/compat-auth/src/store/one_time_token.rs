//! `auth.one_time_tokens`: pending codes by their hash, one per user and kind.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::OneTime;

/// Replaces the user's pending token of this kind.
pub async fn put(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    kind: OneTime,
    hash: &str,
    relates_to: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
        values ($1, $2, $3::text::auth.one_time_token_type, $4, $5, $6, $6)
        on conflict (user_id, token_type)
        do update set
            token_hash = excluded.token_hash,
            relates_to = excluded.relates_to,
            created_at = excluded.created_at,
            updated_at = excluded.updated_at",
    )
    .bind(id)
    .bind(user_id)
    .bind(kind.as_str())
    .bind(hash)
    .bind(relates_to)
    .bind(now.naive_utc())
    .execute(conn)
    .await?;
    Ok(())
}

/// The user and kind of a pending hash among `kinds`; `other` is the same hash with or without its mark.
pub async fn find(
    conn: &mut PgConnection,
    hash: &str,
    other: &str,
    kinds: &[OneTime],
) -> sqlx::Result<Option<Uuid>> {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    sqlx::query_scalar(
        "select user_id
        from auth.one_time_tokens
        where (token_hash = $1 or token_hash = $2)
            and token_type::text = any($3)
        order by created_at desc
        limit 1",
    )
    .bind(hash)
    .bind(other)
    .bind(&kinds)
    .fetch_optional(conn)
    .await
}

/// Forgets the user's pending token of one kind.
pub async fn clear(conn: &mut PgConnection, user_id: Uuid, kind: OneTime) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.one_time_tokens
        where user_id = $1
            and token_type = $2::text::auth.one_time_token_type",
    )
    .bind(user_id)
    .bind(kind.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets everything pending of the user.
pub async fn clear_all(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.one_time_tokens where user_id = $1")
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}
