//! Every route, and the roles that it admits.

use axum::body::Body;
use axum::extract::ConnectInfo;
use compat_console::{ConsoleAccess, ROUTES};
use compat_http::Peer;
use compat_testkit::call;
use http::{Method, Request, StatusCode};
use serde_json::json;

use crate::world::{World, of, refusal};

fn address(path: &str) -> String {
    path.replace("{id}", "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a")
        .replace("{name}", "report")
        .replace("{*path}", "pg/tables")
}

#[tokio::test]
async fn every_route_refuses_without_a_login() {
    let world = World::new().await;
    let browser = world.browser();
    for (method, path, is_open) in ROUTES {
        let method: Method = method.parse().unwrap();
        let answer = browser.send(method.clone(), &address(path), Some(json!({})), &[]).await;
        if is_open {
            assert_ne!(answer.status, StatusCode::OK, "{method} {path}");
        } else if method != Method::HEAD {
            assert_eq!(refusal(&answer), of(401, "not_signed_in"), "{method} {path}");
        }
        assert_eq!(answer.header("cache-control"), "no-store", "{method} {path}");
    }
    assert_eq!(refusal(&browser.get("/nowhere").await), of(401, "not_signed_in"));
    let mut forged = world.browser();
    forged.cookie = Some("forged".to_owned());
    assert_eq!(refusal(&forged.get("/overview").await), of(401, "not_signed_in"));
    assert!(world.calls.lock().unwrap().is_empty(), "no service was reached");
}

/// The list is complete: it has each path that the text of the router has.
#[test]
fn list_of_routes_is_whole() {
    let text = include_str!("../../src/router.rs");
    let mut count = 0;
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(".route(\"") else { continue };
        let (path, methods) = rest.split_once('"').unwrap();
        for method in ["get", "post", "put", "patch", "delete"] {
            let is_there = methods.contains(&format!(" {method}("))
                || methods.contains(&format!(".{method}("));
            if is_there || methods.contains(" any(") {
                let method = method.to_uppercase();
                let is_listed = ROUTES.iter().any(|(own, at, _)| *own == method && *at == path);
                assert!(is_listed, "{method} {path}");
                count += 1;
            }
        }
    }
    assert_eq!(count + 1, ROUTES.len(), "HEAD is the services' alone");
}

#[tokio::test]
async fn every_change_of_another_site_is_refused() {
    let world = World::new().await;
    let owner = world.owner().await;
    for (method, path, _) in ROUTES {
        let method: Method = method.parse().unwrap();
        if method == Method::GET || method == Method::HEAD {
            continue;
        }
        for foreign in [
            ("x-console-request", "0"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let answer =
                owner.send(method.clone(), &address(path), Some(json!({})), &[foreign]).await;
            assert_eq!(
                refusal(&answer),
                of(403, "cross_site_request"),
                "{method} {path} {foreign:?}"
            );
        }
    }
    let read =
        owner.send(Method::GET, "/overview", None, &[("sec-fetch-site", "cross-site")]).await;
    assert_eq!(refusal(&read), of(403, "cross_site_request"));
    assert!(world.calls.lock().unwrap().is_empty(), "no service was reached");
}

async fn ask(world: &World, peer: &str, headers: &[(&'static str, &'static str)]) -> StatusCode {
    let mut request = Request::get("/console/api/session").body(Body::empty()).unwrap();
    let peer = format!("{peer}:1234").parse().unwrap();
    request.extensions_mut().insert(ConnectInfo(Peer(peer)));
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    call(&world.router, request).await.status
}

#[tokio::test]
async fn loopback_console_is_absent_for_everybody_else() {
    let world = World::new().await;
    let local = ("host", "localhost:54321");
    assert_eq!(ask(&world, "127.0.0.1", &[local]).await, 401);
    for (peer, headers) in [
        ("192.0.2.7", &[local][..]),
        ("127.0.0.1", &[("host", "evil.example:54321")][..]),
        ("127.0.0.1", &[local, ("x-forwarded-for", "127.0.0.1")][..]),
        ("192.0.2.7", &[local, ("x-forwarded-for", "127.0.0.1")][..]),
    ] {
        assert_eq!(ask(&world, peer, headers).await, 404, "{peer} {headers:?}");
    }
    let world = World::reached_from("", ConsoleAccess::Everywhere).await;
    assert_eq!(ask(&world, "192.0.2.7", &[("host", "api.example")]).await, 401);
}

#[tokio::test]
async fn console_answers_have_security_headers() {
    let world = World::new().await;
    let owner = world.owner().await;
    for path in ["/overview", "/session", "/services/rest/v1/things"] {
        let answer = owner.get(path).await;
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(!policy.contains("script-src"), "{path}: {policy}");
    }
}
