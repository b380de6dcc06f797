//! `/backups` and `/backup-schedule`.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use compat_http::ClientIp;
use http::{HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::backups::BackupPlace;
use crate::error::ConsoleError;
use crate::flow;
use crate::flow::backup_schedule::NewSchedule;
use crate::flow::restore::Consent;
use crate::model::{Operator, Role};
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, QueryOf, Segment};
use crate::wire::guard::{require_role, with_summary};

#[derive(Deserialize)]
pub(crate) struct PlaceBody {
    place: BackupPlace,
}

#[derive(Deserialize)]
pub(crate) struct RestoreBody {
    password: String,
    /// The project's name, typed as a confirmation.
    project: String,
}

#[derive(Deserialize)]
pub(crate) struct TokenQuery {
    token: String,
}

/// `GET /backups`.
pub(crate) async fn list(State(state): State<ConsoleState>) -> Result<Response, ConsoleError> {
    Ok(compat_http::json(StatusCode::OK, &flow::backups::overview(&state).await?))
}

/// `POST /backups`.
pub(crate) async fn make(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    JsonBody(body): JsonBody<PlaceBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let id = flow::backups::make(&state, &operator, body.place).await?;
    let response = compat_http::json(StatusCode::ACCEPTED, &json!({ "id": id }));
    Ok(with_summary(response, format!("backup to {} begun", body.place.name())))
}

/// `DELETE /backups/{id}`.
pub(crate) async fn remove(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let name = flow::backups::remove(&state, id).await?;
    Ok(with_summary(StatusCode::NO_CONTENT, format!("backup {name} removed")))
}

/// `POST /backups/{id}/check`.
pub(crate) async fn check(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let name = flow::backups::check(&state, id).await?;
    Ok(with_summary(StatusCode::ACCEPTED, format!("check of backup {name} begun")))
}

/// `POST /backups/{id}/restore`, for an owner who enters the password and the project's name.
pub(crate) async fn restore(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    ClientIp(client): ClientIp,
    Segment(id): Segment<Uuid>,
    JsonBody(body): JsonBody<RestoreBody>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let consent = Consent { password: &body.password, project: &body.project };
    let name = flow::restore::begin(&state, &operator, client, id, consent).await?;
    Ok(with_summary(StatusCode::ACCEPTED, format!("restore of backup {name} begun")))
}

/// `POST /backups/{id}/download`: an address that is valid for a minute, for this operator only.
pub(crate) async fn begin_download(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let (token, name) = flow::backups::download_token(&state, &operator, id).await?;
    let url = format!("/console/api/backups/{id}/content?token={token}");
    let response = compat_http::json(StatusCode::OK, &json!({ "url": url }));
    Ok(with_summary(response, format!("backup {name} downloaded")))
}

/// `GET /backups/{id}/content`.
pub(crate) async fn content(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
    QueryOf(query): QueryOf<TokenQuery>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let download = flow::backups::download(&state, &operator, id, &query.token).await?;
    let mut response = Response::new(Body::from_stream(download.content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-tar"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(download.bytes));
    // Backup names are generated: letters, digits, points and hyphens.
    let disposition = format!("attachment; filename=\"{}\"", download.name);
    let disposition = HeaderValue::try_from(disposition);
    headers.insert(
        header::CONTENT_DISPOSITION,
        disposition.unwrap_or(HeaderValue::from_static("attachment")),
    );
    Ok(response)
}

/// `PUT /backup-schedule`.
pub(crate) async fn set_schedule(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    JsonBody(body): JsonBody<NewSchedule>,
) -> Result<Response, ConsoleError> {
    require_role(&operator, Role::Owner)?;
    let schedule = flow::backup_schedule::set(&state, body).await?;
    let summary = match schedule {
        Some(_) => "backup schedule set",
        None => "backup schedule ended",
    };
    let response = compat_http::json(StatusCode::OK, &json!({ "schedule": schedule }));
    Ok(with_summary(response, summary.to_owned()))
}
