//! Which callers may call which functions.

use compat_functions::{Config, FunctionConfig};
use serde_json::{Value, json};

use crate::host::{NOW, SECRET, TestHost, TestResponse, legacy_token, request};

async fn call(host: &TestHost, method: &str, name: &str, headers: &[(&str, &str)]) -> TestResponse {
    host.send(request(method, &format!("/functions/v1/{name}"), headers, "")).await
}

fn refusal(answer: &TestResponse) -> (u16, Value, Option<&str>, Option<&str>) {
    (answer.status, answer.json(), answer.header("sb-error-code"), answer.header("x-relay-error"))
}

fn unauthorized<'a>(
    code: &'a str,
    message: &str,
) -> (u16, Value, Option<&'a str>, Option<&'a str>) {
    let body = json!({ "code": code, "message": message, "msg": message });
    (401, body, Some(code), Some("true"))
}

#[tokio::test]
async fn call_without_bearer_token_is_refused() {
    let host = TestHost::new(Config::default());
    let expected = unauthorized("UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header");
    let bare = call(&host, "POST", "echo", &[]).await;
    assert_eq!(refusal(&bare), expected);
    let key = host.api().publishable.clone();
    let keyed = call(&host, "POST", "echo", &[("apikey", &key)]).await;
    assert_eq!(refusal(&keyed), expected);
    assert_eq!(keyed.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn an_opaque_key_is_no_token() {
    let host = TestHost::new(Config::default());
    let bearer = format!("Bearer {}", host.api().secret);
    let answer = call(&host, "POST", "echo", &[("authorization", &bearer)]).await;
    assert_eq!(refusal(&answer), unauthorized("UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"));
}

#[tokio::test]
async fn a_header_that_is_no_bearer_is_refused() {
    let host = TestHost::new(Config::default());
    let answer = call(&host, "POST", "echo", &[("authorization", "Basic YTpi")]).await;
    let expected =
        unauthorized("UNAUTHORIZED_INVALID_JWT_FORMAT", "Auth header is not 'Bearer {token}'");
    assert_eq!(refusal(&answer), expected);
}

#[tokio::test]
async fn refused_tokens_have_codes_by_algorithm() {
    let host = TestHost::new(Config::default());
    let forged = legacy_token("another-secret-of-at-least-32-characters", &json!({"role": "anon"}));
    let expired = host.token(&json!({"role": "anon", "exp": NOW - 3600}));
    // The header is `{"alg":"PS256"}`, the payload `{}`.
    let unsupported = "eyJhbGciOiJQUzI1NiJ9.e30.eA";
    let table = [
        (forged.as_str(), "UNAUTHORIZED_LEGACY_JWT", "Invalid JWT"),
        (expired.as_str(), "UNAUTHORIZED_ASYMMETRIC_JWT", "Invalid JWT"),
        (
            unsupported,
            "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM",
            "Unsupported JWT algorithm PS256",
        ),
    ];
    for (token, code, message) in table {
        let bearer = format!("Bearer {token}");
        let answer = call(&host, "POST", "echo", &[("authorization", &bearer)]).await;
        assert_eq!(refusal(&answer), unauthorized(code, message));
    }
}

#[tokio::test]
async fn any_role_of_a_valid_token_may_call() {
    let host = TestHost::new(Config::default());
    let tokens = [
        (host.token(&json!({"role": "authenticated", "exp": NOW + 60})), "authenticated"),
        (legacy_token(SECRET, &json!({"role": "service_role"})), "service_role"),
        (host.token(&json!({"sub": "nobody"})), "anon"),
        (host.api().anon.clone(), "anon"),
    ];
    for (token, role) in tokens {
        let bearer = format!("Bearer {token}");
        let answer = call(&host, "POST", "echo", &[("authorization", &bearer)]).await;
        assert_eq!((answer.status, &answer.json()["role"]), (200, &json!(role)));
    }
}

#[tokio::test]
async fn open_function_accepts_missing_and_invalid_tokens() {
    let host = TestHost::new(Config::default());
    let bare = call(&host, "POST", "open_one", &[]).await;
    assert_eq!((bare.status, &bare.json()["role"]), (200, &json!("anon")));
    let key = host.api().secret.clone();
    let keyed = call(&host, "POST", "open_one", &[("apikey", &key)]).await;
    assert_eq!((keyed.status, &keyed.json()["role"]), (200, &json!("service_role")));
    let bad = call(&host, "POST", "open_one", &[("authorization", "Bearer a.b.c")]).await;
    assert_eq!((bad.status, &bad.json()["role"]), (200, &Value::Null));
}

#[tokio::test]
async fn options_needs_no_token() {
    let host = TestHost::new(Config::default());
    let plain = call(&host, "OPTIONS", "echo", &[]).await;
    assert_eq!((plain.status, &plain.json()["method"]), (200, &json!("OPTIONS")));
    let preflight = call(
        &host,
        "OPTIONS",
        "echo",
        &[("origin", "https://a.example"), ("access-control-request-method", "POST")],
    )
    .await;
    assert_eq!(preflight.status, 204);
}

#[tokio::test]
async fn settings_override_what_functions_ask_for() {
    let own = |verify_jwt| FunctionConfig { verify_jwt, ..FunctionConfig::default() };
    let mut config = Config::default();
    config.functions.insert("echo".into(), own(Some(false)));
    config.functions.insert("open_one".into(), own(Some(true)));
    let host = TestHost::new(config);
    assert_eq!(call(&host, "POST", "echo", &[]).await.status, 200);
    assert_eq!(call(&host, "POST", "open_one", &[]).await.status, 401);

    let host = TestHost::new(Config { verify_jwt: false, ..Config::default() });
    assert_eq!(call(&host, "POST", "echo", &[]).await.status, 200);
}

#[tokio::test]
async fn disabled_and_unknown_functions_are_not_found() {
    let mut config = Config::default();
    let disabled = FunctionConfig { enabled: false, ..FunctionConfig::default() };
    config.functions.insert("open_one".into(), disabled);
    let host = TestHost::new(config);
    for name in ["open_one", "nothing", "nothing/below"] {
        let answer = call(&host, "POST", name, &[]).await;
        let body = json!({ "code": "NOT_FOUND", "message": "Requested function was not found" });
        assert_eq!(refusal(&answer), (404, body, Some("NOT_FOUND"), None), "{name:?}");
    }
}
