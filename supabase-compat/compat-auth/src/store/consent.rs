//! `auth.oauth_consents`: the consents that people gave to applications.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;

/// The scopes that the person allowed this client, if any.
pub async fn scopes(
    conn: &mut PgConnection,
    user: Uuid,
    client: Uuid,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "select scopes
        from auth.oauth_consents
        where user_id = $1
            and client_id = $2
            and revoked_at is null",
    )
    .bind(user)
    .bind(client)
    .fetch_optional(conn)
    .await
}

pub async fn put(
    conn: &mut PgConnection,
    id: Uuid,
    user: Uuid,
    client: Uuid,
    scopes: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at)
            values ($1, $2, $3, $4, $5)
            on conflict (user_id, client_id)
            do update set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null",
        )
        .bind(id)
        .bind(user)
        .bind(client)
        .bind(scopes)
        .bind(now),
        conn,
    )
    .await
}

/// A person's consent to one client.
#[derive(sqlx_macros::FromRow)]
pub struct GrantRow {
    pub client_id: Uuid,
    pub client_name: Option<String>,
    pub client_uri: Option<String>,
    pub logo_uri: Option<String>,
    pub scopes: String,
    pub granted_at: DateTime<Utc>,
}

pub async fn grants(conn: &mut PgConnection, user: Uuid) -> sqlx::Result<Vec<GrantRow>> {
    sqlx::query_as(
        "select
            oauth_consents.client_id,
            oauth_clients.client_name,
            oauth_clients.client_uri,
            oauth_clients.logo_uri,
            oauth_consents.scopes,
            oauth_consents.granted_at
        from auth.oauth_consents
        join auth.oauth_clients on oauth_clients.id = oauth_consents.client_id
        where oauth_consents.user_id = $1
            and oauth_consents.revoked_at is null
            and oauth_clients.deleted_at is null
        order by oauth_consents.granted_at desc",
    )
    .bind(user)
    .fetch_all(conn)
    .await
}

/// Revokes a consent and ends the sessions that it opened; false if there was none.
pub async fn revoke(
    conn: &mut PgConnection,
    user: Uuid,
    client: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    // `greatest`: the table refuses a revocation before the consent, and clocks may differ.
    let done = sqlx::query(
        "update auth.oauth_consents
        set revoked_at = greatest($3, granted_at)
        where user_id = $1
            and client_id = $2
            and revoked_at is null",
    )
    .bind(user)
    .bind(client)
    .bind(now)
    .execute(&mut *conn)
    .await?;
    sqlx::query("delete from auth.sessions where user_id = $1 and oauth_client_id = $2")
        .bind(user)
        .bind(client)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}
