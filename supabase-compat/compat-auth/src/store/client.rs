//! `auth.oauth_clients`: the applications that sign people in through this service.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;
use crate::model::client::Client;

pub async fn insert(conn: &mut PgConnection, client: &Client) -> sqlx::Result<()> {
    done(
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
        .bind(client.updated_at),
        conn,
    )
    .await
}

/// Writes the fields that may change.
pub async fn update(conn: &mut PgConnection, client: &Client) -> sqlx::Result<()> {
    done(
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
        .bind(client.updated_at),
        conn,
    )
    .await
}

pub async fn load(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Client>> {
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

/// One page of clients, newest first, and the number of all.
pub async fn page(
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

/// Marks the client as deleted and revokes people's consents to it.
pub async fn delete(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
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
