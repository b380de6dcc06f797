//! `auth.oauth_authorizations`: authorization requests of clients that wait for a person's
//! decision.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::done;

/// An authorization request of a client.
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

pub async fn insert(
    conn: &mut PgConnection,
    authorization: &Authorization,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.oauth_authorizations (
                id, authorization_id, client_id, redirect_uri, scope, state, resource,
                code_challenge, code_challenge_method, nonce, created_at, expires_at
            )
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::auth.code_challenge_method, $10, $11, $12)",
        )
        .bind(authorization.id)
        .bind(&authorization.authorization_id)
        .bind(authorization.client_id)
        .bind(&authorization.redirect_uri)
        .bind(&authorization.scope)
        .bind(&authorization.state)
        .bind(&authorization.resource)
        .bind(&authorization.code_challenge)
        .bind(&authorization.code_challenge_method)
        .bind(&authorization.nonce)
        .bind(now)
        .bind(authorization.expires_at),
        conn,
    )
    .await
}

/// Loads and locks a request by its public id, or by its code if `by_code`.
pub async fn load(
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

/// Assigns the request to the person that views it first.
pub async fn claim(conn: &mut PgConnection, id: Uuid, user: Uuid) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.oauth_authorizations set user_id = $2 where id = $1")
            .bind(id)
            .bind(user),
        conn,
    )
    .await
}

pub async fn approve(
    conn: &mut PgConnection,
    id: Uuid,
    code: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "update auth.oauth_authorizations
            set status = 'approved', authorization_code = $2, approved_at = $3
            where id = $1",
        )
        .bind(id)
        .bind(code)
        .bind(now),
        conn,
    )
    .await
}

pub async fn deny(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(
        sqlx::query("update auth.oauth_authorizations set status = 'denied' where id = $1")
            .bind(id),
        conn,
    )
    .await
}

pub async fn delete(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    done(sqlx::query("delete from auth.oauth_authorizations where id = $1").bind(id), conn).await
}
