//! Responses that several endpoints share: a user, a session, an empty object.

use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::Map;

use crate::flow::grant::Grant;
use crate::model::User;
use crate::model::user_body::UserBody;

#[derive(Serialize)]
struct SessionBody<'a> {
    access_token: &'a str,
    token_type: &'static str,
    expires_in: i64,
    expires_at: i64,
    refresh_token: &'a str,
    user: UserBody<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_refresh_token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weak_password: Option<WeakPasswordBody<'a>>,
}

#[derive(Serialize)]
struct WeakPasswordBody<'a> {
    message: &'a str,
    reasons: &'a [&'static str],
}

/// The response with a user.
pub fn user(user: &User) -> Response {
    compat_http::json(StatusCode::OK, &UserBody::from(user))
}

/// The response with a session, its user, and the diagnostic headers of the issued token.
pub fn session(grant: &Grant) -> Response {
    let body = SessionBody {
        access_token: &grant.access_token,
        token_type: "bearer",
        expires_in: grant.expires_in,
        expires_at: grant.expires_at,
        refresh_token: &grant.refresh_token,
        user: UserBody::from(&grant.user),
        provider_token: grant.provider_token.as_deref(),
        provider_refresh_token: grant.provider_refresh_token.as_deref(),
        weak_password: grant
            .weak_password
            .as_ref()
            .map(|(message, reasons)| WeakPasswordBody { message, reasons }),
    };
    let mut response = compat_http::json(StatusCode::OK, &body);
    let ids = [("sb-auth-user-id", grant.user.id), ("sb-auth-session-id", grant.session_id)];
    for (name, id) in ids {
        if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// The response with an empty object.
pub fn nothing() -> Response {
    compat_http::json(StatusCode::OK, &Map::new())
}
