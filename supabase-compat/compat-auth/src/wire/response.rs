//! Refusals as responses, in the shape of the API version that the client requests.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use compat_http::RequestId;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::error::{AuthError, BodyRefusal, Fault};

const VERSION_HEADER: HeaderName = HeaderName::from_static("x-supabase-api-version");
const CODE_HEADER: HeaderName = HeaderName::from_static("x-sb-error-code");

/// `GOTRUE_API_MAX_REQUEST_DURATION`.
const MAX_DURATION: Duration = Duration::from_secs(10);

/// The versions of the error format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Initial,
    /// From this version on `code` is the name of the error.
    V20240101,
}

impl Version {
    /// The requested version. Dates compare as text; anything else is the initial version.
    fn requested(headers: &HeaderMap) -> Self {
        let text =
            headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_date = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok();
        if is_date && text >= "2024-01-01" { Self::V20240101 } else { Self::Initial }
    }
}

/// Carries the refusal to [`complete`], which knows the version.
impl IntoResponse for AuthError {
    fn into_response(self) -> Response {
        let mut response = self.facts().0.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// The layer around all endpoints: it limits their time, writes their refusals, and forbids caching
/// of responses, which concern people and tokens, unless an endpoint allows it.
pub async fn complete(request: Request, next: Next) -> Response {
    let version = Version::requested(request.headers());
    let id = request.extensions().get::<RequestId>().map(|id| id.0.to_string());
    let response = match tokio::time::timeout(MAX_DURATION, next.run(request)).await {
        Ok(response) => response,
        Err(_) => AuthError::Body(BodyRefusal::Timeout).into_response(),
    };
    let mut response = match response.extensions().get::<Arc<AuthError>>().cloned() {
        Some(error) => error_response(&error, version, id.as_deref()),
        None => response,
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn error_response(error: &AuthError, version: Version, request_id: Option<&str>) -> Response {
    let (status, code) = error.facts();
    log(error, status);
    if let Some((error, description)) = error.oauth_fields() {
        let body = json!({"error": error, "error_description": description});
        return compat_http::json(status, &body);
    }
    let body = match version {
        Version::V20240101 => current_body(error, code),
        Version::Initial => initial_body(error, status, code, request_id),
    };
    let mut response = compat_http::json(status, &body);
    let headers = response.headers_mut();
    if version == Version::V20240101 {
        headers.insert(VERSION_HEADER, HeaderValue::from_static("2024-01-01"));
    }
    if version == Version::Initial || code != "weak_password" {
        headers.insert(CODE_HEADER, HeaderValue::from_static(code));
    }
    response
}

/// Logs our faults, here and nowhere else, with the database's own error if there is one.
fn log(error: &AuthError, status: StatusCode) {
    if error.is_ours() {
        let mut causes = Vec::new();
        let mut cause = std::error::Error::source(error);
        while let Some(source) = cause {
            causes.push(source.to_string());
            cause = source.source();
        }
        tracing::error!(%error, causes = causes.join(": "), "request failed");
    } else {
        tracing::debug!(%error, status = status.as_u16(), "request refused");
    }
}

fn current_body(error: &AuthError, code: &str) -> Value {
    let mut body = json!({"code": code, "message": error.to_string()});
    add_weakness(error, &mut body);
    body
}

fn initial_body(
    error: &AuthError,
    status: StatusCode,
    code: &str,
    request_id: Option<&str>,
) -> Value {
    if let Some(raised) = raised(error) {
        return raised;
    }
    let mut body = json!({"code": status.as_u16(), "error_code": code, "msg": error.to_string()});
    if status.is_server_error() {
        body["error_id"] = json!(request_id);
    }
    add_weakness(error, &mut body);
    body
}

/// The body for old clients of an error that a trigger raised, in the database's wording, as in the
/// original: only for errors that a function raises or a constraint causes, never for our own
/// failures. Unlike in the original, the detail of a constraint is left out, because it repeats the
/// row ("Failing row contains …").
fn raised(error: &AuthError) -> Option<Value> {
    let AuthError::Ours(Fault::Database { source, .. }) = error else { return None };
    let refusal = source.database()?;
    let code = refusal.code.as_str();
    let by_function = code == "P0001" || code.starts_with("PT");
    if !by_function && !code.starts_with("23") {
        return None;
    }
    let mut body = json!({"code": code, "message": refusal.message});
    let detail = refusal.detail.as_ref().filter(|_| by_function);
    for (name, text) in [("hint", refusal.hint.as_ref()), ("detail", detail)] {
        if let Some(text) = text {
            body[name] = json!(text);
        }
    }
    Some(body)
}

fn add_weakness(error: &AuthError, body: &mut Value) {
    if let AuthError::Body(BodyRefusal::WeakPassword { reasons, .. }) = error {
        body["weak_password"] = json!({"reasons": reasons});
    }
}
