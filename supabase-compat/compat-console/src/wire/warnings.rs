//! `/warnings`.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::state::ConsoleState;

/// `GET /warnings`.
pub(crate) async fn list(State(state): State<ConsoleState>) -> Result<Response, ConsoleError> {
    let warnings = flow::warnings::list(&state).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "warnings": warnings })))
}
