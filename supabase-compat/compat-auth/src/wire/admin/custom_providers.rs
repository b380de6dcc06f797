//! `/admin/custom-providers`

use axum::extract::{Path, Request, State as Extract};
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::AuthError;
use crate::flow::custom_provider::{self, ProviderAttributes};
use crate::model::AddedProvider;
use crate::state::State;
use crate::wire::body::Body;
use crate::wire::extract::{Admin, query};

/// A provider without its secret.
#[derive(Serialize)]
struct ProviderBody<'a> {
    id: Uuid,
    provider_type: &'a str,
    identifier: &'a str,
    name: &'a str,
    client_id: &'a str,
    acceptable_client_ids: &'a [String],
    scopes: &'a [String],
    custom_claims_allowlist: &'a [String],
    pkce_enabled: bool,
    attribute_mapping: &'a Value,
    authorization_params: &'a Value,
    enabled: bool,
    email_optional: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discovery_url: Option<&'a str>,
    skip_nonce_check: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jwks_uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discovery_document: Option<&'a Value>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl<'a> From<&'a AddedProvider> for ProviderBody<'a> {
    fn from(row: &'a AddedProvider) -> Self {
        Self {
            id: row.id,
            provider_type: &row.provider_type,
            identifier: &row.identifier,
            name: &row.name,
            client_id: &row.client_id,
            acceptable_client_ids: &row.acceptable_client_ids,
            scopes: &row.scopes,
            custom_claims_allowlist: &row.custom_claims_allowlist,
            pkce_enabled: row.pkce_enabled,
            attribute_mapping: &row.attribute_mapping,
            authorization_params: &row.authorization_params,
            enabled: row.enabled,
            email_optional: row.email_optional,
            issuer: row.issuer.as_deref(),
            discovery_url: row.discovery_url.as_deref(),
            skip_nonce_check: row.skip_nonce_check,
            authorization_url: row.authorization_url.as_deref(),
            token_url: row.token_url.as_deref(),
            userinfo_url: row.userinfo_url.as_deref(),
            jwks_uri: row.jwks_uri.as_deref(),
            discovery_document: row.cached_discovery.as_ref(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// The fields of a provider in a request.
#[derive(Debug, Deserialize)]
pub struct ProviderFields {
    provider_type: Option<String>,
    identifier: Option<String>,
    name: Option<String>,
    client_id: Option<String>,
    client_secret: Option<String>,
    acceptable_client_ids: Option<Vec<String>>,
    scopes: Option<Vec<String>>,
    custom_claims_allowlist: Option<Vec<String>>,
    pkce_enabled: Option<bool>,
    attribute_mapping: Option<Value>,
    authorization_params: Option<Value>,
    enabled: Option<bool>,
    email_optional: Option<bool>,
    issuer: Option<String>,
    discovery_url: Option<String>,
    skip_nonce_check: Option<bool>,
    authorization_url: Option<String>,
    token_url: Option<String>,
    userinfo_url: Option<String>,
    jwks_uri: Option<String>,
}

impl From<ProviderFields> for ProviderAttributes {
    fn from(body: ProviderFields) -> Self {
        Self {
            provider_type: body.provider_type,
            identifier: body.identifier,
            name: body.name,
            client_id: body.client_id,
            client_secret: body.client_secret,
            acceptable_client_ids: body.acceptable_client_ids,
            scopes: body.scopes,
            custom_claims_allowlist: body.custom_claims_allowlist,
            pkce_enabled: body.pkce_enabled,
            attribute_mapping: body.attribute_mapping,
            authorization_params: body.authorization_params,
            enabled: body.enabled,
            email_optional: body.email_optional,
            issuer: body.issuer,
            discovery_url: body.discovery_url,
            skip_nonce_check: body.skip_nonce_check,
            authorization_url: body.authorization_url,
            token_url: body.token_url,
            userinfo_url: body.userinfo_url,
            jwks_uri: body.jwks_uri,
        }
    }
}

/// `GET /admin/custom-providers?type=`
pub async fn list(
    Extract(state): Extract<State>,
    _: Admin,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let provider_type = query(&parts, "type").filter(|provider_type| !provider_type.is_empty());
    let rows = custom_provider::list(&state, provider_type.as_deref()).await?;
    let bodies: Vec<ProviderBody<'_>> = rows.iter().map(ProviderBody::from).collect();
    Ok(compat_http::json(StatusCode::OK, &json!({"providers": bodies})))
}

/// `POST /admin/custom-providers`
pub async fn create(
    Extract(state): Extract<State>,
    _: Admin,
    Body(body): Body<ProviderFields>,
) -> Result<Response, AuthError> {
    let row = custom_provider::create(&state, body.into()).await?;
    Ok(compat_http::json(StatusCode::CREATED, &ProviderBody::from(&row)))
}

/// `GET /admin/custom-providers/{identifier}`
pub async fn get(
    Extract(state): Extract<State>,
    _: Admin,
    Path(identifier): Path<String>,
) -> Result<Response, AuthError> {
    let row = custom_provider::get(&state, &identifier).await?;
    Ok(compat_http::json(StatusCode::OK, &ProviderBody::from(&row)))
}

/// `PUT /admin/custom-providers/{identifier}`
pub async fn put(
    Extract(state): Extract<State>,
    _: Admin,
    Path(identifier): Path<String>,
    Body(body): Body<ProviderFields>,
) -> Result<Response, AuthError> {
    let row = custom_provider::change(&state, &identifier, body.into()).await?;
    Ok(compat_http::json(StatusCode::OK, &ProviderBody::from(&row)))
}

/// `DELETE /admin/custom-providers/{identifier}`
pub async fn delete(
    Extract(state): Extract<State>,
    _: Admin,
    Path(identifier): Path<String>,
) -> Result<Response, AuthError> {
    custom_provider::delete(&state, &identifier).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
