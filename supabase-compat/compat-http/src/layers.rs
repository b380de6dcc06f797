//! The layers around all services, in one function: what happens to every request.

use std::any::Any;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::{Router, response::Response};
use http::{HeaderValue, StatusCode, header};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument as _;

use crate::compress::CompressionPreference;
use crate::drain::drained;
use crate::redaction::redact_path;
use crate::static_file::FileAnswer;
use crate::{ClientIp, RequestId, ServiceEnvironment, client_ip, cors, credentials, request_id};

/// Wraps `router` as the original's gateway would: request id and span, client address, the key in
/// the query, CORS, compression, and a last net under panics.
pub fn layers(environment: ServiceEnvironment, router: Router) -> Router {
    router
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(from_fn_with_state(environment, around))
}

/// The same layers without those of a gateway (the key in the query, CORS), for a router that has
/// its own rules for other origins.
pub fn layers_without_cors(environment: ServiceEnvironment, router: Router) -> Router {
    router
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(from_fn_with_state(environment, around_without_cors))
}

async fn around(state: State<ServiceEnvironment>, request: Request, next: Next) -> Response {
    let preflight = cors::preflight(request.method(), request.headers());
    let (mut parts, body) = request.into_parts();
    credentials::take_from_query(&mut parts);
    let mut response = observed(state, Request::from_parts(parts, body), next, preflight).await;
    cors::complete(&mut response);
    response
}

async fn around_without_cors(
    state: State<ServiceEnvironment>,
    request: Request,
    next: Next,
) -> Response {
    observed(state, request, next, None).await
}

/// Runs a request in its span, or returns the response that is already known.
async fn observed(
    State(environment): State<ServiceEnvironment>,
    request: Request,
    next: Next,
    known: Option<Response>,
) -> Response {
    let started = Instant::now();
    let (mut parts, body) = request.into_parts();
    let body = drained(&parts.headers, body);
    let id = RequestId::from_headers(&parts.headers)
        .unwrap_or_else(|| RequestId(environment.entropy.uuid()));
    let client =
        ClientIp::decide(client_ip::peer(&parts), &parts.headers, &environment.trusted_proxies);
    let preference = CompressionPreference::of(&parts);
    parts.extensions.insert(id);
    parts.extensions.insert(client);
    // The query stays out of the log: it carries one-time tokens.
    let span = tracing::info_span!(
        "http.request", id = %id.0, method = %parts.method, path = %redact_path(parts.uri.path())
    );
    let mut response = match known {
        Some(answer) => answer,
        None => next.run(Request::from_parts(parts, body)).instrument(span.clone()).await,
    };
    response = preference.grant(response).await;
    if response.extensions().get::<FileAnswer>().is_none()
        && let Ok(value) = HeaderValue::from_str(&id.0.to_string())
    {
        // A service may have set the header already, to echo the caller's own value.
        response.headers_mut().entry(request_id::HEADER).or_insert(value);
    }
    // Browsers must not guess another content type than the response names.
    let sniffing = response.headers_mut().entry(header::X_CONTENT_TYPE_OPTIONS);
    sniffing.or_insert(HeaderValue::from_static("nosniff"));
    let _entered = span.enter();
    tracing::debug!(status = response.status().as_u16(), took = ?started.elapsed(), "answered");
    response
}

fn answer_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(panic = message, "handler panicked");
    let mut response = Response::new(Body::from(r#"{"message":"Internal Server Error"}"#));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::routing::get;
    use compat_token::{ApiKeys, Authenticator, KeyRing};
    use http::Method;
    use tower::ServiceExt as _;

    use super::*;
    use crate::credentials::credentials;
    use crate::{Clock, Entropy, Outgoing, OutgoingConfig, StaticFile, static_response};

    fn app() -> Router {
        let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
        let api = Arc::new(ApiKeys::issue(&keys, 0, [1; 48]).expect("keys"));
        let environment = ServiceEnvironment {
            clock: Clock::system(),
            entropy: Entropy::seeded(1),
            outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
            authenticator: Arc::new(Authenticator::new(keys, api, "anon")),
            trusted_proxies: Arc::new([]),
            public_url: "http://localhost".into(),
        };
        async fn address(ClientIp(ip): ClientIp) -> String {
            ip.to_string()
        }
        async fn own() -> ([(&'static str, &'static str); 1], &'static str) {
            ([("access-control-allow-origin", "https://a.example")], "own")
        }
        async fn key(headers: http::HeaderMap) -> String {
            credentials(&headers).apikey.unwrap_or("none").to_owned()
        }
        async fn file(headers: http::HeaderMap) -> Response {
            let lifetime = HeaderValue::from_static("no-cache");
            let find = async |_| Some(StaticFile::new(b"picture"[..].into()));
            static_response("a.png", &headers, lifetime, find).await.expect("a file")
        }
        async fn fail() -> &'static str {
            panic!("on purpose")
        }
        let router = Router::new()
            .route("/ip", get(address))
            .route("/own", get(own))
            .route("/among", get(async || ([("cross-origin-resource-policy", "same-origin")], "")))
            .route("/key", get(key))
            .route("/file", get(file))
            .route("/panic", get(fail));
        layers(environment, router)
    }

    async fn send(method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        app().oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer")
    }

    fn header<'a>(response: &'a Response, name: &str) -> Vec<&'a str> {
        response.headers().get_all(name).iter().filter_map(|value| value.to_str().ok()).collect()
    }

    #[tokio::test]
    async fn a_preflight_is_answered_with_the_requested_headers() {
        let requested = "x-supabase-new-feature, apikey";
        let response = send(
            Method::OPTIONS,
            "/anything",
            &[
                ("origin", "https://app.example"),
                ("access-control-request-method", "POST"),
                ("access-control-request-headers", requested),
            ],
        )
        .await;
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        assert_eq!(header(&response, "access-control-allow-headers"), [requested]);
        assert_eq!(header(&response, "access-control-allow-origin"), ["*"]);
        assert_eq!(header(&response, "access-control-max-age"), ["3600"]);
    }

    #[tokio::test]
    async fn every_answer_allows_an_origin_exactly_once() {
        let missing = send(Method::GET, "/nowhere", &[]).await;
        assert_eq!(header(&missing, "access-control-allow-origin"), ["*"]);
        let own = send(Method::GET, "/own", &[]).await;
        assert_eq!(header(&own, "access-control-allow-origin"), ["https://a.example"]);
    }

    #[tokio::test]
    async fn same_origin_answer_has_no_cors_headers() {
        let among = send(Method::GET, "/among", &[("origin", "https://evil.example")]).await;
        assert_eq!(header(&among, "access-control-allow-origin"), [""; 0]);
        assert_eq!(header(&among, "access-control-expose-headers"), [""; 0]);
    }

    #[tokio::test]
    async fn no_answer_is_read_as_another_type() {
        for path in ["/ip", "/nowhere", "/panic"] {
            let response = send(Method::GET, path, &[]).await;
            assert_eq!(header(&response, "x-content-type-options"), ["nosniff"], "{path}");
        }
    }

    #[tokio::test]
    async fn a_key_in_the_query_is_the_callers() {
        let response = send(Method::GET, "/key?a=1&apikey=sb_x", &[]).await;
        let body = axum::body::to_bytes(response.into_body(), 100).await.expect("a body");
        assert_eq!(body, "sb_x");
    }

    #[tokio::test]
    async fn a_panic_becomes_an_answer() {
        let response = send(Method::GET, "/panic", &[]).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(header(&response, "access-control-allow-origin"), ["*"]);
    }

    #[tokio::test]
    async fn files_carry_no_headers_of_a_service() {
        let file = send(Method::GET, "/file", &[]).await;
        assert_eq!(file.status(), StatusCode::OK);
        assert_eq!(header(&file, "access-control-allow-origin"), ["*"]);
        assert_eq!(header(&file, "access-control-expose-headers"), [""; 0]);
        assert_eq!(header(&file, "x-request-id"), [""; 0]);
        assert_eq!(header(&send(Method::GET, "/ip", &[]).await, "x-request-id").len(), 1);
    }

    #[tokio::test]
    async fn a_request_keeps_the_id_it_came_with() {
        let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
        let response = send(Method::GET, "/ip", &[("x-request-id", id)]).await;
        assert_eq!(header(&response, "x-request-id"), [id]);
        let fresh = send(Method::GET, "/ip", &[("x-request-id", "<script>")]).await;
        assert!(header(&fresh, "x-request-id")[0].parse::<uuid::Uuid>().is_ok());
    }
}
