//! Responses that all pages share.

use axum::response::{IntoResponse as _, Redirect, Response};
use compat_pg::PgError;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// A permanent redirect that browsers revalidate each time: a renamed page may get its old name
/// back, and a browser that had cached both redirects would loop.
pub fn redirect(target: &str) -> Response {
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    (uncached, Redirect::permanent(target)).into_response()
}

/// Adds the headers of every page: it is revalidated before each use, and its content is restricted
/// by `policy`.
pub fn protect(headers: &mut HeaderMap, policy: &HeaderValue) {
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
}

/// 503 when the database is unavailable, else 500.
pub fn server_error(error: &PgError) -> Response {
    tracing::error!(%error, "page not answered: database error");
    match error.is_unavailable() {
        true => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")]).into_response(),
        false => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_timeout_gives_503_with_retry_after() {
        let away = server_error(&PgError::PoolTimeout);
        assert_eq!((away.status().as_u16(), &away.headers()["retry-after"]), (503, &5.into()));
        let fault = server_error(&PgError::Address("x".into()));
        assert_eq!((fault.status().as_u16(), fault.headers().get("retry-after")), (500, None));
    }
}
