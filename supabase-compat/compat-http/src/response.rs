//! JSON answers.

use axum::body::Body;
use http::{Response, StatusCode, header};
use serde::Serialize;

/// An answer with a JSON body. A value that cannot be serialised is our fault: 500, logged.
pub fn json(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    let (status, body) = match serde_json::to_vec(value) {
        Ok(body) => (status, body),
        Err(error) => {
            tracing::error!(%error, "response not serialisable as JSON");
            (StatusCode::INTERNAL_SERVER_ERROR, b"{}".to_vec())
        }
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    response
}
