//! The S3 protocol: rejected requests. An S3 client in `tests/client` tests the successful ones.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation,
    SigningSettings, UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use compat_testkit::{TestResponse, call};
use futures_util::stream;
use http::{Method, Request};
use serde_json::json;

use crate::world::World;

const KEY: &str = "service-key";
const SECRET: &str = "service-secret";
const HOST: &str = "localhost:54321";
const MOUNT: &str = "/storage/v1";

/// The signer of requests: its key, session token, region and lifetime.
#[derive(Clone)]
struct Signer {
    key: String,
    secret: String,
    token: Option<String>,
    region: &'static str,
    presigned: Option<Duration>,
}

impl Signer {
    fn service() -> Self {
        let (key, secret) = (KEY.to_owned(), SECRET.to_owned());
        Self { key, secret, token: None, region: "anywhere", presigned: None }
    }

    /// A user's session token.
    fn user(world: &World, name: &str) -> Self {
        let token = Some(world.personas.user_token(name, json!({})));
        let secret = world.personas.api_keys().anon.clone();
        Self { key: "stub".to_owned(), secret, token, ..Self::service() }
    }

    /// A request to this path, signed now.
    fn request(
        &self,
        world: &World,
        method: Method,
        place: &str,
        headers: &[(&str, &str)],
        body: &'static [u8],
    ) -> Request<Body> {
        let mut settings = SigningSettings::default();
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        settings.expires_in = self.presigned;
        if self.presigned.is_some() {
            settings.signature_location = SignatureLocation::QueryParams;
        }
        let identity =
            Credentials::new(&self.key, &self.secret, self.token.clone(), None, "a test").into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region)
            .name("s3")
            .time(world.personas.clock().now().into())
            .settings(settings)
            .build()
            .unwrap()
            .into();
        // The signature covers the public URL.
        let uri = format!("http://{HOST}{MOUNT}/s3{place}");
        let mut request = Request::builder().method(method.clone()).uri(&uri).header("host", HOST);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::from(body)).unwrap();
        let texts: Vec<_> = request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let texts = texts.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let payload = match self.presigned {
            Some(_) => SignableBody::UnsignedPayload,
            None => SignableBody::Bytes(body),
        };
        let signable = SignableRequest::new(method.as_str(), &uri, texts, payload).unwrap();
        let (instructions, _) = sign(signable, &params).unwrap().into_parts();
        instructions.apply_to_request_http1x(&mut request);
        let below = request.uri().to_string();
        let below = below.strip_prefix(&format!("http://{HOST}{MOUNT}")).unwrap().to_owned();
        *request.uri_mut() = below.parse().unwrap();
        let length = body.len().into();
        request.headers_mut().entry("content-length").or_insert(length);
        request
    }

    async fn send(
        &self,
        world: &World,
        method: Method,
        place: &str,
        headers: &[(&str, &str)],
        body: &'static [u8],
    ) -> TestResponse {
        call(&world.router, self.request(world, method, place, headers, body)).await
    }
}

async fn world() -> World {
    World::furnished_with(|config| {
        config.s3_key = Some((KEY.to_owned(), SECRET.to_owned().into()));
    })
    .await
}

/// The status and the code of an error.
fn status_and_code(answer: &TestResponse) -> (u16, String) {
    let text = answer.text();
    let code = text.split("<Code>").nth(1).and_then(|rest| rest.split("</Code>").next());
    (answer.status.as_u16(), code.unwrap_or_default().to_owned())
}

fn refusal(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn s3_objects_equal_those_of_other_endpoints() {
    let world = world().await;
    let service = Signer::service();
    let headers = [("content-type", "text/plain"), ("x-amz-meta-color", "red")];
    let put = service.send(&world, Method::PUT, "/shut/a%20b.txt", &headers, b"one").await;
    assert_eq!(put.status, 200, "{}", put.text());
    assert_eq!(put.header("etag"), "\"f97c5d29941bfb1b2fdab0874906ab82\"");
    let read = world.get("/object/shut/a%20b.txt", world.personas.as_service()).await;
    assert_eq!(read.text(), "one");
    let range = [("range", "bytes=1-1")];
    let part = service.send(&world, Method::GET, "/shut/a%20b.txt", &range, b"").await;
    assert_eq!((part.status.as_u16(), part.text().as_str()), (206, "n"));
    assert_eq!(part.header("x-amz-meta-color"), "red");
    let outside = [("range", "bytes=9-")];
    let outside = service.send(&world, Method::GET, "/shut/a%20b.txt", &outside, b"").await;
    assert_eq!(status_and_code(&outside), refusal(416, "InvalidRange"));
}

#[tokio::test]
async fn signature_is_good_for_its_own_request_alone() {
    let world = world().await;
    let service = Signer::service();
    service.send(&world, Method::PUT, "/shut/a.txt", &[], b"one").await;
    service.send(&world, Method::PUT, "/shut/b.txt", &[], b"two").await;
    let wrong = refusal(403, "SignatureDoesNotMatch");
    for place in ["/s3/shut/b.txt", "/s3/shut/a.txt?list-type=2", "/s3/shut//a.txt"] {
        let mut request = service.request(&world, Method::GET, "/shut/a.txt", &[], b"");
        *request.uri_mut() = place.parse().unwrap();
        assert_eq!(status_and_code(&call(&world.router, request).await), wrong, "{place}");
    }
    let mut request = service.request(&world, Method::GET, "/shut/a.txt", &[], b"");
    *request.method_mut() = Method::DELETE;
    assert_eq!(status_and_code(&call(&world.router, request).await), wrong);
    let mut request = service.request(&world, Method::PUT, "/shut/a.txt", &[], b"");
    request.headers_mut().insert("x-amz-copy-source", "/shut/b.txt".parse().unwrap());
    assert_eq!(status_and_code(&call(&world.router, request).await), refusal(403, "AccessDenied"));
    let mut request = service.request(&world, Method::PUT, "/shut/a.txt", &[], b"new");
    *request.body_mut() = Body::from("old");
    let changed = call(&world.router, request).await;
    assert_eq!(status_and_code(&changed), refusal(400, "XAmzContentSHA256Mismatch"));
    let read = world.get("/object/shut/a.txt", world.personas.as_service()).await;
    assert_eq!(read.text(), "one");
    assert_eq!(world.files(), 2, "nothing half-written stays");
}

#[tokio::test]
async fn anonymous_and_late_requests_are_refused() {
    let world = world().await;
    let service = Signer::service();
    let bare = world.get("/s3/shut", Vec::new()).await;
    assert_eq!(status_and_code(&bare), refusal(403, "AccessDenied"));
    let bearer = world.get("/s3/shut", world.personas.as_service()).await;
    assert_eq!(status_and_code(&bearer), refusal(400, "AuthorizationHeaderMalformed"));
    let unknown = Signer { key: "other".to_owned(), ..service.clone() };
    let unknown = unknown.send(&world, Method::GET, "/shut", &[], b"").await;
    assert_eq!(status_and_code(&unknown), refusal(403, "InvalidAccessKeyId"));
    let guess = Signer { secret: "guess".to_owned(), ..service.clone() };
    let guess = guess.send(&world, Method::GET, "/shut", &[], b"").await;
    assert_eq!(status_and_code(&guess), refusal(403, "SignatureDoesNotMatch"));
    let head = Signer { secret: "guess".to_owned(), ..service.clone() };
    let head = head.send(&world, Method::HEAD, "/shut", &[], b"").await;
    assert_eq!((head.status.as_u16(), head.text().as_str()), (403, ""));
    let request = service.request(&world, Method::GET, "/shut", &[], b"");
    let presigner = Signer { presigned: Some(Duration::from_secs(60)), ..service };
    let presigned = presigner.request(&world, Method::GET, "/shut", &[], b"");
    world.personas.advance(Duration::from_secs(16 * 60));
    let late = call(&world.router, request).await;
    assert_eq!(status_and_code(&late), refusal(403, "RequestTimeTooSkewed"));
    let late = call(&world.router, presigned).await;
    assert_eq!(status_and_code(&late), refusal(403, "AccessDenied"));
    assert!(late.text().contains("Request has expired"));
}

/// Sends a form whose policy has these conditions and is signed by the service, with these fields.
async fn post_form(world: &World, conditions: &str, fields: &[(&str, &str)]) -> TestResponse {
    let now = world.personas.clock().now();
    let (day, date) = (now.format("%Y%m%d"), now.format("%Y%m%dT%H%M%SZ").to_string());
    let credential = format!("{KEY}/{day}/anywhere/s3/aws4_request");
    let own = [
        ("x-amz-algorithm", "AWS4-HMAC-SHA256"),
        ("x-amz-credential", credential.as_str()),
        ("x-amz-date", date.as_str()),
    ];
    let ends = (now + chrono::TimeDelta::hours(1)).format("%Y-%m-%dT%H:%M:%SZ");
    let stated: String =
        own.iter().map(|(name, value)| format!(r#",["eq","${name}","{value}"]"#)).collect();
    let policy = format!(r#"{{"expiration":"{ends}","conditions":[{conditions}{stated}]}}"#);
    let policy = STANDARD.encode(policy);
    let key = v4::generate_signing_key(SECRET, now.into(), "anywhere", "s3");
    let signature = v4::calculate_signature(key, policy.as_bytes());
    let signed = [("policy", policy.as_str()), ("x-amz-signature", signature.as_str())];
    let fields = fields.iter().chain(&own).chain(&signed).chain(&[("file", "content")]);
    let parts: String = fields
        .map(|(name, value)| {
            let name = format!("content-disposition: form-data; name=\"{name}\"");
            format!("--x\r\n{name}\r\n\r\n{value}\r\n")
        })
        .collect();
    let headers = vec![("content-type", "multipart/form-data; boundary=x".to_owned())];
    world.ask(Method::POST, "/s3/shut", headers, format!("{parts}--x--\r\n")).await
}

#[tokio::test]
async fn field_given_twice_passes_no_policy() {
    let world = world().await;
    let conditions =
        r#"{"bucket":"shut"},["starts-with","$key","a/"],["eq","$x-amz-meta-role","user"]"#;
    let good = [("key", "a/b"), ("x-amz-meta-role", "user")];
    let put = post_form(&world, conditions, &good).await;
    assert_eq!(put.status, 204, "{}", put.text());
    for again in [("x-amz-meta-role", "admin"), ("X-Amz-Meta-Role", "admin"), ("key", "c")] {
        let fields = [good[0], good[1], again];
        let response = post_form(&world, conditions, &fields).await;
        assert_eq!(status_and_code(&response), refusal(400, "InvalidArgument"), "{again:?}");
    }
    let role = "select user_metadata ->> 'role' from storage.objects";
    assert_eq!(world.text(role).await, "user");
}

#[tokio::test]
async fn session_acts_as_its_user_under_row_security() {
    let world = world().await;
    let (ada, bob) = (Signer::user(&world, "ada"), Signer::user(&world, "bob"));
    let put = ada.send(&world, Method::PUT, "/shut/ada/a.txt", &[], b"mine").await;
    assert_eq!(put.status, 200, "{}", put.text());
    let owner = world.text("select owner_id from storage.objects").await;
    assert_eq!(owner, world.personas.user_id("ada").to_string());
    let response = bob.send(&world, Method::PUT, "/shut/ada/a.txt", &[], b"his").await;
    assert_eq!(status_and_code(&response), refusal(403, "AccessDenied"));
    let hidden = bob.send(&world, Method::GET, "/shut/ada/a.txt", &[], b"").await;
    assert_eq!(status_and_code(&hidden), refusal(404, "NoSuchKey"));
    let listed = bob.send(&world, Method::GET, "/shut?list-type=2", &[], b"").await;
    assert!(listed.text().contains("<KeyCount>0</KeyCount>"), "{}", listed.text());
    let answer = bob.send(&world, Method::DELETE, "/shut/ada/a.txt", &[], b"").await;
    assert_eq!(status_and_code(&answer), refusal(403, "AccessDenied"));
    let parts = bob.send(&world, Method::POST, "/shut/ada/b.txt?uploads", &[], b"").await;
    assert_eq!(status_and_code(&parts), refusal(403, "AccessDenied"));
    let forged = Signer { token: Some("a.b.c".to_owned()), ..bob.clone() };
    let forged = forged.send(&world, Method::GET, "/shut", &[], b"").await;
    assert_eq!(status_and_code(&forged), refusal(400, "InvalidToken"));
    world.personas.advance(Duration::from_secs(48 * 60 * 60));
    let expired = bob.send(&world, Method::GET, "/shut", &[], b"").await;
    assert_eq!(status_and_code(&expired), refusal(400, "ExpiredToken"));
}

#[tokio::test]
async fn incomplete_or_oversized_body_stores_nothing() {
    let world = World::furnished_with(|config| {
        config.s3_key = Some((KEY.to_owned(), SECRET.to_owned().into()));
        config.file_size_limit = 5;
    })
    .await;
    let service = Signer::service();
    let long = service.send(&world, Method::PUT, "/shut/a", &[("content-length", "6")], b"012345");
    assert_eq!(status_and_code(&long.await), refusal(413, "EntityTooLarge"));
    let length = [("content-length", "4")];
    let mut request = service.request(&world, Method::PUT, "/shut/a", &length, b"0123");
    let broken: [Result<Bytes, std::io::Error>; 2] =
        [Ok(Bytes::from_static(b"01")), Err(std::io::ErrorKind::ConnectionReset.into())];
    *request.body_mut() = Body::from_stream(stream::iter(broken));
    assert_eq!(
        status_and_code(&call(&world.router, request).await),
        refusal(400, "IncompleteBody")
    );
    let wrong = [("content-length", "4"), ("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==")];
    let wrong = service.send(&world, Method::PUT, "/shut/a", &wrong, b"0123").await;
    assert_eq!(status_and_code(&wrong), refusal(400, "BadDigest"));
    assert_eq!(world.files(), 0);
    let missing = service.send(&world, Method::GET, "/shut/a", &[], b"").await;
    assert_eq!(status_and_code(&missing), refusal(404, "NoSuchKey"));
    let missing = service.send(&world, Method::GET, "/none/a", &[], b"").await;
    assert_eq!(status_and_code(&missing), refusal(404, "NoSuchBucket"));
}

#[tokio::test]
async fn parts_are_held_against_what_the_client_remembers() {
    let world = world().await;
    let service = Signer::service();
    let created = service.send(&world, Method::POST, "/shut/a?uploads", &[], b"").await;
    let text = created.text();
    let id = text.split("<UploadId>").nth(1).unwrap().split('<').next().unwrap();
    let length = [("content-length", "3")];
    let place = format!("/shut/a?partNumber=2&uploadId={id}");
    let part = service.send(&world, Method::PUT, &place, &length, b"two").await;
    assert_eq!(part.status, 200, "{}", part.text());
    let finish = format!("/shut/a?uploadId={id}");
    for (body, code) in [
        (&b"<CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>"[..], "InvalidPart"),
        (b"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>", "InvalidPart"),
        (b"<CompleteMultipartUpload/>", "MalformedXML"),
        (b"<!DOCTYPE a><CompleteMultipartUpload/>", "MalformedXML"),
    ] {
        let response = service.send(&world, Method::POST, &finish, &[], body).await;
        assert_eq!(status_and_code(&response), refusal(400, code));
    }
    let other = format!("/shut/b?uploadId={id}");
    let other = service.send(&world, Method::DELETE, &other, &[], b"").await;
    assert_eq!(status_and_code(&other), refusal(404, "NoSuchUpload"));
    let aborted = service.send(&world, Method::DELETE, &finish, &[], b"").await;
    assert_eq!(aborted.status, 204);
    assert_eq!(world.files(), 0);
    let again = service.send(&world, Method::PUT, &place, &length, b"two").await;
    assert_eq!(status_and_code(&again), refusal(404, "NoSuchUpload"));
}

#[tokio::test]
async fn bucket_deletion_removes_pending_multipart_uploads() {
    let world = world().await;
    let service = Signer::service();
    for (bucket, key) in [("shut", "a"), ("open", "b")] {
        let place = format!("/{bucket}/{key}?uploads");
        let created = service.send(&world, Method::POST, &place, &[], b"").await;
        let text = created.text();
        let id = text.split("<UploadId>").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let place = format!("/{bucket}/{key}?partNumber=1&uploadId={id}");
        let length = [("content-length", "3")];
        assert_eq!(service.send(&world, Method::PUT, &place, &length, b"two").await.status, 200);
    }
    let signer = Signer::user(&world, "ada");
    let response = signer.send(&world, Method::DELETE, "/shut", &[], b"").await;
    assert_ne!(response.status, 204, "row security decides");
    assert_eq!(world.text("select count(*) from storage.s3_multipart_uploads").await, "2");
    let deleted = service.send(&world, Method::DELETE, "/shut", &[], b"").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    assert_eq!(world.text("select bucket_id from storage.s3_multipart_uploads").await, "open");
    assert_eq!(world.files(), 1, "the part in the other bucket");

    let length = [("content-length", "3")];
    assert_eq!(service.send(&world, Method::PUT, "/open/c", &length, b"two").await.status, 200);
    let filled = service.send(&world, Method::DELETE, "/open", &[], b"").await;
    assert_eq!(status_and_code(&filled), refusal(409, "BucketNotEmpty"));
    assert_eq!(world.text("select count(*) from storage.s3_multipart_uploads").await, "1");
}

#[tokio::test]
async fn missing_objects_are_not_blamed_on_headers() {
    let world = world().await;
    let answer = Signer::service().send(&world, Method::GET, "/shut?versions", &[], b"").await;
    assert_eq!(status_and_code(&answer), refusal(501, "NotImplemented"));
    assert!(!answer.text().contains("header"), "{}", answer.text());
}

#[tokio::test]
async fn s3_region_must_match_the_setting() {
    let world = World::furnished_with(|config| {
        config.s3_key = Some((KEY.to_owned(), SECRET.to_owned().into()));
        config.s3_region = Some("eu".to_owned());
    })
    .await;
    let other = Signer::service().send(&world, Method::GET, "/", &[], b"").await;
    assert_eq!(status_and_code(&other), refusal(400, "AuthorizationHeaderMalformed"));
    let right = Signer { region: "eu", ..Signer::service() };
    assert_eq!(right.send(&world, Method::GET, "/", &[], b"").await.status, 200);
}
