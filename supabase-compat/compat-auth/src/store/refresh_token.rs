//! `auth.refresh_tokens`: the chain of tokens of a session.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::Session;
use crate::model::refresh::{ActiveToken, PresentedToken};

/// Appends a token to a session's chain.
pub async fn insert(
    conn: &mut PgConnection,
    token: &str,
    user_id: Uuid,
    session_id: Uuid,
    parent: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
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
        .bind(now),
        conn,
    )
    .await
}

/// Loads and locks the session of a token; every other refresh of it waits until the transaction
/// ends. Sets a lock timeout of five seconds for the rest of the transaction.
pub async fn lock_session(conn: &mut PgConnection, token: &str) -> sqlx::Result<Option<Session>> {
    sqlx::query_as(
        "select
            sessions.id,
            sessions.user_id,
            sessions.created_at,
            sessions.aal::text as aal,
            sessions.not_after,
            sessions.refreshed_at,
            sessions.oauth_client_id,
            sessions.scopes
        from (select pg_catalog.set_config('lock_timeout', '5s', true)) as lock_timeout
        cross join auth.refresh_tokens
        join auth.sessions on sessions.id = refresh_tokens.session_id
        where refresh_tokens.token = $1
        for update of sessions",
    )
    .bind(token)
    .fetch_optional(conn)
    .await
}

/// Whether there is such a token, with or without a session.
pub async fn exists(conn: &mut PgConnection, token: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (select 1 from auth.refresh_tokens where refresh_tokens.token = $1)",
    )
    .bind(token)
    .fetch_one(conn)
    .await
}

/// A token's state and its session's unused token; read them under the session's lock.
pub async fn presented(
    conn: &mut PgConnection,
    token: &str,
) -> sqlx::Result<Option<(PresentedToken, Option<ActiveToken>)>> {
    type Row = (bool, DateTime<Utc>, Option<String>, Option<String>);
    let row: Option<Row> = sqlx::query_as(
        "select
            coalesce(presented.revoked, false),
            coalesce(presented.updated_at, presented.created_at, 'epoch'),
            active.token,
            active.parent
        from auth.refresh_tokens as presented
        left join lateral (
            select
                refresh_tokens.token,
                refresh_tokens.parent
            from auth.refresh_tokens
            where refresh_tokens.session_id = presented.session_id
                and refresh_tokens.revoked = false
            order by refresh_tokens.id desc
            limit 1
        ) as active on true
        where presented.token = $1",
    )
    .bind(token)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|(revoked, updated_at, active, parent)| {
        let presented = PresentedToken { token: token.to_owned(), revoked, updated_at };
        (presented, active.map(|token| ActiveToken { token, parent }))
    }))
}

/// The session's unused token.
pub async fn active(
    conn: &mut PgConnection,
    session_id: Uuid,
) -> sqlx::Result<Option<ActiveToken>> {
    let row: Option<(String, Option<String>)> = sqlx::query_as(
        "select
            token,
            parent
        from auth.refresh_tokens
        where session_id = $1
            and revoked = false
            and token is not null
        order by id desc
        limit 1",
    )
    .bind(session_id)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|(token, parent)| ActiveToken { token, parent }))
}

/// Marks a token as used; for a used token the time is updated.
pub async fn revoke(conn: &mut PgConnection, token: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.refresh_tokens set revoked = true, updated_at = $2 where token = $1",
        )
        .bind(token)
        .bind(now),
        conn,
    )
    .await
}

/// Marks every token of a session as used.
pub async fn revoke_family(
    conn: &mut PgConnection,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.refresh_tokens
            set revoked = true, updated_at = $2
            where session_id = $1
                and revoked = false",
        )
        .bind(session_id)
        .bind(now),
        conn,
    )
    .await
}
