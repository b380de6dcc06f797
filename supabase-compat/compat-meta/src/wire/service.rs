//! The service's description of itself.

use axum::extract::State as Extract;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;

use crate::{MetaError, State};

pub(crate) async fn describe() -> Response {
    let body = json!({
        "status": 200,
        "name": "supabase-compat pg",
        "version": env!("CARGO_PKG_VERSION"),
        "documentation": "https://github.com/supabase/postgres-meta",
    });
    compat_http::json(StatusCode::OK, &body)
}

pub(crate) async fn health(Extract(state): Extract<State>) -> Response {
    let now = state.environment().clock.now();
    let date = now.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    compat_http::json(StatusCode::OK, &json!({ "date": date }))
}

pub(crate) async fn not_found() -> MetaError {
    MetaError::NotFound
}
