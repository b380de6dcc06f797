//! Files in multipart forms, limits during the upload, and malformed forms.

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::Method;
use serde_json::json;

use crate::world::{World, and, refusal, words};

/// A form of these parts: name, further parameters of the part header, content.
fn form(parts: &[(&str, &str, &str)]) -> String {
    let part = |(name, more, content): &(&str, &str, &str)| {
        format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"{more}\r\n\r\n{content}\r\n")
    };
    let parts: String = parts.iter().map(part).collect();
    format!("{parts}--x--\r\n")
}

const FILE: &str = "; filename=\"a.bin\"\r\ncontent-type: image/png";

async fn post(world: &World, key: &str, body: impl Into<Body>) -> compat_testkit::TestResponse {
    let kind = [("content-type", "multipart/form-data; boundary=x")];
    let ada = and(world.personas.as_user("ada"), &kind);
    world.ask(Method::POST, &format!("/object/shut/ada/{key}"), ada, body).await
}

#[tokio::test]
async fn form_fields_describe_the_file() {
    let world = World::furnished().await;
    let body = form(&[
        ("cacheControl", "", "3600"),
        ("metadata", "", r#"{"a":[1]}"#),
        ("", FILE, "picture"),
    ]);
    let put = post(&world, "a", body).await;
    assert_eq!(put.status, 200, "{}", put.text());
    let info = world.get("/object/info/shut/ada/a", world.personas.as_user("ada")).await.json();
    assert_eq!(info["cache_control"], "max-age=3600");
    assert_eq!(info["content_type"], "image/png");
    assert_eq!((&info["size"], &info["metadata"]), (&json!(7), &json!({"a": [1]})));
    let named = form(&[("contentType", "", "text/csv"), ("file", FILE, "1,2")]);
    assert_eq!(post(&world, "b", named).await.status, 200);
    let read = world.get("/object/shut/ada/b", world.personas.as_user("ada")).await;
    assert_eq!((read.header("content-type"), read.text().as_str()), ("text/csv", "1,2"));
    assert_eq!(read.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn incomplete_forms_leave_nothing() {
    let world = World::furnished().await;
    let form_body = form(&[("", FILE, "picture")]);
    for body in [
        String::new(),
        "--x--\r\n".to_owned(),
        form(&[("cacheControl", "", "1")]),
        form_body[..form_body.len() - 12].to_owned(),
        form_body[..form_body.len() / 2].to_owned(),
        form(&[("metadata", "", "[1]"), ("", FILE, "picture")]),
        form(&[("metadata", "", "{"), ("", FILE, "picture")]),
        form(&[("contentType", "", "a\nb/c"), ("", FILE, "picture")]),
        form(&[("cacheControl", "", "1\r\nx: y"), ("", FILE, "picture")]),
        form(&[("a", "", "1"); 12]),
        "nothing of the kind".to_owned(),
    ] {
        let refusal = post(&world, "a", body.clone()).await;
        assert_eq!(refusal.status, 400, "{body:?}: {}", refusal.text());
    }
    assert_eq!(world.text("select count(*) from storage.objects").await, "0");
    assert_eq!(world.files(), 0);
}

#[tokio::test]
async fn unusual_multipart_forms_are_stored_or_refused() {
    let world = World::furnished().await;
    let name = "n".repeat(100_000);
    let file = ("", FILE, "picture");
    for (key, parts, cached) in [
        ("name", vec![(name.as_str(), "", "1"), file], "no-cache"),
        ("twice", vec![("cacheControl", "", "1"), ("cacheControl", "", "2"), file], "max-age=2"),
        ("second", vec![file, ("", FILE, "other"), ("cacheControl", "", "3")], "no-cache"),
    ] {
        let put = post(&world, key, form(&parts)).await;
        assert_eq!(put.status, 200, "{key}: {}", put.text());
        let path = format!("/object/shut/ada/{key}");
        let read = world.get(&path, world.personas.as_user("ada")).await;
        assert_eq!((read.text().as_str(), read.header("cache-control")), ("picture", cached));
    }
    let long = "n".repeat(12 * 1024 * 1024);
    for start in ["", "--x\r\n", "--x\r\ncontent-disposition: form-data; name=\""] {
        let pieces: Vec<_> = format!("{start}{long}")
            .into_bytes()
            .chunks(64 * 1024)
            .map(Bytes::copy_from_slice)
            .collect();
        let body = Body::from_stream(stream::iter(pieces).map(Ok::<_, std::io::Error>));
        let refusal = post(&world, "endless", body).await;
        assert_eq!(refusal.status, 400, "{start:?}: {}", refusal.text());
    }
    assert_eq!(world.text("select count(*) from storage.objects").await, "3");
}

#[tokio::test]
async fn limits_hold_while_a_file_arrives() {
    let world = World::furnished().await;
    let limits = json!({"file_size_limit": 10, "allowed_mime_types": ["image/*"]});
    let service = world.personas.as_service();
    assert_eq!(world.send(Method::PUT, "/bucket/shut", service, limits).await.status, 200);
    let long = words("413", "Payload too large", "The object exceeded the maximum allowed size");
    assert_eq!(refusal(&post(&world, "a", form(&[("", FILE, "01234567890")])).await), long);
    assert_eq!(post(&world, "a", form(&[("", FILE, "0123456789")])).await.status, 200);
    let pieces = |count: usize| {
        let piece = || Ok::<_, std::io::Error>(Bytes::from_static(b"01234"));
        Body::from_stream(stream::iter((0..count).map(move |_| piece())))
    };
    let ada = || and(world.personas.as_user("ada"), &[("content-type", "image/png")]);
    let put = world.ask(Method::POST, "/object/shut/ada/b", ada(), pieces(2)).await;
    assert_eq!(put.status, 200, "chunked and short enough: {}", put.text());
    let put = world.ask(Method::POST, "/object/shut/ada/c", ada(), pieces(3)).await;
    assert_eq!(refusal(&put), long, "chunked and too long");
    let headers = and(ada(), &[("content-length", "11")]);
    let put = world.ask(Method::POST, "/object/shut/ada/c", headers, "01234567890").await;
    assert_eq!(refusal(&put), long, "announced length too long");
    let video = and(world.personas.as_user("ada"), &[("content-type", "video/mp4")]);
    let put = world.ask(Method::POST, "/object/shut/ada/c", video, "x").await;
    assert_eq!(
        refusal(&put),
        words("415", "invalid_mime_type", "mime type video/mp4 is not supported")
    );
    let none = world.put("none/ada/a", world.personas.as_user("ada"), "x").await;
    assert_eq!(refusal(&none), words("404", "Bucket not found", "Bucket not found"));
    let high = json!({"file_size_limit": "1GB"});
    let high = world.send(Method::PUT, "/bucket/shut", world.personas.as_service(), high).await;
    assert_eq!(refusal(&high), long, "a bucket may not ask for more than the service");
    assert_eq!(world.files(), 2);
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing() {
    let world = World::furnished().await;
    let pieces = [Ok(Bytes::from_static(b"half")), Err(std::io::Error::other("gone"))];
    let ada = and(world.personas.as_user("ada"), &[("content-type", "text/plain")]);
    let body = Body::from_stream(stream::iter(pieces));
    let put = world.ask(Method::POST, "/object/shut/ada/a", ada, body).await;
    assert_eq!((put.status.as_u16(), put.json()["statusCode"].as_str()), (400, Some("400")));
    assert_eq!(world.text("select count(*) from storage.objects").await, "0");
    assert_eq!(world.files(), 0);
}

#[tokio::test]
async fn text_and_json_are_files_like_any() {
    let world = World::furnished().await;
    for (key, kind) in [("a", "application/json"), ("b", "text/plain;charset=UTF-8")] {
        let ada = and(world.personas.as_user("ada"), &[("content-type", kind)]);
        let path = format!("/object/shut/ada/{key}");
        assert_eq!(world.ask(Method::POST, &path, ada, "{not json").await.status, 200);
        let read = world.get(&path, world.personas.as_user("ada")).await;
        assert_eq!((read.header("content-type"), read.text().as_str()), (kind, "{not json"));
    }
}
