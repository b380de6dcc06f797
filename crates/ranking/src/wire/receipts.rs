//! `GET /api/v1/receipts/jwks.json`: the keys that verify vote receipts (RFC 7517).

use axum::extract::State as Axum;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::State;

/// Answers with the public keys, which change only with the site's secret.
pub(crate) async fn jwks(Axum(state): Axum<State>) -> Response {
    let mut response = compat_http::json(StatusCode::OK, &state.receipts().jwks());
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=600"));
    response
}
