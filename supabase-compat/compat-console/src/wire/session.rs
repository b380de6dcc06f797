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
use crate::flow::session::{Credentials, FactorProof};
use crate::model::{CeremonyAnswer, Operator};
use crate::state::ConsoleState;
use crate::wire::address::relying_party;
use crate::wire::body::JsonBody;
use crate::wire::cookie;
use crate::wire::guard::{AuditOperator, with_summary};

#[derive(Deserialize)]
pub(crate) struct SignIn {
    email: String,
    password: String,
    code: Option<String>,
    passkey: Option<CeremonyAnswer>,
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
    described(&state, &operator).await
}

/// `POST /session`.
pub(crate) async fn sign_in(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SignIn>,
) -> Response {
    let credentials = Credentials {
        email: &body.email,
        password: &body.password,
        second_factor: FactorProof {
            code: body.code.as_deref().map(str::trim),
            passkey: body.passkey,
        },
        party: relying_party(&state, &headers).ok(),
    };
    let signed_in = flow::session::sign_in(&state, client, credentials).await;
    // Unknown names are not logged, because strangers could fill the log with them.
    let known = match &signed_in {
        Err(refusal) if is_attempt(refusal) => {
            flow::session::known_email(&state, &body.email).await
        }
        _ => None,
    };
    answered(&state, &headers, signed_in, ("sign in", known)).await
}

/// `POST /session/challenge`.
pub(crate) async fn challenge(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
) -> Result<Response, ConsoleError> {
    let party = relying_party(&state, &headers)?;
    let start = flow::passkey::begin_sign_in(&state, client, party).await?;
    Ok(compat_http::json(StatusCode::CREATED, &json!(start)))
}

/// `POST /session/passkey`.
pub(crate) async fn sign_in_by_passkey(
    State(state): State<ConsoleState>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
    JsonBody(body): JsonBody<CeremonyAnswer>,
) -> Response {
    let credential = body.credential.clone();
    let signed_in = flow::passkey::sign_in(&state, client, body).await;
    let known = match &signed_in {
        Err(refusal) if is_attempt(refusal) => {
            flow::passkey::known_holder(&state, &credential).await
        }
        _ => None,
    };
    answered(&state, &headers, signed_in, ("sign in by a passkey", known)).await
}

/// Whether a refusal counts as a sign-in attempt for the audit log.
fn is_attempt(refusal: &ConsoleError) -> bool {
    use ConsoleError as E;
    matches!(
        refusal,
        E::InvalidCredentials
            | E::CodeRequired(_)
            | E::PasskeyRequired(_)
            | E::PasskeyElsewhere(_)
            | E::PasskeyRefused
    )
}

/// The answer to a sign-in, with its audit entry; for a refused one, with the account that was
/// tried.
async fn answered(
    state: &ConsoleState,
    headers: &HeaderMap,
    signed_in: Result<(Operator, String), ConsoleError>,
    (summary, account): (&str, Option<String>),
) -> Response {
    let (answer, email) = match signed_in {
        Ok((operator, token)) => {
            (opened(state, headers, &operator, &token).await.into_response(), Some(operator.email))
        }
        Err(refusal) => (refusal.into_response(), account),
    };
    let mut response = with_summary(answer, summary.to_owned());
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

/// The answer to an operator who has just signed in.
pub(crate) async fn opened(
    state: &ConsoleState,
    headers: &HeaderMap,
    operator: &Operator,
    token: &str,
) -> Result<Response, ConsoleError> {
    let mut response = described(state, operator).await?;
    let is_secure = cookie::is_secure(&state.config().environment.public_url, headers);
    response.headers_mut().insert(header::SET_COOKIE, cookie::of(token, is_secure));
    Ok(response)
}

async fn described(state: &ConsoleState, operator: &Operator) -> Result<Response, ConsoleError> {
    let factors = flow::session::second_factors(state, operator).await?;
    let config = state.config();
    let url = &config.environment.public_url;
    let body = json!({
        "operator": {
            "id": operator.id,
            "email": operator.email,
            "role": operator.role,
            "second_factor": factors.has_app,
            "passkeys": factors.passkeys,
        },
        "project": {
            "name": state.project_name(),
            "version": config.version,
            "api_url": url,
        },
        "keys": { "anon": config.anon_key },
        "services": config.services,
    });
    Ok(compat_http::json(StatusCode::OK, &body))
}
