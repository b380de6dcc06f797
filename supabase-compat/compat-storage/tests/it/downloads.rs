//! Reading objects: ranges, conditions, and protection against active content.

use http::Method;
use serde_json::json;

use crate::world::{World, and, refusal, words};

async fn filled() -> World {
    let world = World::furnished().await;
    let put = world.put("open/ada/a.txt", world.personas.as_user("ada"), "0123456789").await;
    assert_eq!(put.status, 200, "{}", put.text());
    world
}

#[tokio::test]
async fn public_endpoint_serves_public_buckets_only() {
    let world = filled().await;
    for path in ["/object/public/open/ada/a.txt", "/object/open/ada/a.txt"] {
        assert_eq!(world.get(path, Vec::new()).await.text(), "0123456789", "{path}");
        let head = world.ask(Method::HEAD, path, Vec::new(), "").await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-length"), "10", "{path}");
    }
    world.put("shut/ada/a.txt", world.personas.as_user("ada"), "shut").await;
    let shut = world.get("/object/public/shut/ada/a.txt", world.personas.as_service()).await;
    assert_eq!(refusal(&shut), words("404", "Bucket not found", "Bucket not found"));
    let missing = world.get("/object/public/open/none.txt", Vec::new()).await;
    assert_eq!(refusal(&missing), words("404", "not_found", "Object not found"));
    let head = world.ask(Method::HEAD, "/object/open/none.txt", Vec::new(), "").await;
    assert_eq!(head.status, 400);
    let info = world.get("/object/info/public/open/ada/a.txt", Vec::new()).await.json();
    assert_eq!((&info["size"], &info["content_type"]), (&json!(10), &json!("text/plain")));
    assert_eq!(info["etag"], "\"781e5e245d69b566979b86e28d23f2c7\"");
}

#[tokio::test]
async fn parts_and_conditions_are_honoured() {
    let world = filled().await;
    let path = "/object/public/open/ada/a.txt";
    let get = |name: &'static str, value: &str| world.get(path, vec![(name, value.to_owned())]);
    let part = get("range", "bytes=2-4").await;
    assert_eq!((part.status.as_u16(), part.text().as_str()), (206, "234"));
    assert_eq!(part.header("content-range"), "bytes 2-4/10");
    assert_eq!(part.header("content-length"), "3");
    let outside = get("range", "bytes=10-").await;
    assert_eq!(
        (outside.status.as_u16(), outside.json()["statusCode"].as_str()),
        (416, Some("416"))
    );
    let tag = part.header("etag").to_owned();
    let same = get("if-none-match", &tag).await;
    assert_eq!((same.status.as_u16(), same.body.len()), (304, 0));
    assert_eq!(same.header("etag"), tag);
    let other = get("if-none-match", "\"other\"").await;
    assert_eq!(other.status, 200);
    assert_eq!(other.header("cache-control"), "no-cache, stale-while-revalidate=30");
    let date = part.header("last-modified").to_owned();
    assert_eq!(get("if-modified-since", &date).await.status, 304);
    let named = world.get(&format!("{path}?download"), Vec::new()).await;
    assert_eq!(named.header("content-disposition"), "attachment;");
}

#[tokio::test]
async fn html_is_served_as_text_and_svg_sandboxed() {
    let world = World::furnished().await;
    for (key, kind, expected_kind, sandboxed) in [
        ("page", "text/html", "text/plain", false),
        ("page2", "text/html; charset=utf-8", "text/plain; charset=utf-8", false),
        ("drawing", "image/svg+xml", "image/svg+xml", true),
        ("picture", "image/png", "image/png", false),
        ("feed", "application/xml", "application/xml", true),
    ] {
        let path = format!("/object/open/ada/{key}");
        let ada = and(world.personas.as_user("ada"), &[("content-type", kind)]);
        let put = world.ask(Method::POST, &path, ada, "<svg onload='alert(1)'/>").await;
        assert_eq!(put.status, 200, "{}", put.text());
        let read = world.get(&format!("/object/public/open/ada/{key}"), Vec::new()).await;
        assert_eq!(read.header("content-type"), expected_kind, "{key}");
        assert_eq!(read.header("x-content-type-options"), "nosniff", "{key}");
        let policy = read.header("content-security-policy");
        assert_eq!(policy.contains("sandbox") && policy.contains("default-src 'none'"), sandboxed);
    }
}

#[tokio::test]
async fn row_without_bytes_is_never_cached() {
    let world = filled().await;
    world.sql("update storage.objects set version = gen_random_uuid()::text").await;
    let missing = world.get("/object/public/open/ada/a.txt", Vec::new()).await;
    assert_eq!(refusal(&missing), words("404", "Not found", "The resource was not found"));
    assert_eq!(missing.header("cache-control"), "no-store");
    world.sql("update storage.objects set version = null, metadata = '{\"size\": \"big\"}'").await;
    let foreign = world.get("/object/public/open/ada/a.txt", Vec::new()).await;
    assert_eq!(refusal(&foreign), words("404", "Not found", "The resource was not found"));
}

#[tokio::test]
async fn unknown_routes_answer_as_the_original_does() {
    let world = World::furnished().await;
    let answer = world.get("/nope", Vec::new()).await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json(),
        json!({"message": "Route GET:/nope not found", "error": "Not Found", "statusCode": 404})
    );
    for (path, status) in [("/status", 200), ("/health", 200), ("/version", 200)] {
        assert_eq!(world.get(path, Vec::new()).await.status, status, "{path}");
    }
    let purge = world.ask(Method::DELETE, "/cdn/open/a", world.personas.as_service(), "").await;
    assert_eq!(refusal(&purge).1, "403");
    for path in ["/object/open/%ff", "/object/open/a%2e%2e%2f..%2fb", "/object/open/%00"] {
        let response = world.get(path, world.personas.as_service()).await;
        assert_eq!(
            (response.status.as_u16(), response.json()["code"].as_str()),
            (400, Some("InvalidKey")),
            "{path}"
        );
    }
}
