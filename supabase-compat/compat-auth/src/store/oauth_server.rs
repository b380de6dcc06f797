//! `auth.oauth_clients`, `auth.oauth_authorizations` and `auth.oauth_consents`.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::model::client::Client;

pub async fn insert_client(conn: &mut PgConnection, client: &Client) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.oauth_clients (
            id, client_secret_hash, registration_type, redirect_uris, grant_types, client_name,
            client_uri, logo_uri, client_type, token_endpoint_auth_method, created_at, updated_at
        )
        values (
            $1, $2, $3::text::auth.oauth_registration_type, $4, $5, $6,
            $7, $8, $9::text::auth.oauth_client_type, $10, $11, $12
        )",
    )
    .bind(client.id)
    .bind(&client.client_secret_hash)
    .bind(&client.registration_type)
    .bind(&client.redirect_uris)
    .bind(&client.grant_types)
    .bind(&client.client_name)
    .bind(&client.client_uri)
    .bind(&client.logo_uri)
    .bind(&client.client_type)
    .bind(&client.token_endpoint_auth_method)
    .bind(client.created_at)
    .bind(client.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes what may change.
pub async fn update_client(conn: &mut PgConnection, client: &Client) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.oauth_clients
        set client_secret_hash = $2,
            redirect_uris = $3,
            grant_types = $4,
            client_name = $5,
            client_uri = $6,
            logo_uri = $7,
            token_endpoint_auth_method = $8,
            updated_at = $9
        where id = $1",
    )
    .bind(client.id)
    .bind(&client.client_secret_hash)
    .bind(&client.redirect_uris)
    .bind(&client.grant_types)
    .bind(&client.client_name)
    .bind(&client.client_uri)
    .bind(&client.logo_uri)
    .bind(&client.token_endpoint_auth_method)
    .bind(client.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn client(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Client>> {
    sqlx::query_as(
        "select
            id,
            client_secret_hash,
            registration_type::text as registration_type,
            redirect_uris,
            grant_types,
            client_name,
            client_uri,
            logo_uri,
            client_type::text as client_type,
            token_endpoint_auth_method,
            created_at,
            updated_at
        from auth.oauth_clients
        where id = $1
            and deleted_at is null",
    )
    .bind(id)
    .fetch_optional(conn)
    .await
}

/// One page, newest first, and how many there are.
pub async fn clients(
    conn: &mut PgConnection,
    limit: i64,
    offset: i64,
) -> sqlx::Result<(Vec<Client>, i64)> {
    let total: i64 =
        sqlx::query_scalar("select count(*) from auth.oauth_clients where deleted_at is null")
            .fetch_one(&mut *conn)
            .await?;
    let clients = sqlx::query_as(
        "select
            id,
            client_secret_hash,
            registration_type::text as registration_type,
            redirect_uris,
            grant_types,
            client_name,
            client_uri,
            logo_uri,
            client_type::text as client_type,
            token_endpoint_auth_method,
            created_at,
            updated_at
        from auth.oauth_clients
        where deleted_at is null
        order by created_at desc, id
        limit $1
        offset $2",
    )
    .bind(limit)
    .bind(offset)
    .fetch_all(conn)
    .await?;
    Ok((clients, total))
}

/// Marks the client as gone and ends what people allowed it.
pub async fn delete_client(
    conn: &mut PgConnection,
    id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("update auth.oauth_clients set deleted_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(&mut *conn)
        .await?;
    sqlx::query("delete from auth.sessions where oauth_client_id = $1")
        .bind(id)
        .execute(&mut *conn)
        .await?;
    sqlx::query("delete from auth.oauth_authorizations where client_id = $1")
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// A request of a client, waiting for its person.
#[derive(sqlx_macros::FromRow)]
pub struct Authorization {
    pub id: Uuid,
    pub authorization_id: String,
    pub client_id: Uuid,
    pub user_id: Option<Uuid>,
    pub redirect_uri: String,
    pub scope: String,
    pub state: Option<String>,
    pub code_challenge: Option<String>,
    pub code_challenge_method: Option<String>,
    pub status: String,
    pub expires_at: DateTime<Utc>,
    pub nonce: Option<String>,
    pub resource: Option<String>,
}

pub async fn insert_authorization(
    conn: &mut PgConnection,
    asked: &Authorization,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.oauth_authorizations (
            id, authorization_id, client_id, redirect_uri, scope, state, resource,
            code_challenge, code_challenge_method, nonce, created_at, expires_at
        )
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::auth.code_challenge_method, $10, $11, $12)",
    )
    .bind(asked.id)
    .bind(&asked.authorization_id)
    .bind(asked.client_id)
    .bind(&asked.redirect_uri)
    .bind(&asked.scope)
    .bind(&asked.state)
    .bind(&asked.resource)
    .bind(&asked.code_challenge)
    .bind(&asked.code_challenge_method)
    .bind(&asked.nonce)
    .bind(now)
    .bind(asked.expires_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// By its public id, or by its code when `by_code`; locked.
pub async fn authorization(
    conn: &mut PgConnection,
    key: &str,
    by_code: bool,
) -> sqlx::Result<Option<Authorization>> {
    sqlx::query_as(
        "select
            id,
            authorization_id,
            client_id,
            user_id,
            redirect_uri,
            scope,
            state,
            code_challenge,
            code_challenge_method::text as code_challenge_method,
            status::text as status,
            expires_at,
            nonce,
            resource
        from auth.oauth_authorizations
        where (not $2 and authorization_id = $1)
            or ($2 and authorization_code = $1)
        for update",
    )
    .bind(key)
    .bind(by_code)
    .fetch_optional(conn)
    .await
}

/// Whoever looks first is who is asked.
pub async fn claim(conn: &mut PgConnection, id: Uuid, user: Uuid) -> sqlx::Result<()> {
    sqlx::query("update auth.oauth_authorizations set user_id = $2 where id = $1")
        .bind(id)
        .bind(user)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn approve(
    conn: &mut PgConnection,
    id: Uuid,
    code: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.oauth_authorizations
        set status = 'approved', authorization_code = $2, approved_at = $3
        where id = $1",
    )
    .bind(id)
    .bind(code)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn deny(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("update auth.oauth_authorizations set status = 'denied' where id = $1")
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn delete_authorization(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.oauth_authorizations where id = $1")
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// What the person allowed this client, if anything.
pub async fn consent(
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

pub async fn put_consent(
    conn: &mut PgConnection,
    id: Uuid,
    user: Uuid,
    client: Uuid,
    scopes: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
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
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// One thing a person allows.
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

/// Ends a consent and the sessions it opened; false when there was none.
pub async fn revoke(
    conn: &mut PgConnection,
    user: Uuid,
    client: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
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
