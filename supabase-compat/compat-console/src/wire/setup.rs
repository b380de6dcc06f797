//! `/setup`: setup links, each of which creates one operator.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, QueryOf};
use crate::wire::guard::{AuditOperator, with_summary};
use crate::wire::session;

#[derive(Deserialize)]
pub(crate) struct LinkQuery {
    token: String,
}

#[derive(Deserialize)]
pub(crate) struct NewOperator {
    token: String,
    email: String,
    password: String,
}

/// `GET /setup`.
pub(crate) async fn show(
    State(state): State<ConsoleState>,
    QueryOf(query): QueryOf<LinkQuery>,
) -> Result<Response, ConsoleError> {
    let role = flow::setup::role_of(&state, &query.token).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "role": role })))
}

/// `POST /setup`.
pub(crate) async fn accept(
    State(state): State<ConsoleState>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<NewOperator>,
) -> Response {
    match flow::setup::accept(&state, &body.token, &body.email, &body.password).await {
        Ok((operator, token)) => {
            let answer = session::opened(&state, &headers, &operator, &token).await;
            let summary = format!("new operator, {}", operator.role.name());
            let mut response = with_summary(answer, summary);
            response.extensions_mut().insert(AuditOperator(operator.email));
            response
        }
        Err(refusal) => refusal.into_response(),
    }
}
