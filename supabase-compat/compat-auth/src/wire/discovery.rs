//! Public information about the service.

use axum::extract::State as Extract;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};

use crate::error::AuthError;
use crate::flow::oauth_server::check_enabled;
use crate::state::State;

/// Every provider in `/settings`, in the original's order, in which `zoom` comes last.
const PROVIDERS: [&str; 22] = [
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "snapchat",
    "figma",
    "fly",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "kakao",
    "linkedin",
    "linkedin_oidc",
    "notion",
    "spotify",
    "slack",
    "slack_oidc",
    "workos",
    "twitch",
    "twitter",
];

/// `GET /health`
pub async fn health() -> Response {
    let body = json!({
        "version": concat!("v", env!("CARGO_PKG_VERSION")),
        "name": "GoTrue",
        "description": "GoTrue is a user registration and authentication API",
    });
    compat_http::json(StatusCode::OK, &body)
}

/// `GET /settings`
pub async fn settings(Extract(state): Extract<State>) -> Response {
    let config = &state.config;
    let mut external = Map::new();
    external.insert("anonymous_users".to_owned(), json!(config.anonymous_users_enabled));
    for name in PROVIDERS {
        external.insert(name.to_owned(), json!(state.provider(name).is_some()));
    }
    external.insert("email".to_owned(), json!(config.email.enabled));
    external.insert("phone".to_owned(), json!(config.phone_enabled));
    external.insert("zoom".to_owned(), json!(state.provider("zoom").is_some()));
    let body = json!({
        "external": Value::Object(external),
        "disable_signup": config.disable_signup,
        "mailer_autoconfirm": config.email.autoconfirm,
        "phone_autoconfirm": config.sms_autoconfirm,
        "sms_provider": state.config.sms.provider.as_ref().map_or("", |_| "twilio"),
        "saml_enabled": false,
        "saml_private_key_next_configured": false,
        "passkeys_enabled": config.passkey.enabled,
    });
    compat_http::json(StatusCode::OK, &body)
}

/// `GET /.well-known/jwks.json`
pub async fn jwks(Extract(state): Extract<State>) -> Response {
    cached(&state.keys.public_jwks())
}

/// `GET /.well-known/openid-configuration`
pub async fn openid_configuration(Extract(state): Extract<State>) -> Response {
    cached(&discovery(&state))
}

/// `GET /.well-known/oauth-authorization-server`: the same document, if the OAuth server is
/// enabled.
pub async fn authorization_server(Extract(state): Extract<State>) -> Result<Response, AuthError> {
    check_enabled(&state)?;
    Ok(cached(&discovery(&state)))
}

fn discovery(state: &State) -> Value {
    let issuer = state.issuer();
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "userinfo_endpoint": format!("{issuer}/oauth/userinfo"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "code_challenge_methods_supported": ["S256", "plain"],
        "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
    });
    let server = &state.config.oauth_server;
    if server.enabled && server.allow_dynamic_registration {
        document["registration_endpoint"] = json!(format!("{issuer}/oauth/clients/register"));
    }
    document
}

fn cached(body: &Value) -> Response {
    let mut response = compat_http::json(StatusCode::OK, body);
    let value = HeaderValue::from_static("public, max-age=600");
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    response
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::PROVIDERS;
    use crate::provider::provider_names;

    /// Providers that this service does not support. Clients of the original expect their names.
    const UNSUPPORTED: [&str; 8] =
        ["bitbucket", "fly", "linkedin", "notion", "slack", "snapchat", "twitter", "workos"];

    #[test]
    fn settings_name_every_known_provider() {
        let named: BTreeSet<&str> = PROVIDERS.into_iter().chain(["zoom"]).collect();
        let known: BTreeSet<&str> = provider_names().chain(UNSUPPORTED).collect();
        assert_eq!(named, known);
    }
}
