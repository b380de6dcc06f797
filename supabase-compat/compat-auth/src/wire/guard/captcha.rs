//! The layer that requires a captcha for endpoints that create accounts or send mails.

use axum::body::Body;
use axum::extract::{Request, State as Extract};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::MethodRouter;
use http::{HeaderMap, StatusCode, Uri};
use serde_json::Value;

use crate::error::AuthError;
use crate::guard::{authenticate, captcha};
use crate::state::State;
use crate::wire::body::read;
use crate::wire::extract::{bearer, client};

/// Selects the requests that need a captcha answer.
type CaptchaFilter = fn(&Uri) -> bool;

/// Requires a captcha answer for every request to this endpoint.
pub fn require_captcha(state: &State, methods: MethodRouter<State>) -> MethodRouter<State> {
    require_captcha_when(state, |_| true, methods)
}

/// Requires a captcha answer for the requests that `is_wanted` selects.
pub fn require_captcha_when(
    state: &State,
    is_wanted: CaptchaFilter,
    methods: MethodRouter<State>,
) -> MethodRouter<State> {
    methods.route_layer(from_fn_with_state((state.clone(), is_wanted), ask))
}

/// Checks `gotrue_meta_security.captcha_token` and passes the body on unchanged. Administrators
/// need no answer.
async fn ask(
    Extract((state, is_wanted)): Extract<(State, CaptchaFilter)>,
    request: Request,
    next: Next,
) -> Response {
    if state.config.captcha.is_none() || !is_wanted(request.uri()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    if is_admin(&state, &parts.headers).await {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let bytes = match read(body).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal.into_response(),
    };
    let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let token = document.pointer("/gotrue_meta_security/captcha_token").and_then(Value::as_str);
    let judged = captcha::check(&state, client(&parts.extensions), token.unwrap_or_default()).await;
    match judged {
        Ok(()) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// `GET /captcha`: a challenge for the widget, if this service issues them.
pub async fn get_challenge(Extract(state): Extract<State>) -> Result<Response, AuthError> {
    Ok(compat_http::json(StatusCode::OK, &captcha::altcha::issue(&state)?))
}

async fn is_admin(state: &State, headers: &HeaderMap) -> bool {
    match authenticate::claims(state, bearer(state, headers)) {
        Ok(claims) => authenticate::admin(state, &claims).await.is_ok(),
        Err(_) => false,
    }
}
