//! The cost of a cached token. Run with `--release -- --ignored --nocapture` for a measurement; the
//! test that always runs checks only that nothing is copied.

use std::hint::black_box;
use std::time::Instant;

use super::*;

/// An authenticator, and the header of a request with a token as auth/v1 issues it.
fn session() -> (Authenticator, String) {
    let keys = Arc::new(KeyRing::generate_es256().expect("a key"));
    let api = Arc::new(ApiKeys::issue(&keys, NOW, [7; 48]).expect("keys"));
    let token = keys.sign(&json!({
        "iss": "https://project.example/auth/v1", "sub": "11111111-2222-4333-8444-555555555555",
        "aud": "authenticated", "exp": NOW + 3600, "iat": NOW, "email": "ada@example.org", "phone": "",
        "app_metadata": {"provider": "email", "providers": ["email"]},
        "user_metadata": {"name": "Ada"}, "role": "authenticated", "aal": "aal1",
        "amr": [{"method": "password", "timestamp": NOW}], "is_anonymous": false,
        "session_id": "66666666-7777-4888-8999-000000000000",
    }));
    (Authenticator::new(keys, api, "anon"), format!("Bearer {}", token.expect("a token")))
}

fn ask(authenticator: &Authenticator, bearer: &str) -> Caller {
    let credentials = Credentials { apikey: None, authorization: Some(bearer) };
    authenticator.caller(credentials, NOW).expect("a caller")
}

#[test]
fn callers_of_one_token_share_everything() {
    let (authenticator, bearer) = session();
    let (first, again) = (ask(&authenticator, &bearer), ask(&authenticator, &bearer));
    assert!(std::ptr::eq(first.role(), again.role()));
    assert!(std::ptr::eq(first.claims_json(), again.claims_json()));
    assert!(Arc::ptr_eq(first.claims().expect("claims"), again.claims().expect("claims")));
}

#[test]
#[ignore = "a measurement"]
fn cost_of_a_token_seen_before() {
    const TIMES: u32 = 200_000;
    let (authenticator, bearer) = session();
    let started = Instant::now();
    black_box(ask(&authenticator, &bearer));
    let first = started.elapsed();
    let started = Instant::now();
    for _ in 0..TIMES {
        black_box(ask(&authenticator, black_box(&bearer)));
    }
    let again = started.elapsed() / TIMES;
    println!("{} bytes: first {first:?}, seen before {again:?}", bearer.len());
}
