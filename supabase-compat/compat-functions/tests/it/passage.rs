//! What reaches a function, and how its answer comes back.

use std::sync::Arc;

use axum::body::Body;
use compat_functions::{Config, Function, RegistryError, State};
use futures_util::StreamExt;
use serde_json::json;

use crate::host::{Echo, Host, request};

#[tokio::test]
async fn everything_sent_reaches_the_function() {
    let host = Host::new(Config::default());
    let path = "/functions/v1/open_one/a%2Fb/c%20d?x=1&y=%26&x=2";
    let headers = [("x-custom", "kept"), ("sb-api-key", "forged"), ("x-client-info", "js")];
    let answer = host.send(request("PATCH", path, &headers, "{\"a\": 1}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.json(),
        json!({
            "name": "open_one",
            "method": "PATCH",
            "path_rest": "/a%2Fb/c%20d",
            "query": "x=1&y=%26&x=2",
            "body": "{\"a\": 1}",
            "x_custom": "kept",
            "sb_api_key": false,
            "role": "anon",
            "client_ip": "127.0.0.1",
        })
    );
}

#[tokio::test]
async fn a_trailing_slash_is_part_of_what_follows_the_name() {
    let host = Host::new(Config::default());
    let answer = host.send(request("GET", "/functions/v1/open_one/", &[], "")).await;
    assert_eq!((answer.status, &answer.json()["path_rest"]), (200, &json!("/")));
}

#[tokio::test]
async fn a_functions_own_cors_header_is_not_doubled() {
    let host = Host::new(Config::default());
    let answer = host.send(request("POST", "/functions/v1/open_one", &[], "")).await;
    let origins: Vec<_> = answer.headers.get_all("access-control-allow-origin").iter().collect();
    assert_eq!(origins, ["https://app.example"]);
}

#[tokio::test]
async fn a_streamed_answer_begins_before_it_ends() {
    let host = Host::new(Config::default());
    let response = host.raw(request("POST", "/functions/v1/rogue/stream", &[], "")).await;
    let mut chunks = response.into_body().into_data_stream();
    let first = chunks.next().await.expect("a chunk").expect("data");
    assert_eq!(&first[..], b"data: 1\n\n");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_with_or_without_a_length() {
    let host = Host::new(Config { max_body: 8, ..Config::default() });
    let expected = json!({
        "code": "PAYLOAD_TOO_LARGE",
        "message": "Request body exceeds 8 bytes",
    });
    let long = host.send(request("POST", "/functions/v1/open_one", &[], "123456789")).await;
    assert_eq!((long.status, long.json()), (413, expected.clone()));

    let mut chunked = request("POST", "/functions/v1/open_one", &[], "");
    let parts = futures_util::stream::iter(["12345", "6789"].map(Ok::<_, std::io::Error>));
    *chunked.body_mut() = Body::from_stream(parts);
    let chunked = host.send(chunked).await;
    assert_eq!((chunked.status, chunked.json()), (413, expected));

    let exact = host.send(request("POST", "/functions/v1/open_one", &[], "12345678")).await;
    assert_eq!((exact.status, &exact.json()["body"]), (200, &json!("12345678")));
}

#[test]
fn functions_that_cannot_be_told_apart_are_refused() {
    struct Named(&'static str);
    impl Function for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn call(
            &self,
            _: compat_functions::Invocation,
        ) -> compat_functions::BoxFuture<'_, axum::response::Response> {
            Box::pin(async { axum::response::Response::default() })
        }
    }
    let edge = Host::new(Config::default()).edge();
    let twice: Vec<Arc<dyn Function>> = vec![Arc::new(Echo), Arc::new(Echo)];
    let state = State::new(edge.clone(), Config::default(), twice);
    assert_eq!(state.err(), Some(RegistryError::Duplicate("echo".into())));
    for bad in ["", "a/b", "a b", "é"] {
        let functions: Vec<Arc<dyn Function>> = vec![Arc::new(Named(bad))];
        let state = State::new(edge.clone(), Config::default(), functions);
        assert_eq!(state.err(), Some(RegistryError::BadName(bad.into())));
    }
}
