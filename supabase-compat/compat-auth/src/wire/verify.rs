//! `GET /verify`, which a browser follows from a mail, and `POST /verify`, which a program sends.

use axum::extract::{Request, State as Extract};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded::Serializer;

use super::body::Body;
use super::extract::query;
use super::shape;
use crate::error::{AuthError, ExternalAccountRefusal, InvalidRequest, OneTimeRefusal};
use crate::flow::grant::Grant;
use crate::flow::verify::{self, VerificationKind, VerifyOutcome};
use crate::model::{Address, Email, Phone, RequestContext};
use crate::state::State;

/// The message after the first of two confirmations.
const HALF_CHANGED: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/// Redirects the browser, whatever the result, once type and token are present.
pub async fn get(
    Extract(state): Extract<State>,
    context: RequestContext,
    request: Request,
) -> Result<Response, AuthError> {
    let (parts, _) = request.into_parts();
    let kind = query(&parts, "type").filter(|kind| !kind.is_empty());
    let kind = kind.ok_or(InvalidRequest::VerifyTypeMissing)?;
    let token = query(&parts, "token").filter(|token| !token.is_empty());
    let token = token.ok_or(InvalidRequest::VerifyTokenMissing)?;
    let is_pkce = token.starts_with("pkce_");
    let answer = match VerificationKind::parse(&kind) {
        Ok(parsed) => verify::link(&state, &context, parsed, &token, true).await,
        Err(invalid) => Err(invalid.into()),
    };
    let to = match answer {
        Ok(VerifyOutcome::Session(grant)) => session_url(&context.redirect_to, &grant, &kind),
        Ok(VerifyOutcome::Code(code)) => with_query(&context.redirect_to, &[("code", &code)]),
        Ok(VerifyOutcome::HalfChanged) => half_changed_url(&context.redirect_to, is_pkce),
        Err(error) => error_url(&context.redirect_to, &error, is_pkce),
    };
    Ok(see_other(&to))
}

fn session_url(to: &str, grant: &Grant, kind: &str) -> String {
    with_fragment(to, &session_pairs(grant, Some(kind)))
}

/// The parameters of a session for a fragment, ordered by name.
pub fn session_pairs(grant: &Grant, kind: Option<&str>) -> String {
    let (at, lifetime) = (grant.expires_at.to_string(), grant.expires_in.to_string());
    let pairs = [
        ("access_token", Some(grant.access_token.as_str())),
        ("expires_at", Some(&at)),
        ("expires_in", Some(&lifetime)),
        ("provider_refresh_token", grant.provider_refresh_token.as_deref()),
        ("provider_token", grant.provider_token.as_deref()),
        ("refresh_token", Some(&grant.refresh_token)),
        ("sb", Some("")),
        ("token_type", Some("bearer")),
        ("type", kind),
    ];
    let present = pairs.into_iter().filter_map(|(key, value)| Some((key, value?)));
    Serializer::new(String::new()).extend_pairs(present).finish()
}

fn half_changed_url(to: &str, is_pkce: bool) -> String {
    let facts = [("message", HALF_CHANGED)];
    let to = if is_pkce { with_query(to, &facts) } else { to.to_owned() };
    with_fragment(&to, &encoded(&[("message", HALF_CHANGED), ("sb", "")]))
}

/// The address with the refusal as old and new clients read it: in the fragment, and for PKCE flows
/// also in the query.
pub fn error_url(to: &str, error: &AuthError, is_pkce: bool) -> String {
    let (status, code) = error.facts();
    if error.is_ours() {
        tracing::error!(%error, "failure redirected");
    }
    let name = match status {
        StatusCode::BAD_REQUEST => "invalid_request",
        StatusCode::UNAUTHORIZED => "unauthorized_client",
        StatusCode::SERVICE_UNAVAILABLE => "temporarily_unavailable",
        status if status.is_server_error() => "server_error",
        _ => "access_denied",
    };
    let name = match error {
        AuthError::ExternalAccount(ExternalAccountRefusal::ProviderRefused { error, .. }) => {
            error.as_str()
        }
        _ => name,
    };
    let text = error.to_string();
    let facts = [("error", name), ("error_code", code), ("error_description", text.as_str())];
    let to = if is_pkce { with_query(to, &facts) } else { to.to_owned() };
    with_fragment(&to, &format!("{}&sb=", encoded(&facts)))
}

fn encoded(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Replaces the fragment.
pub fn with_fragment(to: &str, fragment: &str) -> String {
    let bare = to.split('#').next().unwrap_or_default();
    format!("{bare}#{fragment}")
}

/// Adds parameters to the query.
pub fn with_query(to: &str, pairs: &[(&str, &str)]) -> String {
    let (bare, fragment) = to.split_once('#').map_or((to, None), |(bare, rest)| (bare, Some(rest)));
    let joint = if bare.contains('?') { '&' } else { '?' };
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{bare}{joint}{}{fragment}", encoded(pairs))
}

/// A redirect with 303, so that the browser continues with GET.
pub fn see_other(to: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(value) = HeaderValue::try_from(to) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    response
}

#[derive(Debug, Deserialize)]
pub struct VerifyBody {
    #[serde(rename = "type")]
    kind: Option<String>,
    token: Option<String>,
    token_hash: Option<String>,
    email: Option<String>,
    phone: Option<String>,
}

/// Returns a session, never a code.
pub async fn post(
    Extract(state): Extract<State>,
    context: RequestContext,
    Body(body): Body<VerifyBody>,
) -> Result<Response, AuthError> {
    let kind = body.kind.as_deref().filter(|kind| !kind.is_empty());
    let kind = kind.ok_or(InvalidRequest::VerifyTypeMissing)?;
    let text_of = |text: &Option<String>| text.clone().unwrap_or_default();
    let (token, token_hash) = (text_of(&body.token), text_of(&body.token_hash));
    let (email, phone) = (text_of(&body.email), text_of(&body.phone));
    let answer = match (token.as_str(), token_hash.as_str()) {
        ("", "") => return Err(InvalidRequest::VerifyTokenMissing.into()),
        ("", hash) => {
            if !email.is_empty() || !phone.is_empty() {
                return Err(InvalidRequest::VerifyTokenHashOnly.into());
            }
            verify::link(&state, &context, VerificationKind::parse(kind)?, hash, false).await?
        }
        (_, hash) if !hash.is_empty() => return Err(InvalidRequest::VerifyTokenHashOnly.into()),
        (token, _) => by_code(&state, &context, kind, token, &email, &phone).await?,
    };
    Ok(match answer {
        VerifyOutcome::Session(grant) => shape::session(&grant),
        VerifyOutcome::HalfChanged => {
            compat_http::json(StatusCode::OK, &json!({"msg": HALF_CHANGED, "code": "200"}))
        }
        // Neither call above requests a code.
        VerifyOutcome::Code(_) => return Err(OneTimeRefusal::FlowStateNotFound.into()),
    })
}

async fn by_code(
    state: &State,
    context: &RequestContext,
    kind: &str,
    token: &str,
    email: &str,
    phone: &str,
) -> Result<VerifyOutcome, AuthError> {
    match (email, phone) {
        (email, "") if !email.is_empty() => {
            let address = Address::Email(Email::parse(email)?);
            verify::code(state, context, VerificationKind::parse(kind)?, &address, token).await
        }
        ("", phone) if !phone.is_empty() => {
            let address = Address::Phone(Phone::parse(phone)?);
            let kind = match kind {
                "sms" => VerificationKind::Sms,
                "phone_change" => VerificationKind::PhoneChange,
                _ => return Err(InvalidRequest::VerifyType.into()),
            };
            verify::code(state, context, kind, &address, token).await
        }
        _ => Err(InvalidRequest::VerifyAddress.into()),
    }
}
