//! Error responses and shared response helpers.

use axum::Json;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use crate::error::StorageError;

impl IntoResponse for StorageError {
    fn into_response(self) -> Response {
        log(&self);
        let (status, facts) = (self.status(), self.facts());
        let body = json!({
            "statusCode": facts.status.to_string(),
            "error": facts.error,
            "message": self.to_string(),
            "code": facts.code,
        });
        let mut response = (status, Json(body)).into_response();
        // An error must not be cached: the same request may succeed later.
        let never = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, never);
        response
    }
}

/// Logs an error; the only place where internal errors are logged.
pub(super) fn log(error: &StorageError) {
    if !error.is_ours() {
        return tracing::debug!(%error, "request refused");
    }
    let mut causes = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(source) = cause {
        causes.push(source.to_string());
        cause = source.source();
    }
    tracing::error!(%error, causes = causes.join(": "), "request failed");
}

/// The response of the original's framework for an unknown path.
pub async fn no_route(request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let body = json!({
        "message": format!("Route {method}:{path} not found"),
        "error": "Not Found",
        "statusCode": 404,
    });
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}

/// Serializes a timestamp in the format that the original's clients expect.
pub fn moment<S: serde::Serializer>(
    moment: &Option<chrono::DateTime<chrono::Utc>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => {
            to.serialize_str(&moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
        }
        None => to.serialize_none(),
    }
}
