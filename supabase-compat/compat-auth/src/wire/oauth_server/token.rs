//! `POST /oauth/token` and `GET /oauth/userinfo`

use axum::extract::{Request, State as Extract};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode, header};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use url::form_urlencoded;

use crate::error::AuthError;
use crate::flow::oauth_server::check_enabled;
use crate::flow::oauth_server::exchange::{ExchangeRequest, about, exchange};
use crate::model::RequestContext;
use crate::state::State;
use crate::wire::body::{parse, read};
use crate::wire::extract::SignedInUser;
use crate::wire::oauth::value;

/// Accepts a form, as in the standard, or JSON. The client authenticates by HTTP Basic or in the
/// body, or is public.
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, body) = request.into_parts();
    let bytes = read(body).await?;
    let fields = fields(&parts.headers, &bytes)?;
    let (basic_id, basic_secret) = basic(&parts.headers).unwrap_or_default();
    // RFC 6749 section 2.3.1: Basic is preferred, the body is for clients that cannot use it.
    let either = |basic: &str, name: &str| {
        if basic.is_empty() { value(&fields, name).to_owned() } else { basic.to_owned() }
    };
    let exchange_request = ExchangeRequest {
        grant_type: value(&fields, "grant_type"),
        client_id: &either(&basic_id, "client_id"),
        client_secret: &either(&basic_secret, "client_secret"),
        code: value(&fields, "code"),
        redirect_uri: value(&fields, "redirect_uri"),
        code_verifier: value(&fields, "code_verifier"),
        refresh_token: value(&fields, "refresh_token"),
    };
    let tokens = exchange(&state, &context, exchange_request).await?;
    let mut answer = json!({
        "access_token": tokens.grant.access_token,
        "token_type": "bearer",
        "expires_in": tokens.grant.expires_in,
        "refresh_token": tokens.grant.refresh_token,
        "scope": tokens.scope,
    });
    if let Some(id_token) = tokens.id_token {
        answer["id_token"] = json!(id_token);
    }
    Ok(compat_http::json(StatusCode::OK, &answer))
}

fn fields(headers: &HeaderMap, bytes: &[u8]) -> Result<Vec<(String, String)>, AuthError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !kind.unwrap_or_default().starts_with("application/json") {
        return Ok(form_urlencoded::parse(bytes).into_owned().collect());
    }
    let object: Map<String, Value> = parse(bytes)?;
    let texts = object.into_iter().filter_map(|(key, value)| match value {
        Value::String(text) => Some((key, text)),
        _ => None,
    });
    Ok(texts.collect())
}

/// Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1).
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let encoded = value.strip_prefix("Basic ").or_else(|| value.strip_prefix("basic "))?;
    let pair = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = pair.split_once(':')?;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(String::from);
    Some((decoded(id)?, decoded(secret)?))
}

/// `GET /oauth/userinfo`
pub async fn userinfo(
    Extract(state): Extract<State>,
    SignedInUser(caller): SignedInUser,
) -> Result<Response, AuthError> {
    check_enabled(&state)?;
    // A session of our own pages has every scope.
    let all = "openid email profile phone";
    let scope = caller.claims.get("scope").and_then(Value::as_str).unwrap_or(all);
    Ok(compat_http::json(StatusCode::OK, &about(&caller.user, scope)))
}
