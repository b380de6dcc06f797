//! `/session`.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use compat_http::ClientIp;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::wire::body::JsonBody;
use crate::wire::cookie;
use crate::wire::guard::{AuditOperator, AuditSummary};

#[derive(Deserialize)]
pub(crate) struct SignIn {
    email: String,
    password: String,
    code: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct PasswordChange {
    current: String,
    new: String,
}

/// `GET /session`.
pub(crate) async fn show(
    State(state): State<ConsoleState>,
    headers: HeaderMap,
) -> Result<Response, ConsoleError> {
    let token = cookie::token(&headers).ok_or(ConsoleError::NotSignedIn)?;
    let operator = flow::session::find(&state, token).await?;
    Ok(described(&state, &operator))
}

/// `POST /session`.
pub(crate) async fn sign_in(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SignIn>,
) -> Response {
    let code = body.code.as_deref().map(str::trim);
    let signed_in = flow::session::sign_in(&state, client, &body.email, &body.password, code).await;
    let (mut response, email) = match signed_in {
        Ok((operator, token)) => {
            (opened(&state, &headers, &operator, &token), Some(operator.email))
        }
        Err(refusal) => {
            // Names that strangers make up would fill the log.
            let is_counted =
                matches!(refusal, ConsoleError::InvalidCredentials | ConsoleError::CodeRequired);
            let email = flow::session::known_email(&state, &body.email).await;
            (refusal.into_response(), email.filter(|_| is_counted))
        }
    };
    response.extensions_mut().insert(AuditSummary("sign in".to_owned()));
    if let Some(email) = email {
        response.extensions_mut().insert(AuditOperator(email));
    }
    response
}

/// `DELETE /session`.
pub(crate) async fn sign_out(
    State(state): State<ConsoleState>,
    headers: HeaderMap,
) -> Result<Response, ConsoleError> {
    if let Some(token) = cookie::token(&headers) {
        flow::session::sign_out(&state, token).await?;
    }
    let is_secure = cookie::is_secure(&state.config().environment.public_url, &headers);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie::expired(is_secure))]).into_response())
}

/// `PUT /password`.
pub(crate) async fn change_password(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
    JsonBody(body): JsonBody<PasswordChange>,
) -> Result<StatusCode, ConsoleError> {
    let token = cookie::token(&headers).ok_or(ConsoleError::NotSignedIn)?;
    let words = (body.current.as_str(), body.new.as_str());
    flow::password::change(&state, &operator, client, token, words).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The answer to whoever has just been signed in.
pub(crate) fn opened(
    state: &ConsoleState,
    headers: &HeaderMap,
    operator: &Operator,
    token: &str,
) -> Response {
    let mut response = described(state, operator);
    let is_secure = cookie::is_secure(&state.config().environment.public_url, headers);
    response.headers_mut().insert(header::SET_COOKIE, cookie::of(token, is_secure));
    response
}

fn described(state: &ConsoleState, operator: &Operator) -> Response {
    let config = state.config();
    let url = &config.environment.public_url;
    let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let body = json!({
        "operator": { "id": operator.id, "email": operator.email, "role": operator.role },
        "project": {
            "name": config.project.clone().or(host),
            "version": config.version,
            "api_url": url,
        },
        "keys": { "anon": config.anon_key },
        "services": config.services,
    });
    compat_http::json(StatusCode::OK, &body)
}
