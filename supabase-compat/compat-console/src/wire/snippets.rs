//! `/snippets`.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::ConsoleError;
use crate::flow;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::require_role;

#[derive(Deserialize)]
pub(crate) struct SnippetBody {
    query: String,
}

/// `GET /snippets`.
pub(crate) async fn list(State(state): State<ConsoleState>) -> Result<Response, ConsoleError> {
    let snippets: Vec<Value> = flow::snippets::list(&state)
        .await?
        .into_iter()
        .map(|one| json!({ "name": one.name, "query": one.query, "updated_at": one.updated_at }))
        .collect();
    Ok(compat_http::json(StatusCode::OK, &json!({ "snippets": snippets })))
}

/// `PUT /snippets/{name}`.
pub(crate) async fn write(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(name): Segment<String>,
    JsonBody(body): JsonBody<SnippetBody>,
) -> Result<StatusCode, ConsoleError> {
    require_role(&operator, Role::Developer)?;
    flow::snippets::write(&state, &name, &body.query).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /snippets/{name}`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(name): Segment<String>,
) -> Result<StatusCode, ConsoleError> {
    require_role(&operator, Role::Developer)?;
    flow::snippets::remove(&state, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
