//! The functions that the tests call, and the host they run in.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use compat_functions::{BoxFuture, Config, Function, Invocation, State, router};
use compat_http::{Clock, Entropy, Outgoing, OutgoingConfig, ServiceEnvironment};
use compat_token::{ApiKeys, Authenticator, KeyRing};
use futures_util::{StreamExt as _, stream};
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub const NOW: i64 = 1_790_000_000;

/// Answers with the request that it received.
pub struct Echo;
/// As [`Echo`], but open to everyone.
pub struct OpenEcho;
/// Fails in the way that its path names.
pub struct MisbehavingFunction;

async fn echo(name: &str, mut call: Invocation) -> Response {
    let body = match call.read_body(100).await {
        Ok(body) => body,
        Err(refusal) => return refusal.into_response(),
    };
    let received = json!({
        "name": name,
        "method": call.method.as_str(),
        "path_rest": call.path_rest,
        "query": call.query,
        "body": String::from_utf8_lossy(&body),
        "x_custom": call.headers.get("x-custom").and_then(|v| v.to_str().ok()),
        "sb_api_key": call.headers.contains_key("sb-api-key"),
        "role": call.caller.as_ref().map(|caller| caller.role().to_owned()),
        "client_ip": call.client_ip.to_string(),
    });
    compat_http::json(http::StatusCode::OK, &received)
}

impl Function for Echo {
    fn name(&self) -> &str {
        "echo"
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(echo("echo", call))
    }
}

impl Function for OpenEcho {
    fn name(&self) -> &str {
        "open_one"
    }

    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            let mut response = echo("open_one", call).await;
            let origin = http::HeaderValue::from_static("https://app.example");
            response.headers_mut().insert("access-control-allow-origin", origin);
            response
        })
    }
}

impl Function for MisbehavingFunction {
    fn name(&self) -> &str {
        "rogue"
    }

    fn verify_jwt(&self) -> bool {
        false
    }

    fn call(&self, call: Invocation) -> BoxFuture<'_, Response> {
        match call.path_rest.as_str() {
            "/panic-at-once" => panic!("before any await"),
            "/panic-later" => Box::pin(async {
                tokio::task::yield_now().await;
                panic!("after an await")
            }),
            "/never" => Box::pin(pending()),
            "/first-chunk" => Box::pin(async {
                let first = call.body.into_data_stream().next().await;
                Response::new(Body::from(first.expect("a chunk").expect("whole")))
            }),
            "/stream" => Box::pin(async {
                let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"data: 1\n\n"))]);
                let endless = first.chain(stream::pending());
                Response::new(Body::from_stream(endless))
            }),
            _ => Box::pin(async {
                let mut response = Response::new(Body::from("down"));
                *response.status_mut() = http::StatusCode::BAD_GATEWAY;
                response
            }),
        }
    }
}

/// A running host and the keys it verifies with.
pub struct TestHost {
    router: Router,
    environment: ServiceEnvironment,
}

impl TestHost {
    pub fn new(config: Config) -> Self {
        let keys = KeyRing::generate_es256().expect("a key").with_secret(SECRET).expect("a secret");
        let keys = Arc::new(keys);
        let api = Arc::new(ApiKeys::issue(&keys, NOW, [1; 48]).expect("keys"));
        let now = chrono::DateTime::from_timestamp(NOW, 0).expect("a time");
        let environment = ServiceEnvironment {
            clock: Clock::manual(now),
            entropy: Entropy::seeded(1),
            outgoing: Outgoing::new(OutgoingConfig::default()).expect("a client"),
            authenticator: Arc::new(Authenticator::new(keys, api, "anon")),
            trusted_proxies: Arc::new([]),
            public_url: "http://localhost".into(),
        };
        let functions: Vec<Arc<dyn Function>> =
            vec![Arc::new(Echo), Arc::new(OpenEcho), Arc::new(MisbehavingFunction)];
        Self::of(
            State::new(environment.clone(), config, functions).expect("a registry"),
            environment,
        )
    }

    /// Replaces the functions and keeps the keys.
    pub fn with(self, functions: Arc<dyn compat_functions::Host>) -> Self {
        Self::of(
            State::with_host(self.environment.clone(), Config::default(), functions),
            self.environment,
        )
    }

    fn of(state: State, environment: ServiceEnvironment) -> Self {
        let mounted = Router::new().nest("/functions/v1", router(state));
        Self { router: compat_http::layers(environment.clone(), mounted), environment }
    }

    pub fn environment(self) -> ServiceEnvironment {
        self.environment
    }

    pub fn api(&self) -> &ApiKeys {
        self.environment.authenticator.api_keys()
    }

    /// A token signed with the host's own key.
    pub fn token(&self, claims: &Value) -> String {
        self.environment.authenticator.keys().sign(claims).expect("a token")
    }

    pub async fn raw(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.expect("an answer")
    }

    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        let (parts, body) = self.raw(request).await.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        TestResponse { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

pub const SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters";

/// An HS256 token that another issuer signed with `secret`.
pub fn legacy_token(secret: &str, claims: &Value) -> String {
    KeyRing::from_secret(secret).expect("a ring").sign(claims).expect("a token")
}

pub struct TestResponse {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub body: Bytes,
}

impl TestResponse {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

/// A request with these headers.
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_owned())).expect("a request")
}
