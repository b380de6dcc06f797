//! `/overview`.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;

use crate::error::ConsoleError;
use crate::flow;
use crate::state::ConsoleState;

/// `GET /overview`.
pub(crate) async fn show(State(state): State<ConsoleState>) -> Result<Response, ConsoleError> {
    Ok(compat_http::json(StatusCode::OK, &flow::overview::overview(&state).await?))
}
