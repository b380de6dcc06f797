//! Creating, changing and dropping objects.

use axum::extract::{Path, Query, State as Extract};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::body::JsonBody;
use super::catalog::check;
use super::query::{parameter, rules};
use crate::flow::catalog::Kind;
use crate::flow::change::{self, Change};
use crate::{MetaError, State};

type Parameters = Vec<(String, String)>;

/// `POST /<kind>`.
pub(crate) async fn create(
    kind: Kind,
    Extract(state): Extract<State>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, MetaError> {
    answer(&state, &headers, &Change::Create { kind, body: &body }).await
}

/// `PATCH /<kind>/<id>`.
pub(crate) async fn update(
    kind: Kind,
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, MetaError> {
    check_one(kind, &id)?;
    answer(&state, &headers, &Change::Update { kind, id: &id, body: &body }).await
}

/// `DELETE /<kind>/<id>`.
pub(crate) async fn remove(
    kind: Kind,
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
) -> Result<Response, MetaError> {
    check_one(kind, &id)?;
    let cascades = parameter(&parameters, "cascade") == Some("true");
    answer(&state, &headers, &Change::Remove { kind, id: &id, cascades }).await
}

/// `POST` and `DELETE /table-privileges` and `/column-privileges`.
pub(crate) async fn privileges(
    kind: Kind,
    grants: bool,
    Extract(state): Extract<State>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, MetaError> {
    answer(&state, &headers, &Change::Privileges { kind, grants, body: &body }).await
}

async fn answer(
    state: &State,
    headers: &HeaderMap,
    change: &Change<'_>,
) -> Result<Response, MetaError> {
    let object = change::change(state.sessions(), change, &rules(state, headers)).await?;
    Ok(compat_http::json(StatusCode::OK, &object))
}

/// Refuses a column's number without a point, which is that of a table.
fn check_one(kind: Kind, id: &str) -> Result<(), MetaError> {
    if kind == Kind::Columns && !id.contains('.') {
        return Err(MetaError::NotFound);
    }
    check(kind, id)
}
