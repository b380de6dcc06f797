//! The generators over HTTP, with the routes of `@supabase/postgres-meta` below `/generators`. The
//! program that mounts them must add a guard.

use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get};
use compat_pg::OwnerDb;
use http::StatusCode;
use serde_json::json;

use crate::{AccessControl, Metadata, SchemaFilter, TypescriptOptions, introspect_database};

type Parameters = Vec<(String, String)>;

/// The state of the handlers.
#[derive(Clone)]
struct Source {
    owner: OwnerDb,
    query_timeout: Duration,
}

/// The routes `typescript`, `go`, `swift` and `python`. `query_timeout` limits each statement.
pub fn router(owner: OwnerDb, query_timeout: Duration) -> Router {
    Router::new()
        .route("/typescript", generator(typescript))
        .route("/go", generator(|metadata, _| Ok(crate::go(metadata))))
        .route("/swift", generator(swift))
        .route("/python", generator(|metadata, _| Ok(crate::python(metadata))))
        .with_state(Source { owner, query_timeout })
}

/// Why a request cannot be answered.
type Refusal = (StatusCode, String);

fn generator<F>(print: F) -> MethodRouter<Source>
where
    F: Fn(&Metadata, &Parameters) -> Result<String, Refusal> + Clone + Send + Sync + 'static,
{
    get(move |State(source): State<Source>, Query(parameters): Query<Parameters>| {
        let print = print.clone();
        async move {
            let read = source.read(&parameters).await;
            let text = read.and_then(|metadata| print(&metadata, &parameters));
            text.map_or_else(refuse, |text| text.into_response())
        }
    })
}

impl Source {
    async fn read(&self, parameters: &Parameters) -> Result<Metadata, Refusal> {
        let filter = SchemaFilter::new(
            schemas(parameters, "included_schemas"),
            schemas(parameters, "excluded_schemas"),
        );
        introspect_database(&self.owner, &filter, self.query_timeout).await.map_err(|error| {
            tracing::error!(%error, "cannot generate types: the catalogue cannot be read");
            (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
        })
    }
}

fn refuse((status, reason): Refusal) -> Response {
    (status, axum::Json(json!({ "error": reason }))).into_response()
}

fn typescript(metadata: &Metadata, parameters: &Parameters) -> Result<String, Refusal> {
    let options = TypescriptOptions {
        detects_one_to_one: parameter(parameters, "detect_one_to_one_relationships")
            == Some("true"),
        postgrest_version: parameter(parameters, "postgrest_version").map(str::to_owned),
    };
    Ok(crate::typescript(metadata, &options))
}

fn swift(metadata: &Metadata, parameters: &Parameters) -> Result<String, Refusal> {
    let access: AccessControl = parameter(parameters, "access_control")
        .map_or(Ok(AccessControl::default()), str::parse)
        .map_err(|reason| (StatusCode::BAD_REQUEST, format!("access_control: {reason}")))?;
    Ok(crate::swift(metadata, access))
}

fn schemas(parameters: &Parameters, name: &str) -> Vec<String> {
    let names = parameter(parameters, name).map(|text| text.split(','));
    names.into_iter().flatten().map(|name| name.trim().to_owned()).collect()
}

/// The first value of a parameter.
fn parameter<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}
