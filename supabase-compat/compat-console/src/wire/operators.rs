//! `/operators`, for owners.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::is_local;
use crate::error::ConsoleError;
use crate::flow;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::{AuditSummary, require_role};

#[derive(Deserialize)]
pub(crate) struct RoleBody {
    role: Role,
}

/// `GET /operators`.
pub(crate) async fn list(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let operators: Vec<Value> = flow::operators::list(&state)
        .await?
        .into_iter()
        .map(|one| {
            json!({
                "id": one.id,
                "email": one.email,
                "role": one.role,
                "created_at": one.created_at,
                "last_seen_at": one.last_seen_at,
                "second_factor": one.has_second_factor,
            })
        })
        .collect();
    Ok(compat_http::json(StatusCode::OK, &json!({ "operators": operators })))
}

/// `POST /operators/invitations`.
pub(crate) async fn invite(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RoleBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let (token, expires_at) = flow::setup::invite(&state, body.role).await?;
    let base = base_of(&state.config().environment.public_url, &headers);
    let body_of_answer =
        json!({ "url": format!("{base}/console/setup?token={token}"), "expires_at": expires_at });
    let mut response = compat_http::json(StatusCode::CREATED, &body_of_answer);
    response.extensions_mut().insert(AuditSummary(format!("invitation, {}", body.role.name())));
    Ok(response)
}

/// `PATCH /operators/{id}`.
pub(crate) async fn update(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
    JsonBody(body): JsonBody<RoleBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    flow::operators::set_role(&state, id, body.role).await?;
    Ok(noted(format!("role {}", body.role.name())))
}

/// `DELETE /operators/{id}`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    flow::operators::remove(&state, id).await?;
    Ok(noted("operator removed".to_owned()))
}

/// 204 with a summary for the audit log.
fn noted(summary: String) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.extensions_mut().insert(AuditSummary(summary));
    response
}

/// The address that the owner sees the console at; whoever is invited sees it there, too.
fn base_of(public_url: &str, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match host {
        Some(host) if is_local(host) => format!("http://{host}"),
        _ => public_url.to_owned(),
    }
}
