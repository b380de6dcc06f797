//! `/passkeys`: the operator's own passkeys.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use compat_http::ClientIp;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::flow;
use crate::model::{CeremonyAnswer, Operator};
use crate::state::ConsoleState;
use crate::wire::address::relying_party;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::{NoChange, with_summary};
use crate::wire::second_factor::PasswordBody;

#[derive(Deserialize)]
pub(crate) struct NameBody {
    name: String,
}

#[derive(Deserialize)]
pub(crate) struct NewPasskeyBody {
    name: String,
    #[serde(flatten)]
    answer: CeremonyAnswer,
}

/// `GET /passkeys`.
pub(crate) async fn list(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
) -> Result<Response, ConsoleError> {
    let passkeys = flow::passkey::list(&state, &operator).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "passkeys": passkeys })))
}

/// `POST /passkeys/challenge`.
pub(crate) async fn begin(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    headers: HeaderMap,
    JsonBody(body): JsonBody<PasswordBody>,
) -> Result<Response, ConsoleError> {
    let party = relying_party(&state, &headers)?;
    let start =
        flow::passkey::begin_registration(&state, &operator, client, &body.password, party).await?;
    let mut response = compat_http::json(StatusCode::CREATED, &json!(start));
    response.extensions_mut().insert(NoChange);
    Ok(response)
}

/// `POST /passkeys`.
pub(crate) async fn add(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    JsonBody(body): JsonBody<NewPasskeyBody>,
) -> Result<Response, ConsoleError> {
    let NewPasskeyBody { name, answer } = body;
    let id = flow::passkey::finish_registration(&state, &operator, answer, &name).await?;
    let answer = compat_http::json(StatusCode::CREATED, &json!({ "id": id }));
    Ok(with_summary(answer, format!("passkey added: {}", name.trim())))
}

/// `PATCH /passkeys/{id}`.
pub(crate) async fn rename(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
    JsonBody(body): JsonBody<NameBody>,
) -> Result<Response, ConsoleError> {
    flow::passkey::rename(&state, &operator, id, &body.name).await?;
    Ok(with_summary(StatusCode::NO_CONTENT, format!("passkey renamed: {}", body.name.trim())))
}

/// `DELETE /passkeys/{id}`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    Segment(id): Segment<Uuid>,
    JsonBody(body): JsonBody<PasswordBody>,
) -> Result<Response, ConsoleError> {
    flow::passkey::remove(&state, &operator, client, id, &body.password).await?;
    Ok(with_summary(StatusCode::NO_CONTENT, "passkey removed".to_owned()))
}
