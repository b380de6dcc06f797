//! Removing what expired, a thousand rows of a kind at a time, so that no run holds locks for long.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

pub async fn refresh_tokens(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.refresh_tokens
        where id in (
            select id
            from auth.refresh_tokens
            where revoked
                and updated_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn ended_sessions(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.sessions
        where id in (
            select id
            from auth.sessions
            where not_after < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(now)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn sessions_from_before(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.sessions
        where id in (
            select id
            from auth.sessions
            where created_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn sessions_unused_since(
    conn: &mut PgConnection,
    since: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.sessions
        where id in (
            select id
            from auth.sessions
            where coalesce(refreshed_at at time zone 'utc', created_at) < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(since)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn flows(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    sqlx::query("delete from auth.oauth_client_states where created_at < $1")
        .bind(before)
        .execute(&mut *conn)
        .await?;
    let done = sqlx::query(
        "delete from auth.flow_state
        where id in (
            select id
            from auth.flow_state
            where created_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn challenges(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.mfa_challenges
        where id in (
            select id
            from auth.mfa_challenges
            where created_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn unverified_factors(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.mfa_factors
        where id in (
            select id
            from auth.mfa_factors
            where status = 'unverified'
                and created_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

pub async fn anonymous_users(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.users
        where id in (
            select id
            from auth.users
            where is_anonymous
                and created_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Ceremonies of passkeys that nobody ended.
pub async fn ceremonies(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query(
        "delete from auth.webauthn_challenges
        where id in (
            select id
            from auth.webauthn_challenges
            where expires_at < $1
            limit 1000
            for update skip locked
        )",
    )
    .bind(before)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
