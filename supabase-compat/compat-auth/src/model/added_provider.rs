//! A provider that an administrator added while the service ran.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

/// A provider with all its settings.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct AddedProvider {
    pub id: Uuid,
    pub provider_type: String,
    pub identifier: String,
    pub name: String,
    pub client_id: String,
    pub client_secret: String,
    pub acceptable_client_ids: Vec<String>,
    pub scopes: Vec<String>,
    pub custom_claims_allowlist: Vec<String>,
    pub pkce_enabled: bool,
    pub attribute_mapping: Value,
    pub authorization_params: Value,
    pub enabled: bool,
    pub email_optional: bool,
    pub issuer: Option<String>,
    pub discovery_url: Option<String>,
    pub skip_nonce_check: bool,
    pub cached_discovery: Option<Value>,
    pub authorization_url: Option<String>,
    pub token_url: Option<String>,
    pub userinfo_url: Option<String>,
    pub jwks_uri: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}
