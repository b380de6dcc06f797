//! `/second-factor`.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use compat_http::ClientIp;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::wire::body::JsonBody;

#[derive(Deserialize)]
pub(crate) struct CodeBody {
    code: String,
}

#[derive(Deserialize)]
pub(crate) struct PasswordBody {
    pub password: String,
}

/// `POST /second-factor`.
pub(crate) async fn begin(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
) -> Result<Response, ConsoleError> {
    let new = flow::second_factor::begin(&state, &operator).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "uri": new.uri, "secret": new.secret })))
}

/// `POST /second-factor/confirmation`.
pub(crate) async fn confirm(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    JsonBody(body): JsonBody<CodeBody>,
) -> Result<StatusCode, ConsoleError> {
    flow::second_factor::confirm(&state, &operator, client, body.code.trim()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /second-factor`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    JsonBody(body): JsonBody<PasswordBody>,
) -> Result<StatusCode, ConsoleError> {
    flow::second_factor::remove(&state, &operator, client, &body.password).await?;
    Ok(StatusCode::NO_CONTENT)
}
