//! `GET /api/ping`: whether the service answers.

use axum::response::Response;
use http::StatusCode;
use serde_json::json;

/// Always answers with success.
pub(crate) async fn get() -> Response {
    compat_http::json(StatusCode::OK, &json!({"message": "Success"}))
}
