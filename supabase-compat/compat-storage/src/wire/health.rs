//! The health and the version of the service.

use axum::Json;
use http::header;
use serde_json::{Value, json};

/// `GET /health`.
pub async fn get() -> Json<Value> {
    Json(json!({"healthy": true}))
}

/// `GET /version`.
pub async fn version() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "text/plain")], env!("CARGO_PKG_VERSION"))
}
