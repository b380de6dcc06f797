//! The layer that asks for a captcha before an endpoint that creates accounts or sends mail.

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

/// Which requests to a door are asked for an answer.
type CaptchaFilter = fn(&Uri) -> bool;

/// Asks for an answer before this door.
pub fn require_captcha(state: &State, door: MethodRouter<State>) -> MethodRouter<State> {
    require_captcha_when(state, |_| true, door)
}

/// Asks for one before the requests that `is_wanted` picks.
pub fn require_captcha_when(
    state: &State,
    is_wanted: CaptchaFilter,
    door: MethodRouter<State>,
) -> MethodRouter<State> {
    door.route_layer(from_fn_with_state((state.clone(), is_wanted), ask))
}

/// Looks at `gotrue_meta_security.captcha_token` and hands the body on unchanged. Administrators
/// are not asked.
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
        Err(refused) => return refused.into_response(),
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
    Ok(compat_http::json(StatusCode::OK, &captcha::altcha::issue(&state)?))
}

async fn is_admin(state: &State, headers: &HeaderMap) -> bool {
    match authenticate::claims(state, bearer(state, headers)) {
        Ok(claims) => authenticate::admin(state, &claims).await.is_ok(),
        Err(_) => false,
    }
}
