//! The parts of a request that reach a function, and how its response is returned.

use std::sync::Arc;

use axum::body::Body;
use compat_functions::{Config, DynamicRegistry, Function, RegistryError, State};
use compat_testkit::property_test_async;
use futures_util::StreamExt as _;
use serde_json::json;

use crate::host::{Echo, OpenEcho, TestHost, request};

#[tokio::test]
async fn everything_sent_reaches_the_function() {
    let host = TestHost::new(Config::default());
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
async fn trailing_slash_is_kept_in_the_path() {
    let host = TestHost::new(Config::default());
    let answer = host.send(request("GET", "/functions/v1/open_one/", &[], "")).await;
    assert_eq!((answer.status, &answer.json()["path_rest"]), (200, &json!("/")));
}

#[tokio::test]
async fn a_functions_own_cors_header_is_not_doubled() {
    let host = TestHost::new(Config::default());
    let answer = host.send(request("POST", "/functions/v1/open_one", &[], "")).await;
    let origins: Vec<_> = answer.headers.get_all("access-control-allow-origin").iter().collect();
    assert_eq!(origins, ["https://app.example"]);
}

#[tokio::test]
async fn a_streamed_answer_begins_before_it_ends() {
    let host = TestHost::new(Config::default());
    let response = host.raw(request("POST", "/functions/v1/rogue/stream", &[], "")).await;
    let mut chunks = response.into_body().into_data_stream();
    let first = chunks.next().await.expect("a chunk").expect("data");
    assert_eq!(&first[..], b"data: 1\n\n");
}

#[tokio::test]
async fn oversized_body_is_refused_with_413() {
    let host = TestHost::new(Config { max_body: 8, ..Config::default() });
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

#[tokio::test]
async fn a_function_may_answer_before_the_body_ends() {
    let host = TestHost::new(Config::default());
    let mut endless = request("POST", "/functions/v1/rogue/first-chunk", &[], "");
    let first = futures_util::stream::iter([Ok::<_, std::io::Error>("hello")]);
    *endless.body_mut() = Body::from_stream(first.chain(futures_util::stream::pending()));
    let answer = host.send(endless).await;
    assert_eq!((answer.status, &answer.body[..]), (200, &b"hello"[..]));
}

#[tokio::test]
async fn function_may_lower_the_body_limit() {
    let host = TestHost::new(Config::default());
    let long = "x".repeat(101);
    let answer = host.send(request("POST", "/functions/v1/open_one", &[], &long)).await;
    let message = "Request body exceeds 100 bytes";
    assert_eq!((answer.status, &answer.json()["message"]), (413, &json!(message)));
    let broken = futures_util::stream::iter([Ok("a"), Err(std::io::Error::other("gone"))]);
    let mut request = request("POST", "/functions/v1/open_one", &[], "");
    *request.body_mut() = Body::from_stream(broken);
    let answer = host.send(request).await;
    assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("BAD_REQUEST")));
}

#[tokio::test]
async fn registered_function_is_callable_at_once() {
    let functions = DynamicRegistry::default();
    let host = TestHost::new(Config::default()).with(Arc::new(functions.clone()));
    let call = || host.send(request("POST", "/functions/v1/open_one", &[], ""));
    assert_eq!(call().await.status, 404);
    functions.put(Arc::new(OpenEcho)).expect("a name");
    assert_eq!(call().await.status, 200);
    functions.remove("open_one");
    assert_eq!(call().await.status, 404);
}

/// No path leads to a server error, and a function only gets calls of paths below its name.
#[tokio::test]
async fn random_paths_reach_functions_by_name_only() {
    let host = TestHost::new(Config::default());
    let name = "open_one|rogue|[a-z_.~%-]{0,9}|%6fpen_one|open_one%2F";
    let paths = (name, "(/[!-~&&[^?#\"<>`{}\\\\|^]]{0,9}){0,3}");
    property_test_async("function_paths", paths, async |(name, rest): (String, String)| {
        let path = format!("/functions/v1/{name}{rest}");
        if path.parse::<http::Uri>().is_err() || name == "rogue" {
            return;
        }
        let answer = host.send(request("POST", &path, &[], "")).await;
        if answer.status == 200 {
            assert_eq!(name, "open_one");
            assert_eq!(answer.json()["path_rest"], json!(rest));
        } else {
            assert_eq!(answer.status, 404, "{path}");
        }
    })
    .await;
}

#[test]
fn duplicate_and_invalid_function_names_are_refused() {
    struct NamedFunction(&'static str);
    impl Function for NamedFunction {
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
    let environment = TestHost::new(Config::default()).environment();
    let twice: Vec<Arc<dyn Function>> = vec![Arc::new(Echo), Arc::new(Echo)];
    let state = State::new(environment.clone(), Config::default(), twice);
    assert_eq!(state.err(), Some(RegistryError::Duplicate("echo".into())));
    for bad in ["", "a/b", "a b", "é"] {
        let functions: Vec<Arc<dyn Function>> = vec![Arc::new(NamedFunction(bad))];
        let state = State::new(environment.clone(), Config::default(), functions);
        assert_eq!(state.err(), Some(RegistryError::BadName(bad.into())));
    }
}
