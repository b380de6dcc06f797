//! `/query`: runs an operator's SQL.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use compat_pg::{SqlAccess, SqlResult};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::flow;
use crate::flow::query::QueryOrder;
use crate::model::Operator;
use crate::state::ConsoleState;
use crate::wire::body::{JsonBody, Segment};
use crate::wire::guard::{DisconnectToken, NoChange, with_summary};

#[derive(Deserialize)]
pub(crate) struct QueryBody {
    query: String,
    #[serde(default)]
    read_only: bool,
    timeout_ms: Option<u64>,
    max_rows: Option<usize>,
    id: Option<Uuid>,
    parameters: Option<Vec<Value>>,
}

/// `POST /query`.
pub(crate) async fn run(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Extension(DisconnectToken(disconnect)): Extension<DisconnectToken>,
    JsonBody(body): JsonBody<QueryBody>,
) -> Response {
    let parameters: Vec<Option<String>> = body.parameters.iter().flatten().map(parameter).collect();
    let access = flow::query::access(&operator, body.read_only);
    let order = QueryOrder {
        id: body.id.unwrap_or_else(|| state.config().environment.entropy.uuid()),
        text: &body.query,
        parameters: &parameters,
        access,
        time: body.timeout_ms.map(Duration::from_millis),
        rows: body.max_rows,
        disconnect,
    };
    let done = flow::query::run(&state, &operator, order).await;
    let is_change =
        access == SqlAccess::ReadWrite || done.as_ref().is_err_and(flow::query::is_refused_change);
    let reply = match done {
        Ok(results) => compat_http::json(StatusCode::OK, &answer(results)),
        Err(refusal) => refusal.into_response(),
    };
    let summary = match access {
        SqlAccess::ReadOnly => format!("read only: {}", body.query),
        SqlAccess::ReadWrite => body.query,
    };
    let mut response = with_summary(reply, summary);
    if !is_change {
        response.extensions_mut().insert(NoChange);
    }
    response
}

/// `DELETE /query/{id}`: afterwards no statement of the operator runs under this id. The answer is
/// 204 even if there was none, because the statement may just have ended by itself.
pub(crate) async fn cancel(
    State(state): State<ConsoleState>,
    Extension(operator): Extension<Operator>,
    Segment(id): Segment<Uuid>,
) -> Response {
    let cancelled = state.cancel_statement(id, operator.id, operator.role);
    let mut response = StatusCode::NO_CONTENT.into_response();
    // A cancelled change of the operator's own already has an audit entry.
    if cancelled.is_none_or(|own| own == operator.id) {
        response.extensions_mut().insert(NoChange);
    }
    response
}

/// A parameter in PostgreSQL's text form; an object or an array as JSON.
fn parameter(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The last statement's result, and every result if there are several.
fn answer(results: Vec<SqlResult>) -> Value {
    let mut results: Vec<Map<String, Value>> = results.into_iter().map(result_json).collect();
    let Some(mut last) = results.last().cloned().filter(|_| results.len() > 1) else {
        return Value::from(results.pop().unwrap_or_default());
    };
    last.insert("results".to_owned(), Value::from(results));
    Value::from(last)
}

fn result_json(result: SqlResult) -> Map<String, Value> {
    let columns: Vec<Value> = result
        .columns
        .into_iter()
        .map(|column| json!({ "name": column.name, "type": column.type_name }))
        .collect();
    let mut object = Map::new();
    object.insert("columns".to_owned(), columns.into());
    object.insert("rows".to_owned(), result.rows.into());
    object.insert("row_count".to_owned(), result.row_count.into());
    object.insert("truncated".to_owned(), result.is_cut.into());
    let milliseconds = (result.duration.as_secs_f64() * 1e6).round() / 1e3;
    object.insert("duration_ms".to_owned(), milliseconds.into());
    object.insert("command".to_owned(), result.command.into());
    object
}
