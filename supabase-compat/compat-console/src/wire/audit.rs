//! `/audit`.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::error::ConsoleError;
use crate::flow;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::body::QueryOf;
use crate::wire::guard::require_role;

#[derive(Deserialize)]
pub(crate) struct AuditQuery {
    before: Option<i64>,
    limit: Option<i64>,
}

/// `GET /audit`, for developers and owners, because summaries may contain SQL texts that a reader
/// must not see.
pub(crate) async fn list(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    QueryOf(query): QueryOf<AuditQuery>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Developer)?;
    let (entries, next) = flow::audit::page(&state, query.before, query.limit).await?;
    Ok(compat_http::json(StatusCode::OK, &json!({ "entries": entries, "next": next })))
}
