//! Calling a router in process.

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use tower::ServiceExt;

/// A whole answer.
#[derive(Clone, Debug)]
pub struct TestResponse {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, read to its end.
    pub body: Bytes,
}

impl TestResponse {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {} {:?}", self.status, self.text()))
    }

    /// The body as text.
    #[track_caller]
    pub fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).expect("the body is text")
    }

    /// A header's text, or an empty text.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("the header is text"))
    }
}

/// Sends one request to the router and reads the answer to its end.
pub async fn call(router: &Router, request: Request<Body>) -> TestResponse {
    let response = router.clone().oneshot(request).await.expect("a router always answers");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("the body ends well").to_bytes();
    TestResponse { status: parts.status, headers: parts.headers, body }
}
