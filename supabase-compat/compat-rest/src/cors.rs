//! The service without a gateway: its name and its cross-origin rules as PostgREST has them. Behind
//! a gateway, the gateway's rules apply.
//!
//! CORS does not concern a request without `Origin`. If origins are listed, any other one gets the
//! response without the headers that let a browser show it.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State as Extract};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, SERVER,
};
use http::{HeaderMap, HeaderValue, Method};

use crate::router::dialect;
use crate::state::State;

const METHODS: &str = "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD";
const ALWAYS_ALLOWED: &str = "Accept, Accept-Language, Content-Language";
const A_DAY: HeaderValue = HeaderValue::from_static("86400");
const ANY: HeaderValue = HeaderValue::from_static("*");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, \
     Transfer-Encoding, Range-Unit",
);

const NAME: HeaderValue =
    HeaderValue::from_static(concat!("postgrest/", env!("CARGO_PKG_VERSION")));

/// The service for a server without a gateway, with its own rules for other origins.
pub fn standing_alone(state: State) -> Router {
    dialect(state.clone()).layer(from_fn_with_state(state, across)).layer(from_fn(name))
}

async fn name(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().entry(SERVER).or_insert(NAME);
    response
}

async fn across(Extract(state): Extract<State>, request: Request, next: Next) -> Response {
    let snapshot = state.snapshot();
    let config = snapshot.as_ref().map_or(state.base_config(), |snapshot| &snapshot.config);
    let listed = &config.cors_allowed_origins;
    let Some(origin) = request.headers().get(ORIGIN).and_then(|o| allow(o, listed)) else {
        return next.run(request).await;
    };
    if let Some(mut answer) = preflight(request.method(), request.headers()) {
        origin.write(answer.headers_mut());
        return answer;
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    origin.write(headers);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}

/// How an origin is allowed.
enum OriginRule {
    Any,
    /// A listed origin, which may also send credentials.
    Listed(HeaderValue),
}

fn allow(origin: &HeaderValue, listed: &[String]) -> Option<OriginRule> {
    if listed.is_empty() {
        return Some(OriginRule::Any);
    }
    let known = listed.iter().any(|known| known.as_bytes() == origin.as_bytes());
    known.then(|| OriginRule::Listed(origin.clone()))
}

impl OriginRule {
    fn write(self, headers: &mut HeaderMap) {
        match self {
            Self::Any => {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
            }
            Self::Listed(origin) => {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
                let yes = HeaderValue::from_static("true");
                headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
            }
        }
    }
}

/// The answer to a preflight; `None` for every other request, one that asks for an unknown method
/// included.
fn preflight(method: &Method, headers: &HeaderMap) -> Option<Response> {
    let requested_method = headers.get(ACCESS_CONTROL_REQUEST_METHOD)?.to_str().ok()?;
    if *method != Method::OPTIONS || !METHODS.split(", ").any(|known| known == requested_method) {
        return None;
    }
    let requested = headers.get(ACCESS_CONTROL_REQUEST_HEADERS).and_then(|list| list.to_str().ok());
    let mut names = vec!["Authorization"];
    names.extend(requested.into_iter().flat_map(|list| list.split(',')).map(str::trim));
    names.push(ALWAYS_ALLOWED);
    let mut response = Response::new(Body::empty());
    let answer = response.headers_mut();
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    answer.insert(ACCESS_CONTROL_MAX_AGE, A_DAY);
    if let Ok(names) = HeaderValue::from_str(&names.join(", ")) {
        answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, names);
    }
    Some(response)
}
