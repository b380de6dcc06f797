//! Resumable uploads.

use std::time::Duration;

use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use compat_storage::expire_uploads;
use compat_testkit::{Headers, TestResponse};
use futures_util::stream;
use http::Method;
use serde_json::json;

use crate::world::{World, and};

const TYPE: (&str, &str) = ("content-type", "application/offset+octet-stream");

/// The `Upload-Metadata` header of an upload.
fn metadata(bucket: &str, key: &str) -> String {
    let pairs = [
        ("bucketName", bucket),
        ("objectName", key),
        ("contentType", "image/png"),
        ("cacheControl", "60"),
        ("metadata", r#"{"a":1}"#),
    ];
    pairs.map(|(name, value)| format!("{name} {}", STANDARD.encode(value))).join(",")
}

fn tus(headers: Headers, more: &[(&'static str, &str)]) -> Headers {
    and(and(headers, &[("tus-resumable", "1.0.0")]), more)
}

/// Begins an upload; returns the response and the upload's path within the service.
async fn begin(world: &World, headers: Headers, key: &str, length: &str) -> (TestResponse, String) {
    let upload_metadata = metadata("shut", key);
    let headers = tus(headers, &[("upload-length", length), ("upload-metadata", &upload_metadata)]);
    let answer = world.ask(Method::POST, "/upload/resumable", headers, "").await;
    let place = answer.header("location").to_owned();
    let below = place.strip_prefix("http://localhost:54321/storage/v1").unwrap_or_default();
    (answer, below.to_owned())
}

async fn append(
    world: &World,
    headers: Headers,
    place: &str,
    offset: u64,
    content: impl Into<Body>,
) -> TestResponse {
    let offset = offset.to_string();
    let headers = tus(headers, &[TYPE, ("upload-offset", &offset)]);
    world.ask(Method::PATCH, place, headers, content).await
}

fn status_and_body(answer: &TestResponse) -> (u16, String) {
    (answer.status.as_u16(), answer.text())
}

#[tokio::test]
async fn resumable_upload_stores_the_complete_object() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (created, place) = begin(&world, ada(), "ada/a.png", "10").await;
    assert_eq!(created.status, 201, "{}", created.text());
    assert!(place.starts_with("/upload/resumable/"), "{place}");
    assert_eq!(created.header("upload-offset"), "0");
    assert!(created.header("upload-expires").ends_with("GMT"));
    let first = append(&world, ada(), &place, 0, "0123").await;
    assert_eq!((first.status.as_u16(), first.header("upload-offset")), (204, "4"));
    assert_eq!(first.header("tus-complete"), "");
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!(head.status, 200);
    let upload_metadata = metadata("shut", "ada/a.png");
    for (name, value) in [
        ("upload-offset", "4"),
        ("upload-length", "10"),
        ("upload-metadata", upload_metadata.as_str()),
        ("cache-control", "no-store"),
        ("tus-resumable", "1.0.0"),
    ] {
        assert_eq!(head.header(name), value, "{name}");
    }
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.status, 400);
    let last = append(&world, ada(), &place, 4, "456789").await;
    assert_eq!((last.status.as_u16(), last.header("tus-complete")), (204, "1"));
    let read = world.get("/object/shut/ada/a.png", ada()).await;
    assert_eq!(read.text(), "0123456789");
    assert_eq!(read.header("content-type"), "image/png");
    assert_eq!(read.header("cache-control"), "max-age=60");
    assert_eq!(world.text("select user_metadata from storage.objects").await, "{\"a\": 1}");
    assert_eq!(world.files(), 1, "the parts are gone");
    let after = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!(after.header("upload-offset"), "10");
}

#[tokio::test]
async fn upload_length_may_be_deferred_at_creation() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let upload_metadata = metadata("shut", "ada/a.png");
    let headers =
        [("upload-defer-length", "1"), ("upload-metadata", upload_metadata.as_str()), TYPE];
    let headers = tus(ada(), &headers);
    let created = world.ask(Method::POST, "/upload/resumable", headers, "012").await;
    assert_eq!((created.status.as_u16(), created.header("upload-offset")), (201, "3"));
    let place = created.header("location").split("/storage/v1").nth(1).unwrap().to_owned();
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!(head.header("upload-defer-length"), "1");
    let more = [TYPE, ("upload-offset", "3"), ("upload-length", "5")];
    let done = world.ask(Method::PATCH, &place, tus(ada(), &more), "34").await;
    assert_eq!((done.status.as_u16(), done.header("tus-complete")), (204, "1"), "{}", done.text());
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.text(), "01234");
}

#[tokio::test]
async fn empty_upload_is_an_object_at_once() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (created, _) = begin(&world, ada(), "ada/empty", "0").await;
    assert_eq!(created.status, 201, "{}", created.text());
    let read = world.get("/object/shut/ada/empty", ada()).await;
    assert_eq!((read.status.as_u16(), read.text()), (200, String::new()));
}

#[tokio::test]
async fn connection_that_breaks_off_keeps_what_arrived() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "10").await;
    let broken: [Result<Bytes, std::io::Error>; 3] = [
        Ok(Bytes::from_static(b"012")),
        Ok(Bytes::from_static(b"34")),
        Err(std::io::ErrorKind::ConnectionReset.into()),
    ];
    let body = Body::from_stream(stream::iter(broken));
    assert_eq!(append(&world, ada(), &place, 0, body).await.status, 400);
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!(head.header("upload-offset"), "5");
    assert_eq!(append(&world, ada(), &place, 5, "56789").await.status, 204);
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.text(), "0123456789");
}

#[tokio::test]
async fn second_writer_is_refused_until_lease_expires() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    let hold = "update storage.tus_uploads
        set writer = gen_random_uuid(), writer_until = clock_timestamp() + interval '1 hour'";
    world.sql(hold).await;
    let refusal = append(&world, ada(), &place, 0, "0123").await;
    let message = "Upload is currently being written by another request";
    assert_eq!(status_and_body(&refusal), (423, message.to_owned()));
    let lose = "update storage.tus_uploads set writer_until = clock_timestamp() - interval '1 s'";
    world.sql(lose).await;
    assert_eq!(append(&world, ada(), &place, 0, "0123").await.status, 204);
}

#[tokio::test]
async fn status_request_finishes_an_interrupted_upload() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    // The state after a process died between the last byte and the object's row.
    world
        .sql(
            "create function pg_temp.die() returns trigger language plpgsql as
            $$ begin raise exception 'died'; end $$;
            create trigger die before insert on storage.objects
                for each row when (new.version <> '1') execute function pg_temp.die()",
        )
        .await;
    assert_eq!(append(&world, ada(), &place, 0, "0123").await.status, 400);
    world.sql("drop trigger die on storage.objects").await;
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.status, 400);
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!((head.status.as_u16(), head.header("upload-offset")), (200, "4"));
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.text(), "0123");
    // The state after a process died just after the row was written.
    world.sql("update storage.tus_uploads set is_done = false").await;
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!((head.status.as_u16(), head.header("upload-offset")), (200, "4"));
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.text(), "0123");
}

#[tokio::test]
async fn protocol_violations_get_protocol_errors() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    let at = "/upload/resumable";
    let upload_metadata = metadata("shut", "ada/b.png");
    let upload_metadata = upload_metadata.as_str();
    let unnamed = "bucketName c2h1dA==";
    for (method, path, headers, status, text) in [
        (Method::POST, at, ada(), 412, "Tus-Resumable Required"),
        (
            Method::POST,
            at,
            tus(ada(), &[("upload-metadata", upload_metadata)]),
            400,
            "Upload-Length or Upload-Defer-Length header required",
        ),
        (
            Method::POST,
            at,
            tus(ada(), &[("upload-length", "x"), ("upload-metadata", upload_metadata)]),
            400,
            "Invalid upload-length",
        ),
        (
            Method::POST,
            at,
            tus(ada(), &[("upload-length", "1"), ("upload-metadata", "a *")]),
            400,
            "Invalid upload-metadata",
        ),
        (
            Method::POST,
            at,
            tus(ada(), &[("upload-length", "1"), ("upload-metadata", unnamed)]),
            400,
            "Upload-Metadata is invalid. It MUST name objectName",
        ),
        (
            Method::PATCH,
            &place,
            tus(ada(), &[("upload-offset", "0")]),
            403,
            "Content-Type header required",
        ),
        (Method::PATCH, &place, tus(ada(), &[TYPE]), 403, "Upload-Offset header required"),
        (
            Method::PATCH,
            &place,
            tus(ada(), &[TYPE, ("upload-offset", "3")]),
            409,
            "Upload-Offset conflict",
        ),
        (
            Method::PATCH,
            &place,
            tus(ada(), &[TYPE, ("upload-offset", "0"), ("upload-length", "9")]),
            400,
            "Invalid upload-length",
        ),
        (Method::PUT, &place, tus(ada(), &[]), 405, "Method Not Allowed"),
        (
            Method::DELETE,
            "/upload/resumable/none",
            tus(ada(), &[]),
            404,
            "The file for this url was not found",
        ),
        (Method::DELETE, &place, tus(Vec::new(), &[]), 403, "Invalid Compact JWS"),
    ] {
        let answer = world.ask(method.clone(), path, headers, "").await;
        assert_eq!(status_and_body(&answer), (status, text.to_owned()), "{method} {path}");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(answer.header("tus-resumable"), "1.0.0");
    }
    let long = append(&world, ada(), &place, 0, "01234").await;
    assert_eq!(status_and_body(&long), (413, "upload's size exceeded".to_owned()));
    let head = world.ask(Method::HEAD, &place, tus(ada(), &[]), "").await;
    assert_eq!(head.header("upload-offset"), "0");
}

#[tokio::test]
async fn resumable_uploads_need_the_right_to_put() {
    let world = World::furnished_with(|config| config.file_size_limit = 100).await;
    let ada = || world.personas.as_user("ada");
    let bob = || world.personas.as_user("bob");
    let security = "new row violates row-level security policy";
    let (refusal, _) = begin(&world, bob(), "ada/a.png", "4").await;
    assert_eq!(status_and_body(&refusal), (403, security.to_owned()));
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    let refusal = append(&world, bob(), &place, 0, "0123").await;
    assert_eq!(status_and_body(&refusal), (403, security.to_owned()));
    let refusal = world.ask(Method::DELETE, &place, tus(bob(), &[]), "").await;
    assert_eq!(status_and_body(&refusal), (403, security.to_owned()));
    let (long, _) = begin(&world, ada(), "ada/b.png", "101").await;
    assert_eq!(status_and_body(&long), (413, "Maximum size exceeded".to_owned()));
    assert_eq!(append(&world, ada(), &place, 0, "0123").await.status, 204);
    let (response, _) = begin(&world, ada(), "ada/a.png", "4").await;
    assert_eq!(status_and_body(&response), (409, "The resource already exists".to_owned()));
    let limits = json!({"allowed_mime_types": ["text/*"]});
    world.send(Method::PUT, "/bucket/shut", world.personas.as_service(), limits).await;
    let (wrong, _) = begin(&world, ada(), "ada/c.png", "4").await;
    assert_eq!(status_and_body(&wrong), (415, "mime type image/png is not supported".to_owned()));
    let upload_metadata = metadata("none", "ada/a.png");
    let headers = tus(ada(), &[("upload-length", "1"), ("upload-metadata", &upload_metadata)]);
    let missing = world.ask(Method::POST, "/upload/resumable", headers, "").await;
    assert_eq!(status_and_body(&missing), (404, "Bucket not found".to_owned()));
}

#[tokio::test]
async fn deferred_length_cannot_pass_the_limit() {
    let world = World::furnished_with(|config| config.file_size_limit = 5).await;
    let ada = || world.personas.as_user("ada");
    let upload_metadata = metadata("shut", "ada/a.png");
    let headers =
        tus(ada(), &[("upload-defer-length", "1"), ("upload-metadata", &upload_metadata)]);
    let created = world.ask(Method::POST, "/upload/resumable", headers, "").await;
    let place = created.header("location").split("/storage/v1").nth(1).unwrap().to_owned();
    let long = append(&world, ada(), &place, 0, "012345").await;
    assert_eq!(status_and_body(&long), (413, "Maximum size exceeded".to_owned()));
    assert_eq!(append(&world, ada(), &place, 0, "01234").await.status, 204);
}

#[tokio::test]
async fn cancelled_or_expired_upload_is_removed() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    append(&world, ada(), &place, 0, "01").await;
    assert_eq!(world.files(), 1);
    assert_eq!(world.ask(Method::DELETE, &place, tus(ada(), &[]), "").await.status, 204);
    assert_eq!(world.files(), 0);
    let missing = append(&world, ada(), &place, 2, "23").await;
    assert_eq!(status_and_body(&missing), (404, "The file for this url was not found".to_owned()));

    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    append(&world, ada(), &place, 0, "01").await;
    assert_eq!(expire_uploads(&world.state).await.unwrap(), 0);
    world.personas.advance(Duration::from_secs(3601));
    let late = append(&world, ada(), &place, 2, "23").await;
    assert_eq!(status_and_body(&late), (410, "The file for this url no longer exists".to_owned()));
    assert_eq!(expire_uploads(&world.state).await.unwrap(), 1);
    assert_eq!(world.files(), 0);
    assert_eq!(world.text("select count(*) from storage.tus_uploads").await, "0");
}

#[tokio::test]
async fn writer_that_lost_its_lease_changes_nothing() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    append(&world, ada(), &place, 0, "01").await;
    // Another writer takes each lease as soon as it is granted.
    world
        .sql(
            "update storage.tus_uploads set length = null;
            create function pg_temp.steal() returns trigger language plpgsql as
            $$ begin new.writer := gen_random_uuid(); return new; end $$;
            create trigger steal before update on storage.tus_uploads
                for each row when (old.writer is null and new.writer is not null)
                execute function pg_temp.steal()",
        )
        .await;
    let refused = append(&world, and(ada(), &[("upload-length", "4")]), &place, 2, "23").await;
    assert_eq!(refused.status, 423);
    let free = "update storage.tus_uploads set writer = null";
    world.sql(free).await;
    assert_eq!(world.ask(Method::DELETE, &place, tus(ada(), &[]), "").await.status, 423);
    world.sql(free).await;
    world.sql("drop trigger steal on storage.tus_uploads").await;
    let state = "select coalesce(length, -1) || ' ' || received from storage.tus_uploads";
    assert_eq!(world.text(state).await, "-1 2");
    assert_eq!(world.files(), 1);
}

#[tokio::test]
async fn failed_termination_releases_its_lease() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let (_, place) = begin(&world, ada(), "ada/a.png", "4").await;
    world
        .sql(
            "create function pg_temp.die() returns trigger language plpgsql as
            $$ begin raise exception 'died'; end $$;
            create trigger die before delete on storage.tus_uploads
                for each row execute function pg_temp.die()",
        )
        .await;
    let failed = world.ask(Method::DELETE, &place, tus(ada(), &[]), "").await;
    assert!(failed.status.as_u16() >= 400 && failed.status != 423, "{}", failed.status);
    world.sql("drop trigger die on storage.tus_uploads").await;
    assert_eq!(world.ask(Method::DELETE, &place, tus(ada(), &[]), "").await.status, 204);
}

#[tokio::test]
async fn upload_signature_is_valid_for_one_object() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let sign = "/object/upload/sign/shut/ada/a.png";
    let token = world.send(Method::POST, sign, ada(), json!({})).await.json()["token"].clone();
    let token = token.as_str().unwrap();
    let signed = |more: &[(&'static str, &str)]| tus(vec![("x-signature", token.to_owned())], more);
    let at = "/upload/resumable/sign";
    let upload_metadata = metadata("shut", "ada/a.png");
    let headers = signed(&[("upload-length", "4"), ("upload-metadata", &upload_metadata)]);
    let created = world.ask(Method::POST, at, headers, "").await;
    assert_eq!(created.status, 201, "{}", created.text());
    let place = created.header("location").split("/storage/v1").nth(1).unwrap().to_owned();
    assert!(place.starts_with("/upload/resumable/sign/"), "{place}");
    let unsigned = tus(Vec::new(), &[TYPE, ("upload-offset", "0")]);
    assert_eq!(world.ask(Method::PATCH, &place, unsigned, "0123").await.status, 400);
    let headers = signed(&[TYPE, ("upload-offset", "0")]);
    let done = world.ask(Method::PATCH, &place, headers, "0123").await;
    assert_eq!(done.status, 204, "{}", done.text());
    assert_eq!(world.get("/object/shut/ada/a.png", ada()).await.text(), "0123");
    let owner = world.text("select owner_id from storage.objects").await;
    assert_eq!(owner, world.personas.user_id("ada").to_string());
    let upload_metadata = metadata("shut", "ada/b.png");
    let headers = signed(&[("upload-length", "4"), ("upload-metadata", &upload_metadata)]);
    let other = world.ask(Method::POST, at, headers, "").await;
    assert_eq!(status_and_body(&other), (400, "Invalid signature".to_owned()));
}

#[tokio::test]
async fn options_return_the_capabilities() {
    let world = World::furnished().await;
    let answer = world.ask(Method::OPTIONS, "/upload/resumable", Vec::new(), "").await;
    assert_eq!(answer.status, 204);
    for (name, value) in [
        ("tus-version", "1.0.0"),
        ("tus-resumable", "1.0.0"),
        ("tus-max-size", "52428800"),
        (
            "tus-extension",
            "creation,creation-with-upload,creation-defer-length,termination,expiration",
        ),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
}
