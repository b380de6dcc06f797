//! `auth.custom_oauth_providers`: providers that an administrator adds at run time.

use sqlx::PgConnection;

use super::done;
use crate::model::AddedProvider;

/// The providers, oldest first; only those of `provider_type` if it is given.
pub async fn list(
    conn: &mut PgConnection,
    provider_type: Option<&str>,
) -> sqlx::Result<Vec<AddedProvider>> {
    sqlx::query_as(
        "select *
        from auth.custom_oauth_providers
        where $1::text is null
            or provider_type = $1
        order by created_at, id",
    )
    .bind(provider_type)
    .fetch_all(conn)
    .await
}

pub async fn find(
    conn: &mut PgConnection,
    identifier: &str,
) -> sqlx::Result<Option<AddedProvider>> {
    sqlx::query_as("select * from auth.custom_oauth_providers where identifier = $1")
        .bind(identifier)
        .fetch_optional(conn)
        .await
}

pub async fn count(conn: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from auth.custom_oauth_providers").fetch_one(conn).await
}

/// Inserts or updates a row.
pub async fn put(conn: &mut PgConnection, row: &AddedProvider) -> sqlx::Result<()> {
    done(
        sqlx::query(
            "insert into auth.custom_oauth_providers (
                id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids,
                scopes, custom_claims_allowlist, pkce_enabled, attribute_mapping, authorization_params,
                enabled, email_optional, issuer, discovery_url, skip_nonce_check, cached_discovery,
                discovery_cached_at, authorization_url, token_url, userinfo_url, jwks_uri, created_at,
                updated_at
            )
            values (
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $24,
                $19, $20, $21, $22, $23, $24
            )
            on conflict (id) do update
            set name = excluded.name,
                client_id = excluded.client_id,
                client_secret = excluded.client_secret,
                acceptable_client_ids = excluded.acceptable_client_ids,
                scopes = excluded.scopes,
                custom_claims_allowlist = excluded.custom_claims_allowlist,
                pkce_enabled = excluded.pkce_enabled,
                attribute_mapping = excluded.attribute_mapping,
                authorization_params = excluded.authorization_params,
                enabled = excluded.enabled,
                email_optional = excluded.email_optional,
                issuer = excluded.issuer,
                discovery_url = excluded.discovery_url,
                skip_nonce_check = excluded.skip_nonce_check,
                cached_discovery = excluded.cached_discovery,
                discovery_cached_at = excluded.discovery_cached_at,
                authorization_url = excluded.authorization_url,
                token_url = excluded.token_url,
                userinfo_url = excluded.userinfo_url,
                jwks_uri = excluded.jwks_uri,
                updated_at = excluded.updated_at",
        )
        .bind(row.id)
        .bind(&row.provider_type)
        .bind(&row.identifier)
        .bind(&row.name)
        .bind(&row.client_id)
        .bind(&row.client_secret)
        .bind(&row.acceptable_client_ids)
        .bind(&row.scopes)
        .bind(&row.custom_claims_allowlist)
        .bind(row.pkce_enabled)
        .bind(&row.attribute_mapping)
        .bind(&row.authorization_params)
        .bind(row.enabled)
        .bind(row.email_optional)
        .bind(&row.issuer)
        .bind(&row.discovery_url)
        .bind(row.skip_nonce_check)
        .bind(&row.cached_discovery)
        .bind(&row.authorization_url)
        .bind(&row.token_url)
        .bind(&row.userinfo_url)
        .bind(&row.jwks_uri)
        .bind(row.created_at)
        .bind(row.updated_at),
        conn,
    )
    .await
}

/// Deletes a provider; false if there was none.
pub async fn delete(conn: &mut PgConnection, identifier: &str) -> sqlx::Result<bool> {
    let deleted = sqlx::query("delete from auth.custom_oauth_providers where identifier = $1")
        .bind(identifier)
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected() > 0)
}
