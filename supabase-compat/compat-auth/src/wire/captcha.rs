//! The layer that asks for a captcha before an endpoint that creates accounts or sends mail is reached.

use axum::body::Body;
use axum::extract::{Request, State as Extract};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::Value;

use super::asking::{bearer, client, pairs};
use crate::error::{AuthError, BodyRefusal};
use crate::flow::{admit, captcha};
use crate::state::State;

/// Where an answer is wanted; of the token endpoint only where a password is tried.
fn is_wanted(request: &Request) -> bool {
    let path = request.uri().path();
    let with_password = || {
        let grant = |(key, value): &(String, String)| key == "grant_type" && value == "password";
        pairs(request.uri()).iter().any(grant)
    };
    request.method() == http::Method::POST
        && match path {
            "/signup" | "/recover" | "/resend" | "/magiclink" | "/otp" | "/sso" => true,
            "/passkeys/authentication/options" => true,
            "/token" => with_password(),
            _ => false,
        }
}

/// Looks at `gotrue_meta_security.captcha_token` and hands the body on unchanged. Administrators are not asked.
pub async fn ask(Extract(state): Extract<State>, request: Request, next: Next) -> Response {
    if state.config.captcha.is_none() || !is_wanted(&request) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    if is_admin(&state, &parts.headers).await {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let Ok(bytes) = axum::body::to_bytes(body, 1 << 20).await else {
        return AuthError::Body(BodyRefusal::TooLarge).into_response();
    };
    let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let token = document.pointer("/gotrue_meta_security/captcha_token").and_then(Value::as_str);
    let judged = captcha::check(&state, client(&parts.extensions), token.unwrap_or_default()).await;
    match judged {
        Ok(()) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(refused) => refused.into_response(),
    }
}

/// `GET /captcha`: a challenge for the widget, where we pose them ourselves.
pub async fn get_challenge(Extract(state): Extract<State>) -> Result<Response, AuthError> {
    let mut answer = compat_http::json(StatusCode::OK, &captcha::altcha::issue(&state)?);
    let value = HeaderValue::from_static("no-store");
    answer.headers_mut().insert(header::CACHE_CONTROL, value);
    Ok(answer)
}

async fn is_admin(state: &State, headers: &HeaderMap) -> bool {
    match admit::claims(state, bearer(state, headers)) {
        Ok(claims) => admit::admin(state, &claims).await.is_ok(),
        Err(_) => false,
    }
}
