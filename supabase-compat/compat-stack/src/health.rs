//! `GET /health`: whether the program serves, and its version and commit, for an external probe.
//!
//! It checks the services but never queries the database, so it may be called often. `/ready` on
//! the operator's port says more.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::service::{RunningService, Service};
use crate::version::{VERSION, commit};

/// State of the route.
#[derive(Clone)]
pub(crate) struct Health {
    pub services: Arc<[(&'static Service, RunningService)]>,
    /// Cancelled when the program is asked to stop.
    pub stopping: CancellationToken,
}

/// The route `/health`.
pub(crate) fn router(health: Health) -> Router {
    Router::new().route("/health", get(answer)).with_state(health)
}

/// 200 with `{"status":"ok","version":"0.1.0","commit":"…"}`; 503 with `unavailable` while a
/// service is not ready or the program stops. `commit` is absent if it is unknown.
async fn answer(State(health): State<Health>) -> Response {
    let is_missing = health.services.iter().any(|(_, running)| (running.missing)().is_some());
    let (status, word) = match is_missing || health.stopping.is_cancelled() {
        true => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        false => (StatusCode::OK, "ok"),
    };
    let mut body = json!({ "status": word, "version": VERSION });
    if let Some(commit) = commit() {
        body["commit"] = commit.into();
    }
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (status, [no_store], Json(body)).into_response()
}
