//! Providers that an administrator adds, changes and removes while the service runs.

use compat_http::EgressPolicy;
use serde_json::Value;
use url::Url;

use crate::error::{AuthError, ExternalAccountRefusal, InvalidRequest, on_unique};
use crate::model::AddedProvider;
use crate::provider::{self, CustomEndpoints, CustomProvider, ProviderConfig};
use crate::state::State;
use crate::store;

/// The prefix of these providers' identifiers, which no other provider's name has.
pub const PREFIX: &str = "custom:";

/// The fields of a request; an absent field keeps its value.
#[derive(Debug, Default)]
pub struct ProviderAttributes {
    pub provider_type: Option<String>,
    pub identifier: Option<String>,
    pub name: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<String>,
    pub acceptable_client_ids: Option<Vec<String>>,
    pub scopes: Option<Vec<String>>,
    pub custom_claims_allowlist: Option<Vec<String>>,
    pub pkce_enabled: Option<bool>,
    pub attribute_mapping: Option<Value>,
    pub authorization_params: Option<Value>,
    pub enabled: Option<bool>,
    pub email_optional: Option<bool>,
    pub issuer: Option<String>,
    pub discovery_url: Option<String>,
    pub skip_nonce_check: Option<bool>,
    pub authorization_url: Option<String>,
    pub token_url: Option<String>,
    pub userinfo_url: Option<String>,
    pub jwks_uri: Option<String>,
}

/// The provider of this name: one from the settings, or an enabled one that an administrator added.
pub async fn by_name(state: &State, name: &str) -> Result<Option<ProviderConfig>, AuthError> {
    if let Some(known) = state.provider(name) {
        return Ok(Some(known.clone()));
    }
    if !name.starts_with(PREFIX) || !state.config.custom_providers_enabled {
        return Ok(None);
    }
    let row = store::custom_provider::find(&mut *state.begin().await?, name).await?;
    Ok(row.filter(|row| row.enabled).map(config))
}

fn config(row: AddedProvider) -> ProviderConfig {
    let texts = |value: Value| serde_json::from_value(value).unwrap_or_default();
    let endpoints = (row.provider_type == "oauth2").then(|| CustomEndpoints {
        authorize: row.authorization_url.unwrap_or_default(),
        token: row.token_url.unwrap_or_default(),
        user: row.userinfo_url.unwrap_or_default(),
        jwks: row.jwks_uri,
    });
    let mut client_ids = vec![row.client_id];
    client_ids.extend(row.acceptable_client_ids);
    ProviderConfig {
        client_ids,
        url: row.issuer,
        email_optional: row.email_optional,
        skip_nonce_check: row.skip_nonce_check,
        // Administrators set these addresses over the API, and must not reach the operator's
        // network.
        policy: EgressPolicy::PublicOnly,
        custom: Some(CustomProvider {
            scopes: row.scopes,
            pkce: row.pkce_enabled,
            authorization_params: texts(row.authorization_params),
            attribute_mapping: texts(row.attribute_mapping),
            claims_allowlist: row.custom_claims_allowlist,
            discovery_url: row.discovery_url,
            endpoints,
        }),
        ..ProviderConfig::new(&row.identifier, "", row.client_secret.into())
    }
}

pub async fn list(
    state: &State,
    provider_type: Option<&str>,
) -> Result<Vec<AddedProvider>, AuthError> {
    Ok(store::custom_provider::list(&mut *state.begin().await?, provider_type).await?)
}

/// # Errors
/// [`ExternalAccountRefusal::CustomProviderNotFound`].
pub async fn get(state: &State, identifier: &str) -> Result<AddedProvider, AuthError> {
    let row = store::custom_provider::find(&mut *state.begin().await?, identifier).await?;
    row.ok_or(AuthError::ExternalAccount(ExternalAccountRefusal::CustomProviderNotFound))
}

/// Adds a provider; its discovery document is fetched first.
///
/// # Errors
/// A field is missing or invalid, the identifier is taken, or there are too many providers.
#[tracing::instrument(name = "auth.create_custom_provider", skip_all)]
pub async fn create(state: &State, fields: ProviderAttributes) -> Result<AddedProvider, AuthError> {
    let now = state.now();
    let blank = AddedProvider {
        id: state.uuid(),
        provider_type: fields.provider_type.clone().unwrap_or_default(),
        identifier: fields.identifier.clone().unwrap_or_default(),
        name: String::new(),
        client_id: String::new(),
        client_secret: String::new(),
        acceptable_client_ids: Vec::new(),
        scopes: Vec::new(),
        custom_claims_allowlist: Vec::new(),
        pkce_enabled: true,
        attribute_mapping: Value::Object(serde_json::Map::new()),
        authorization_params: Value::Object(serde_json::Map::new()),
        enabled: true,
        email_optional: false,
        issuer: None,
        discovery_url: None,
        skip_nonce_check: false,
        cached_discovery: None,
        authorization_url: None,
        token_url: None,
        userinfo_url: None,
        jwks_uri: None,
        created_at: now,
        updated_at: now,
    };
    // The discovery document is fetched before a connection is taken.
    let row = checked(state, with_attributes(blank, fields), true).await?;
    let mut tx = state.begin().await?;
    let most = state.config.max_custom_providers;
    if most > 0 && store::custom_provider::count(&mut tx).await? >= most {
        return Err(ExternalAccountRefusal::TooManyCustomProviders.into());
    }
    let result = store::custom_provider::put(&mut tx, &row).await;
    result.map_err(on_unique(ExternalAccountRefusal::CustomProviderExists))?;
    tx.commit().await?;
    Ok(row)
}

/// Changes the given fields of a provider; its type and identifier stay.
///
/// # Errors
/// There is no such provider, or a field is invalid.
#[tracing::instrument(name = "auth.change_custom_provider", skip_all)]
pub async fn change(
    state: &State,
    identifier: &str,
    fields: ProviderAttributes,
) -> Result<AddedProvider, AuthError> {
    let before = get(state, identifier).await?;
    let moved = fields.issuer.is_some() || fields.discovery_url.is_some();
    let mut row = checked(state, with_attributes(before, fields), moved).await?;
    row.updated_at = state.now();
    let mut tx = state.begin().await?;
    store::custom_provider::put(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(row)
}

/// # Errors
/// [`ExternalAccountRefusal::CustomProviderNotFound`].
pub async fn delete(state: &State, identifier: &str) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    if !store::custom_provider::delete(&mut tx, identifier).await? {
        return Err(ExternalAccountRefusal::CustomProviderNotFound.into());
    }
    tx.commit().await?;
    Ok(())
}

fn with_attributes(row: AddedProvider, fields: ProviderAttributes) -> AddedProvider {
    // An empty text clears the field; an absent one keeps it.
    let text = |new: Option<String>, current: Option<String>| match new {
        Some(text) => Some(text).filter(|text| !text.is_empty()),
        None => current,
    };
    AddedProvider {
        name: fields.name.unwrap_or(row.name),
        client_id: fields.client_id.unwrap_or(row.client_id),
        client_secret: fields.client_secret.unwrap_or(row.client_secret),
        acceptable_client_ids: fields.acceptable_client_ids.unwrap_or(row.acceptable_client_ids),
        scopes: fields.scopes.unwrap_or(row.scopes),
        custom_claims_allowlist: fields
            .custom_claims_allowlist
            .unwrap_or(row.custom_claims_allowlist),
        pkce_enabled: fields.pkce_enabled.unwrap_or(row.pkce_enabled),
        attribute_mapping: fields.attribute_mapping.unwrap_or(row.attribute_mapping),
        authorization_params: fields.authorization_params.unwrap_or(row.authorization_params),
        enabled: fields.enabled.unwrap_or(row.enabled),
        email_optional: fields.email_optional.unwrap_or(row.email_optional),
        issuer: text(fields.issuer, row.issuer),
        discovery_url: text(fields.discovery_url, row.discovery_url),
        skip_nonce_check: fields.skip_nonce_check.unwrap_or(row.skip_nonce_check),
        authorization_url: text(fields.authorization_url, row.authorization_url),
        token_url: text(fields.token_url, row.token_url),
        userinfo_url: text(fields.userinfo_url, row.userinfo_url),
        jwks_uri: text(fields.jwks_uri, row.jwks_uri),
        ..row
    }
}

/// Checks every rule of a provider; with `discover` its discovery document is fetched again.
async fn checked(
    state: &State,
    mut row: AddedProvider,
    discover: bool,
) -> Result<AddedProvider, AuthError> {
    let wrong = |reason| Err(InvalidRequest::CustomProvider(reason).into());
    if !is_identifier(&row.identifier) {
        return wrong("identifier must be custom: and lower-case letters, digits or hyphens");
    }
    if !(1..=100).contains(&row.name.chars().count()) {
        return wrong("name must have 1 to 100 characters");
    }
    if !(1..=512).contains(&row.client_id.chars().count()) || row.client_secret.is_empty() {
        return wrong("client_id and client_secret are required");
    }
    if !row.attribute_mapping.is_object() || !row.authorization_params.is_object() {
        return wrong("attribute_mapping and authorization_params must be objects");
    }
    let addresses = [
        &row.issuer,
        &row.discovery_url,
        &row.authorization_url,
        &row.token_url,
        &row.userinfo_url,
        &row.jwks_uri,
    ];
    if !addresses.into_iter().flatten().all(|address| is_reachable(address)) {
        return wrong("addresses must be https, or http on this host");
    }
    match row.provider_type.as_str() {
        "oidc" => {
            let Some(issuer) = &row.issuer else { return wrong("issuer is required") };
            if discover {
                let (outgoing, url) = (&state.environment.outgoing, row.discovery_url.as_deref());
                let read =
                    provider::discover(outgoing, EgressPolicy::PublicOnly, issuer, url).await;
                let (_, document) =
                    read.map_err(|error| InvalidRequest::DiscoveryDocument(error.to_string()))?;
                row.cached_discovery = Some(document);
            }
            Ok(row)
        }
        "oauth2" => {
            let all = [&row.authorization_url, &row.token_url, &row.userinfo_url];
            if all.into_iter().any(Option::is_none) {
                return wrong("authorization_url, token_url and userinfo_url are required");
            }
            Ok(row)
        }
        _ => wrong("provider_type must be oauth2 or oidc"),
    }
}

fn is_identifier(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(PREFIX) else { return false };
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':';
    let ends = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 50 && rest.chars().all(is_plain) && rest.starts_with(ends) && rest.ends_with(ends)
}

/// Whether the address may be used: HTTPS, or HTTP on this host.
fn is_reachable(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    url.scheme() == "https" || (url.scheme() == "http" && local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_provider_identifiers_are_validated() {
        assert!(is_identifier("custom:my-company"));
        for wrong in ["google", "custom:", "custom:-a", "custom:A", "custom:a b"] {
            assert!(!is_identifier(wrong), "{wrong}");
        }
        assert!(!is_identifier(&format!("custom:{}", "a".repeat(60))));
    }

    #[test]
    fn plain_http_stays_at_home() {
        assert!(is_reachable("https://id.example.org"));
        assert!(is_reachable("http://localhost:4000"));
        assert!(!is_reachable("http://id.example.org"));
        assert!(!is_reachable("file:///etc/passwd"));
    }
}
