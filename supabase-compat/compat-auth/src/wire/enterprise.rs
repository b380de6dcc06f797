//! SAML is not supported: there are no providers, none can be created, and nobody can sign in with
//! one.

use axum::response::Response;
use http::StatusCode;
use serde_json::json;

use crate::error::{AuthError, DisabledFeature};
use crate::wire::extract::Admin;

/// `POST /sso`, `GET /sso/saml/metadata`, `POST /sso/saml/acs`
pub async fn sign_in() -> AuthError {
    DisabledFeature::Saml.into()
}

/// `GET /admin/sso/providers`
pub async fn list(_: Admin) -> Response {
    compat_http::json(StatusCode::OK, &json!({"items": []}))
}

/// `POST /admin/sso/providers`
pub async fn post(_: Admin) -> AuthError {
    DisabledFeature::Saml.into()
}

/// `GET`, `PUT` and `DELETE /admin/sso/providers/{id}`
pub async fn one(_: Admin) -> AuthError {
    DisabledFeature::SsoProvider.into()
}
