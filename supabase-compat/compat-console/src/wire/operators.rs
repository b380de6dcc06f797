//! `/operators`, for owners.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::ConsoleError;
use crate::flow;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::address::base_of;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::{require_role, with_summary};

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
    let answer = compat_http::json(StatusCode::CREATED, &body_of_answer);
    Ok(with_summary(answer, format!("invitation, {}", body.role.name())))
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
    Ok(with_summary(StatusCode::NO_CONTENT, format!("role {}", body.role.name())))
}

/// `DELETE /operators/{id}`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    flow::operators::remove(&state, id).await?;
    Ok(with_summary(StatusCode::NO_CONTENT, "operator removed".to_owned()))
}
