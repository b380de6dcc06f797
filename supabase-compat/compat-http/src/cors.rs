//! Cross-origin rules (the Fetch standard's CORS protocol) as Supabase's gateway has them: any
//! origin, the requested headers echoed, exactly one `Access-Control-Allow-Origin` on every answer.
//!
//! A response with rules of its own keeps them: an `Access-Control-Allow-Origin`, or a
//! `Cross-Origin-Resource-Policy` that excludes other origins.

use axum::body::Body;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

use crate::static_file::FileAnswer;

const METHODS: HeaderValue =
    HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT");
const MAX_AGE: HeaderValue = HeaderValue::from_static("3600");
const ANY: HeaderValue = HeaderValue::from_static("*");
/// What scripts may read: the lists of rest/v1, auth/v1 and storage/v1 together.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, \
     Transfer-Encoding, Range-Unit, Preference-Applied, Retry-After, X-Total-Count, Link, \
     X-Supabase-Api-Version, X-Request-Id, SB-Error-Code, X-SB-Error-Code, X-Relay-Error",
);

/// The answer to a preflight; `None` when the request is no preflight and goes to its service.
pub(crate) fn preflight(method: &Method, headers: &HeaderMap) -> Option<Response<Body>> {
    let asks = headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if *method != Method::OPTIONS || !asks {
        return None;
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let answer = response.headers_mut();
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    answer.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if let Some(requested) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, requested.clone());
    }
    Some(response)
}

/// Adds the CORS headers to a response; headers that a service (a function, say) set itself stay. A
/// file of a build does not list the headers that scripts may read of the services.
pub(crate) fn complete(response: &mut Response<Body>) {
    let is_file = response.extensions().get::<FileAnswer>().is_some();
    let headers = response.headers_mut();
    let policy = headers.get("cross-origin-resource-policy");
    if policy.is_some_and(|policy| policy != "cross-origin") {
        return;
    }
    headers.entry(ACCESS_CONTROL_ALLOW_ORIGIN).or_insert(ANY);
    if !is_file {
        headers.entry(ACCESS_CONTROL_EXPOSE_HEADERS).or_insert(EXPOSED);
    }
}
