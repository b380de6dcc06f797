//! `/admin/sso/providers`: SAML is not here, so there are none and none can be made.

use axum::response::Response;
use http::StatusCode;
use serde_json::json;

use crate::error::{AuthError, Closed};
use crate::wire::asking::Admin;

pub async fn list(_: Admin) -> Response {
    compat_http::json(StatusCode::OK, &json!({"items": []}))
}

pub async fn post(_: Admin) -> AuthError {
    AuthError::Closed(Closed::Saml)
}

pub async fn one(_: Admin) -> AuthError {
    AuthError::Closed(Closed::SsoProvider)
}
