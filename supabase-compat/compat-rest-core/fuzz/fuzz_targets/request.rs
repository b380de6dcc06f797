//! Any bytes as a request: the parser of every clause must answer, never panic.
#![no_main]

use compat_rest_core::{ApiRequest, RawRequest, RequestRules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, &str, &str, &[u8])| {
    let (path, query, accept, prefer, body) = input;
    let rules = RequestRules {
        schemas: vec!["public".into()],
        transaction_override: true,
        root_function: None,
        root_enabled: true,
    };
    for method in ["GET", "POST", "PATCH"] {
        let incoming = RawRequest {
            method,
            path,
            query,
            accept: Some(accept),
            content_type: Some(accept),
            range: Some(prefer),
            prefer: &[prefer],
            body,
            ..RawRequest::default()
        };
        let _ = ApiRequest::parse(&incoming, &rules);
    }
});
