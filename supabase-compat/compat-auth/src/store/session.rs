//! `auth.sessions`, and their authentication methods in `auth.mfa_amr_claims`.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::{Amr, Session};

/// A new session at the lowest level, with its authentication method and its first token.
pub struct NewSession<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub user_agent: &'a str,
    pub ip: IpAddr,
    /// The OAuth client of the session, and its scopes.
    pub client: Option<(Uuid, &'a str)>,
    pub method_id: Uuid,
    pub method: &'a str,
    pub refresh_token: &'a str,
    pub now: DateTime<Utc>,
}

/// Inserts the session, its method and its token.
pub async fn open(conn: &mut PgConnection, new: &NewSession<'_>) -> sqlx::Result<()> {
    let (client, scopes) = new.client.unzip();
    // One round trip. Foreign keys are checked at the statement's end, when all rows are there.
    done(
        sqlx::query(
            "with opened as (
                insert into auth.sessions (
                    id, user_id, aal, user_agent, ip, oauth_client_id, scopes, created_at, updated_at
                )
                values ($1, $2, 'aal1', $3, $4::text::inet, $5, $6, $7, $7)
            ),
            authenticated as (
                insert into auth.mfa_amr_claims (
                    id, session_id, authentication_method, created_at, updated_at
                )
                values ($8, $1, $9, $7, $7)
            )
            insert into auth.refresh_tokens (
                instance_id, token, user_id, session_id, revoked, created_at, updated_at
            )
            values ('00000000-0000-0000-0000-000000000000', $10, $2::text, $1, false, $7, $7)",
        )
        .bind(new.id)
        .bind(new.user_id)
        .bind(new.user_agent)
        .bind(new.ip.to_string())
        .bind(client)
        .bind(scopes)
        .bind(new.now)
        .bind(new.method_id)
        .bind(new.method)
        .bind(new.refresh_token),
        conn,
    )
    .await
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

/// Loads and locks a session; every other refresh of it waits until the transaction ends.
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

/// A use of a session's refresh token.
pub struct SessionUse<'a> {
    pub session: Uuid,
    pub user_agent: &'a str,
    pub ip: IpAddr,
    pub now: DateTime<Utc>,
}

/// Exchanges `token` for `child`, records the use, and returns the session's authentication
/// methods. `refreshed_at` is in UTC without a time zone; for a used token the time of its use is
/// updated.
pub async fn rotate(
    conn: &mut PgConnection,
    used: &SessionUse<'_>,
    user_id: Uuid,
    token: &str,
    child: &str,
) -> sqlx::Result<Vec<Amr>> {
    sqlx::query_as(
        "with revoked as (
            update auth.refresh_tokens set revoked = true, updated_at = $2 where token = $6
        ),
        issued as (
            insert into auth.refresh_tokens (
                instance_id, token, user_id, session_id, parent, revoked, created_at, updated_at
            )
            values ('00000000-0000-0000-0000-000000000000', $7, $8, $1, $6, false, $2, $2)
        ),
        refreshed as (
            update auth.sessions
            set refreshed_at = $3,
                updated_at = $2,
                user_agent = $4,
                ip = $5::text::inet
            where id = $1
        )
        select
            authentication_method,
            updated_at
        from auth.mfa_amr_claims
        where session_id = $1
        order by updated_at desc, created_at desc",
    )
    .bind(used.session)
    .bind(used.now)
    .bind(used.now.naive_utc())
    .bind(used.user_agent)
    .bind(used.ip.to_string())
    .bind(token)
    .bind(child)
    .bind(user_id.to_string())
    .fetch_all(conn)
    .await
}

/// Records a use that issues no token, and returns the session's authentication methods.
pub async fn set_refreshed(
    conn: &mut PgConnection,
    used: &SessionUse<'_>,
) -> sqlx::Result<Vec<Amr>> {
    sqlx::query_as(
        "with refreshed as (
            update auth.sessions
            set refreshed_at = $3,
                updated_at = $2,
                user_agent = $4,
                ip = $5::text::inet
            where id = $1
        )
        select
            authentication_method,
            updated_at
        from auth.mfa_amr_claims
        where session_id = $1
        order by updated_at desc, created_at desc",
    )
    .bind(used.session)
    .bind(used.now)
    .bind(used.now.naive_utc())
    .bind(used.user_agent)
    .bind(used.ip.to_string())
    .fetch_all(conn)
    .await
}

/// Sets the session's level and the factor that raised it.
pub async fn set_level(
    conn: &mut PgConnection,
    id: Uuid,
    aal: &str,
    factor_id: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.sessions
            set aal = $2::text::auth.aal_level, factor_id = $3, updated_at = $4
            where id = $1",
        )
        .bind(id)
        .bind(aal)
        .bind(factor_id)
        .bind(now),
        conn,
    )
    .await
}

/// Records an authentication method, or updates its time.
pub async fn add_amr(
    conn: &mut PgConnection,
    id: Uuid,
    session_id: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
            values ($1, $2, $3, $4, $4)
            on conflict (session_id, authentication_method)
            do update set updated_at = excluded.updated_at",
        )
        .bind(id)
        .bind(session_id)
        .bind(method)
        .bind(now),
        conn,
    )
    .await
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
    done(sqlx::query("delete from auth.sessions where id = $1").bind(id), conn).await
}

pub async fn delete_all(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.sessions where user_id = $1").bind(user_id), conn).await
}

/// Deletes the user's other sessions.
pub async fn delete_others(
    conn: &mut PgConnection,
    user_id: Uuid,
    session_id: Uuid,
) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where user_id = $1 and id <> $2")
        .bind(user_id)
        .bind(session_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes the user's sessions below the second level.
pub async fn delete_weaker(
    conn: &mut PgConnection,
    user_id: Uuid,
    session_id: Uuid,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "delete from auth.sessions
            where user_id = $1
                and id <> $2
                and (aal is null or aal < 'aal2')",
        )
        .bind(user_id)
        .bind(session_id),
        conn,
    )
    .await
}

/// Lowers sessions that used a factor to the first level, and deletes the factor's method.
pub async fn downgrade(
    conn: &mut PgConnection,
    factor_id: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    // The methods are deleted first: they are found by `factor_id`, which the second statement
    // clears.
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

/// The newest of the sessions that exclude each other with this one: those of the same user and
/// tag. A tag that is not in the list counts as the first of the list.
pub async fn newest_like(
    conn: &mut PgConnection,
    id: Uuid,
    tags: &[String],
) -> sqlx::Result<Option<Uuid>> {
    // Without a list every tag is null, and all sessions of the person exclude each other.
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
