//! Forwarded requests to the services, and their roles.

use compat_testkit::TestResponse;
use compat_token::Credentials;
use http::{HeaderMap, Method};
use serde_json::json;

use crate::world::{Browser, World, of, refusal};

/// The last call of a service: its address, and the role and the subject of its token.
pub fn last_call(world: &World) -> (String, String, String) {
    let (_, address, headers) = world.calls.lock().unwrap().last().cloned().expect("a call");
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let credentials = Credentials { apikey: text("apikey"), authorization: text("authorization") };
    let environment = world.personas.environment();
    let caller = environment.authenticator.caller(credentials, environment.clock.unix()).unwrap();
    let claims = caller.claims().unwrap();
    assert!(claims.exp().unwrap() - environment.clock.unix() <= 60, "the token is short-lived");
    let sub = claims.sub_text().unwrap_or_default().to_owned();
    (address, caller.role().to_owned(), sub)
}

async fn get_with(
    browser: &Browser<'_>,
    path: &str,
    headers: &[(&'static str, &str)],
) -> TestResponse {
    browser.send(Method::GET, path, None, headers).await
}

#[tokio::test]
async fn service_calls_use_service_role_without_browser_headers() {
    let world = World::new().await;
    let owner = world.owner().await;
    let forged = [("authorization", "Bearer forged"), ("apikey", "forged")];
    let answer = get_with(&owner, "/services/rest/v1/things?select=id&a=%2F", &forged).await;
    assert_eq!(answer.status, 200);
    let (address, role, _) = last_call(&world);
    assert_eq!((&*address, &*role), ("/rest/v1/things?select=id&a=%2F", "service_role"));
    let headers: HeaderMap = world.calls.lock().unwrap().last().unwrap().2.clone();
    for name in ["cookie", "origin", "x-console-request", "sec-fetch-site"] {
        assert!(!headers.contains_key(name), "{name}");
    }
    let key = &world.personas.api_keys().service_role;
    for (name, value) in &headers {
        assert!(!value.to_str().unwrap_or_default().contains(key), "the key itself in {name}");
    }
    get_with(&owner, "/services/logs/logs.all?sql=x", &[]).await;
    assert_eq!(last_call(&world).0, "/api/endpoints/query/logs.all?sql=x");
}

#[tokio::test]
async fn service_answers_are_sandboxed_without_cookies() {
    let world = World::new().await;
    let owner = world.owner().await;
    let answer = owner.get("/services/storage/v1/object/public/photos/evil.html").await;
    assert_eq!(answer.header("set-cookie"), "");
    assert!(answer.header("content-security-policy").contains("sandbox"));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn resumable_upload_passes_through_the_console() {
    let world = World::new().await;
    let owner = world.owner().await;
    let path = "/services/storage/v1/upload/resumable";
    let response = owner.post(path, json!({})).await;
    assert_eq!(response.header("location"), format!("/console/api{path}/made"));
    for part in ["made", "made", "last"] {
        owner.patch(&format!("{path}/{part}"), json!({})).await;
    }
    owner.delete(&format!("{path}/made")).await;
    let log = "select string_agg(method || ' ' || path, '|' order by id) from _console.audit_log
        where path like '/services/%'";
    let expected = format!("POST {path}|PATCH {path}/last|DELETE {path}/made");
    assert_eq!(world.text(log).await, Some(expected));
}

#[tokio::test]
async fn reader_cannot_call_services_as_another_role() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    let path = "/services/rest/v1/things";
    for role in ["anon", "authenticated"] {
        assert_eq!(get_with(&owner, path, &[("x-console-role", role)]).await.status, 200);
        assert_eq!(last_call(&world).1, role);
    }
    let before = world.calls.lock().unwrap().len();
    for role in ["service_role", "postgres", ""] {
        let answer = get_with(&owner, path, &[("x-console-role", role)]).await;
        assert_eq!(refusal(&answer), of(400, "invalid_request"), "{role}");
    }
    let meta = get_with(&owner, "/services/pg/tables", &[("x-console-role", "anon")]).await;
    assert_eq!(refusal(&meta), of(400, "invalid_request"));
    let answer = get_with(&reader, path, &[("x-console-role", "anon")]).await;
    assert_eq!(refusal(&answer), of(403, "forbidden"));
    assert_eq!(world.calls.lock().unwrap().len(), before);
}

#[tokio::test]
async fn reader_changes_nothing_through_a_service() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    for (method, path) in [
        (Method::POST, "pg/query"),
        (Method::POST, "pg/tables"),
        (Method::DELETE, "pg/tables/1"),
        (Method::POST, "rest/v1/things"),
        (Method::PATCH, "rest/v1/things"),
        (Method::PUT, "storage/v1/object/photos/a"),
        (Method::POST, "storage/v1/object/photos/a"),
        (Method::DELETE, "storage/v1/object/list/photos"),
        (Method::DELETE, "auth/v1/admin/users/1"),
        (Method::GET, "auth/v1/verify?token=x"),
        (Method::GET, "functions/v1/hello"),
        (Method::POST, "functions/v1/hello"),
    ] {
        let path = format!("/services/{path}");
        let answer = reader.send(method.clone(), &path, Some(json!({})), &[]).await;
        assert_eq!(refusal(&answer), of(403, "forbidden"), "{method} {path}");
    }
    assert!(world.calls.lock().unwrap().is_empty());
    assert_eq!(reader.get("/services/pg/tables").await.status, 200);
    let list = reader.post("/services/storage/v1/object/list/photos", json!({"prefix": ""})).await;
    assert_eq!(list.status, 200);
}

#[tokio::test]
async fn no_path_leads_beside_the_services() {
    let world = World::new().await;
    let owner = world.owner().await;
    for path in [
        "pg/../metrics",
        "pg/%2e%2e/mcp",
        "pg/%252e%252e/mcp",
        "pg/..%2f..%2fmcp",
        "storage/v1/../../mcp",
    ] {
        let answer = owner.get(&format!("/services/{path}")).await;
        assert_eq!(refusal(&answer), of(400, "invalid_path"), "{path}");
    }
    for path in ["mcp", "metrics", "auth/v2/x", "api/endpoints/query/logs.all", "console/api/query"]
    {
        let answer = owner.get(&format!("/services/{path}")).await;
        assert_eq!(refusal(&answer), of(404, "unknown_service"), "{path}");
    }
    assert!(world.calls.lock().unwrap().is_empty());
}
