//! The answers that a client gets when a function fails.

use std::time::Duration;

use compat_functions::Config;
use serde_json::json;

use crate::host::{TestHost, request};

#[tokio::test]
async fn panic_becomes_a_worker_error() {
    let host = TestHost::new(Config::default());
    for path in ["panic-at-once", "panic-later"] {
        let path = format!("/functions/v1/rogue/{path}");
        let answer = host.send(request("POST", &path, &[], "")).await;
        let body = json!({
            "code": "WORKER_ERROR",
            "message": "Function exited due to an error (please check logs)",
        });
        assert_eq!((answer.status, answer.json()), (500, body));
        assert_eq!(answer.header("sb-error-code"), Some("WORKER_ERROR"));
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    }
    let next = host.send(request("POST", "/functions/v1/open_one", &[], "")).await;
    assert_eq!(next.status, 200);
}

#[tokio::test(start_paused = true)]
async fn unresponsive_function_times_out_with_504() {
    let host = TestHost::new(Config::default());
    let started = tokio::time::Instant::now();
    let answer = host.send(request("POST", "/functions/v1/rogue/never", &[], "")).await;
    let body = json!({
        "code": "IDLE_TIMEOUT",
        "message": "Request idle timeout limit (150s) reached",
    });
    assert_eq!((answer.status, answer.json()), (504, body));
    assert_eq!(started.elapsed().as_secs(), Duration::from_secs(150).as_secs());
}

#[tokio::test]
async fn failed_function_keeps_body_and_error_header() {
    let host = TestHost::new(Config::default());
    let answer = host.send(request("POST", "/functions/v1/rogue", &[], "")).await;
    assert_eq!((answer.status, &answer.body[..]), (502, &b"down"[..]));
    assert_eq!(answer.header("sb-error-code"), Some("EDGE_FUNCTION_ERROR"));
}
