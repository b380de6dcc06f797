//! The endpoint from which Studio reads logs, compatible with Logflare:
//! `/api/endpoints/query/{name}`, for the service key only.
//!
//! Queries are answered from the log ring. The SQL dialect covers what Studio's screens and
//! templates send; any other statement is refused with Logflare's error.

mod api_counts;
mod evaluation;
mod expression;
mod function_stats;
mod select;
mod service_health;
mod tables;
mod tokens;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chrono::{DateTime, TimeZone as _, Utc};
use compat_http::{ServiceEnvironment, credentials};
use compat_token::Credentials;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use self::function_stats::FunctionStats;
use crate::Stack;
use crate::logs::{LogWriter, logs_folder};

/// The most concurrent queries, because each reads files and holds rows.
const AT_ONCE: usize = 2;
/// The most bytes of a request body.
const LONGEST_REQUEST: usize = 64 * 1024;
/// The most time buckets in an answer, as in Logflare.
const MOST_PARTS: usize = 1_000;
/// The query that runs if a request has none, as in Logflare.
const DEFAULT_QUERY: &str =
    "select id, timestamp, event_message, metadata from edge_logs limit 100";

/// State of the endpoint.
#[derive(Clone)]
struct LogQueries {
    environment: ServiceEnvironment,
    folder: PathBuf,
    writer: Option<LogWriter>,
    permits: Arc<Semaphore>,
}

/// Why a query failed.
#[derive(Debug, thiserror::Error)]
enum QueryError {
    #[error("Unauthorized")]
    Unauthorized,
    #[error("Not Found")]
    NotFound,
    #[error("{0}")]
    Query(String),
    #[error("Resources exceeded during query execution: {0}")]
    Resources(&'static str),
    #[error("the log cannot be read")]
    Log(#[from] std::io::Error),
}

impl QueryError {
    fn query(text: impl Into<String>) -> Self {
        Self::Query(text.into())
    }
}

impl IntoResponse for QueryError {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::NotFound => StatusCode::NOT_FOUND,
            // Logflare answers 200 with an error for a query that it cannot run.
            Self::Query(_) | Self::Resources(_) => StatusCode::OK,
            Self::Log(error) => {
                tracing::error!(%error, "cannot read the log");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        (status, axum::Json(json!({"error": self.to_string()}))).into_response()
    }
}

/// The endpoint's route.
pub(crate) fn router(stack: &Stack) -> Router {
    let state = LogQueries {
        environment: stack.environment.clone(),
        folder: logs_folder(&stack.settings().data_dir),
        writer: stack.logs().cloned(),
        permits: Arc::new(Semaphore::new(AT_ONCE)),
    };
    Router::new().route("/api/endpoints/query/{name}", get(query).post(query)).with_state(state)
}

async fn query(
    State(state): State<LogQueries>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, QueryError> {
    state.must_be_service(&request)?;
    let parameters = Parameters::read(request).await?;
    let permit = Arc::clone(&state.permits).acquire_owned().await;
    let rows = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        state.answer(&name, &parameters)
    });
    let rows = rows.await.map_err(|error| std::io::Error::other(error.to_string()))??;
    Ok(axum::Json(json!({"result": rows})).into_response())
}

impl LogQueries {
    /// Logflare's header is `x-api-key`; `apikey` and `Authorization` count as well.
    fn must_be_service(&self, request: &Request) -> Result<(), QueryError> {
        let headers = request.headers();
        let own = headers.get("x-api-key").and_then(|key| key.to_str().ok());
        let credentials = match own {
            Some(key) => Credentials { apikey: Some(key), authorization: None },
            None => credentials(headers),
        };
        let now = self.environment.clock.unix();
        let caller = self.environment.authenticator.caller(credentials, now);
        match caller {
            Ok(caller) if caller.role() == "service_role" => Ok(()),
            _ => Err(QueryError::Unauthorized),
        }
    }

    fn answer(&self, name: &str, parameters: &Parameters) -> Result<Vec<Value>, QueryError> {
        if let Some(writer) = &self.writer {
            // Requests that were answered before this query are found.
            writer.flush();
        }
        let now = self.environment.clock.now();
        match name {
            "logs.all" => {
                let select = select::parse(parameters.get("sql").unwrap_or(DEFAULT_QUERY))?;
                evaluation::run(&self.folder, &select, parameters.period()?)
            }
            "usage.api-counts" => {
                api_counts::count(&self.folder, parameters.get("interval").unwrap_or("hourly"), now)
            }
            "functions.invocation-stats" => {
                function_stats::count(&self.folder, FunctionStats::Invocations, parameters, now)
            }
            "functions.combined-stats" => {
                function_stats::count(&self.folder, FunctionStats::Combined, parameters, now)
            }
            "service-health" => service_health::count(&self.folder, parameters),
            _ => Err(QueryError::NotFound),
        }
    }
}

/// The begin of a time bucket as text, from microseconds since 1970.
fn part_begin(micros: i64) -> Option<String> {
    let begin = Utc.timestamp_micros(micros).single()?;
    Some(begin.format("%Y-%m-%dT%H:%M:%S").to_string())
}

/// The queried time: after the first, up to and including the second.
type Period = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);

/// The parameters of a query, from the URL or from a JSON object.
struct Parameters(BTreeMap<String, String>);

impl Parameters {
    async fn read(request: Request) -> Result<Self, QueryError> {
        let query = request.uri().query().unwrap_or_default();
        let mut values: BTreeMap<String, String> =
            url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if *request.method() == Method::POST {
            let body = to_bytes(request.into_body(), LONGEST_REQUEST).await;
            let body = body.map_err(|_| QueryError::query("the request is too long"))?;
            let fields: Map<String, Value> = match body.is_empty() {
                true => Map::new(),
                false => serde_json::from_slice(&body)
                    .map_err(|_| QueryError::query("the body is no JSON object"))?,
            };
            values.extend(fields.into_iter().filter_map(|(name, value)| match value {
                Value::String(text) => Some((name, text)),
                Value::Null => None,
                other => Some((name, other.to_string())),
            }));
        }
        Ok(Self(values))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    fn period(&self) -> Result<Period, QueryError> {
        let time = |name: &str| {
            self.get(name)
                .map(|text| expression::time(text).ok_or_else(|| invalid_time(text)))
                .transpose()
        };
        Ok((time("iso_timestamp_start")?, time("iso_timestamp_end")?))
    }
}

fn invalid_time(text: &str) -> QueryError {
    let text: String = text.chars().take(64).collect();
    QueryError::query(format!("Invalid timestamp: '{text}'"))
}

#[cfg(test)]
mod tests;
