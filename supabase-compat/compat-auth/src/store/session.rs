//! `auth.sessions` and how each was authenticated (`auth.mfa_amr_claims`).

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::{Amr, Session};

/// Opens a session at the lowest level.
pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    user_agent: &str,
    ip: IpAddr,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at)
        values ($1, $2, 'aal1', $3, $4::text::inet, $5, $5)",
    )
    .bind(id)
    .bind(user_id)
    .bind(user_agent)
    .bind(ip.to_string())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn load(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Session>> {
    sqlx::query_as(
        "select
            id,
            user_id,
            created_at,
            aal::text as aal,
            not_after,
            refreshed_at,
            oauth_client_id,
            scopes
        from auth.sessions
        where id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// The same, and every other refresh of the session waits until the transaction ends.
pub async fn load_locked(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Session>> {
    sqlx::query_as(
        "select
            id,
            user_id,
            created_at,
            aal::text as aal,
            not_after,
            refreshed_at,
            oauth_client_id,
            scopes
        from auth.sessions
        where id = $1
        for update",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// How long a statement of this transaction waits for a lock.
pub async fn limit_lock_wait(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("select set_config('lock_timeout', '5s', true)").execute(conn).await?;
    Ok(())
}

/// Notes a refresh; `refreshed_at` is UTC without saying so.
pub async fn set_refreshed(
    conn: &mut PgConnection,
    id: Uuid,
    user_agent: &str,
    ip: IpAddr,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.sessions
        set refreshed_at = $2,
            updated_at = $3,
            user_agent = $4,
            ip = $5::text::inet
        where id = $1",
    )
    .bind(id)
    .bind(now.naive_utc())
    .bind(now)
    .bind(user_agent)
    .bind(ip.to_string())
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets the level and the factor that gave it.
pub async fn set_level(
    conn: &mut PgConnection,
    id: Uuid,
    aal: &str,
    factor_id: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.sessions
        set aal = $2::text::auth.aal_level, factor_id = $3, updated_at = $4
        where id = $1",
    )
    .bind(id)
    .bind(aal)
    .bind(factor_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Records a method of authentication, or moves its moment.
pub async fn add_amr(
    conn: &mut PgConnection,
    id: Uuid,
    session_id: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
        values ($1, $2, $3, $4, $4)
        on conflict (session_id, authentication_method)
        do update set updated_at = excluded.updated_at",
    )
    .bind(id)
    .bind(session_id)
    .bind(method)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn amr(conn: &mut PgConnection, session_id: Uuid) -> sqlx::Result<Vec<Amr>> {
    sqlx::query_as(
        "select
            authentication_method,
            updated_at
        from auth.mfa_amr_claims
        where session_id = $1
        order by updated_at desc, created_at desc",
    )
    .bind(session_id)
    .fetch_all(conn)
    .await
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where id = $1").bind(id).execute(conn).await?;
    Ok(())
}

pub async fn delete_all(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where user_id = $1").bind(user_id).execute(conn).await?;
    Ok(())
}

/// All of the user's but this one.
pub async fn delete_others(conn: &mut PgConnection, user_id: Uuid, kept: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where user_id = $1 and id <> $2")
        .bind(user_id)
        .bind(kept)
        .execute(conn)
        .await?;
    Ok(())
}

/// All of the user's that are weaker than a second factor makes them.
pub async fn delete_weaker(conn: &mut PgConnection, user_id: Uuid, kept: Uuid) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.sessions
        where user_id = $1
            and id <> $2
            and (aal is null or aal < 'aal2')",
    )
    .bind(user_id)
    .bind(kept)
    .execute(conn)
    .await?;
    Ok(())
}

/// Sessions that used a factor fall back to the first level and forget the factor's method.
pub async fn downgrade(
    conn: &mut PgConnection,
    factor_id: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.mfa_amr_claims
        using auth.sessions
        where sessions.id = mfa_amr_claims.session_id
            and sessions.factor_id = $1
            and mfa_amr_claims.authentication_method = $2",
    )
    .bind(factor_id)
    .bind(method)
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "update auth.sessions
        set aal = 'aal1', factor_id = null, updated_at = $2
        where factor_id = $1",
    )
    .bind(factor_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest of the sessions that exclude each other with this one: those of its person under its tag. A tag that is
/// not in the list counts for the list's first.
pub async fn newest_like(
    conn: &mut PgConnection,
    id: Uuid,
    tags: &[String],
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar(
        "with counted as (
            select
                sessions.id,
                sessions.created_at,
                sessions.refreshed_at,
                coalesce(
                    (select tag from unnest($2::text[]) as tag where lower(tag) = lower(sessions.tag) limit 1),
                    ($2::text[])[1]
                ) as tag
            from auth.sessions as mine
            join auth.sessions on sessions.user_id = mine.user_id
            where mine.id = $1
        )
        select other.id
        from counted as mine
        join counted as other on other.tag is not distinct from mine.tag
        where mine.id = $1
        order by
            coalesce(other.refreshed_at at time zone 'utc', other.created_at) desc,
            other.created_at desc
        limit 1",
    )
    .bind(id)
    .bind(tags)
    .fetch_optional(conn)
    .await
}
