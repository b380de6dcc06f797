//! `/keys`, `/opaque-keys` and `/signing-keys`.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use compat_http::ClientIp;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::keys::{OpaqueKeyName, SecretKeyName, SigningKeyChange};
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::{require_role, with_summary};

#[derive(Deserialize)]
pub(crate) struct PasswordBody {
    password: String,
}

/// `GET /keys`.
pub(crate) async fn list(State(state): State<ConsoleState>) -> Result<Response, ConsoleError> {
    Ok(compat_http::json(StatusCode::OK, &flow::keys::summary(&state).await?))
}

/// `POST /keys/{name}/value`: a secret key, for an owner who enters the password.
pub(crate) async fn show(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    Segment(name): Segment<SecretKeyName>,
    JsonBody(body): JsonBody<PasswordBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let value = flow::keys::secret(&state, &operator, client, name, &body.password).await?;
    let answer = compat_http::json(StatusCode::OK, &json!({ "value": value }));
    Ok(with_summary(answer, "secret key shown".to_owned()))
}

/// `POST /opaque-keys/{name}`: replaces an opaque key, for an owner who enters the password.
pub(crate) async fn replace(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    Segment(name): Segment<OpaqueKeyName>,
    JsonBody(body): JsonBody<PasswordBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let value = flow::keys::replace(&state, &operator, client, name, &body.password).await?;
    let answer = compat_http::json(StatusCode::OK, &json!({ "value": value }));
    Ok(with_summary(answer, "opaque key replaced, the new one shown".to_owned()))
}

/// `DELETE /opaque-keys/{name}`: revokes a replaced key, identified by its first characters.
pub(crate) async fn revoke(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<String>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let summary = format!("opaque key revoked: {id}");
    flow::keys::revoke_opaque(&state, id).await?;
    Ok(with_summary(StatusCode::NO_CONTENT, summary))
}

/// `POST /signing-keys`.
pub(crate) async fn change(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    JsonBody(body): JsonBody<SigningKeyChange>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let word = match body {
        SigningKeyChange::Standby => "made",
        SigningKeyChange::Rotate => "rotated",
        SigningKeyChange::Revoke { .. } => "revoked",
    };
    let kids = flow::keys::change(&state, body).await?;
    let summary = format!("signing key {word}: {}", kids.join(", "));
    Ok(with_summary(compat_http::json(StatusCode::OK, &json!({ "changed": kids })), summary))
}
