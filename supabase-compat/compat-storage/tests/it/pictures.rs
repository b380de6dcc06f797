//! Rendered pictures.

use std::io::Cursor;

use compat_testkit::{Headers, TestResponse, property_test_async};
use http::Method;
use image::{GenericImageView as _, ImageFormat, Rgb, RgbImage};
use serde_json::json;

use crate::world::{World, and, refusal, words};

const RED: Rgb<u8> = Rgb([200, 30, 30]);
const BLUE: Rgb<u8> = Rgb([30, 30, 200]);

fn picture(colour: Rgb<u8>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(80, 60, colour).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

async fn put(world: &World, path: &str, headers: Headers, kind: &str, bytes: Vec<u8>) {
    let headers = and(
        headers,
        &[("content-type", kind), ("x-upsert", "true"), ("cache-control", "max-age=60")],
    );
    let answer = world.ask(Method::POST, &format!("/object/{path}"), headers, bytes).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// A furnished world with a red JPEG, declared as text, in both buckets.
async fn world() -> World {
    let world = World::furnished().await;
    for bucket in ["open", "shut"] {
        let ada = world.personas.as_user("ada");
        let bytes = picture(RED, ImageFormat::Jpeg);
        put(&world, &format!("{bucket}/ada/red.jpg"), ada, "text/plain", bytes).await;
    }
    world
}

fn sides(answer: &TestResponse) -> (u32, u32) {
    image::load_from_memory(&answer.body).expect("a picture").dimensions()
}

async fn public(world: &World, query: &str) -> TestResponse {
    let path = format!("/render/image/public/open/ada/red.jpg?{query}");
    world.get(&path, Vec::new()).await
}

#[tokio::test]
async fn picture_has_its_size_headers_and_type() {
    let world = world().await;
    let answer = public(&world, "width=40&height=40&resize=fill&quality=60&cacheNonce=1").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let length = answer.body.len().to_string();
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("content-length", &length),
        ("x-transformations", "height:40,width:40,resizing_type:force,quality:60"),
        ("cache-control", "max-age=60"),
        ("vary", "accept"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", ""),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let source = world.get("/object/public/open/ada/red.jpg", Vec::new()).await;
    assert_eq!(answer.header("etag"), source.header("etag"));
    assert_eq!(answer.header("last-modified"), source.header("last-modified"));
    assert_eq!(sides(&answer), (40, 40));
    let head =
        world.ask(Method::HEAD, "/render/image/public/open/ada/red.jpg?width=40", Vec::new(), "");
    let head = head.await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-type"), "image/jpeg");
}

#[tokio::test]
async fn accept_decides_the_kind_unless_the_query_does() {
    let world = world().await;
    let webp = &[("accept", "image/avif,image/webp,*/*;q=0.8")];
    for (query, headers, kind, vary) in [
        ("width=40", and(Vec::new(), webp), "image/webp", "accept"),
        ("width=40&format=origin", and(Vec::new(), webp), "image/jpeg", ""),
        ("width=40&format=webp", Vec::new(), "image/webp", ""),
        ("width=40", Vec::new(), "image/jpeg", "accept"),
    ] {
        let path = format!("/render/image/public/open/ada/red.jpg?{query}");
        let answer = world.get(&path, headers).await;
        assert_eq!((answer.header("content-type"), answer.header("vary")), (kind, vary), "{query}");
        assert_eq!(sides(&answer), (40, 30));
    }
}

#[tokio::test]
async fn rights_are_those_of_the_object() {
    let world = world().await;
    let shut = "/render/image/public/shut/ada/red.jpg?width=9";
    let response_without_token = world.get(shut, Vec::new()).await;
    assert_eq!(
        refusal(&response_without_token),
        words("404", "Bucket not found", "Bucket not found")
    );
    let path = "/render/image/authenticated/shut/ada/red.jpg?width=9";
    let response = world.get(path, world.personas.as_user("ada")).await;
    assert_eq!((response.status.as_u16(), sides(&response)), (200, (9, 7)));
    // The rendered picture is cached, but these callers may not see it.
    for headers in [world.personas.as_user("bob"), world.personas.as_anon()] {
        let hidden = world.get(path, headers).await;
        assert_eq!(refusal(&hidden), words("404", "not_found", "Object not found"));
    }
    let without_token = world.get(path, Vec::new()).await;
    assert_eq!(refusal(&without_token), words("403", "Unauthorized", "Invalid Compact JWS"));
}

#[tokio::test]
async fn signed_url_renders_only_the_signed_transform() {
    let world = world().await;
    let ada = || world.personas.as_user("ada");
    let sign = async |transform| {
        let body = json!({"expiresIn": 60, "transform": transform});
        world.send(Method::POST, "/object/sign/shut/ada/red.jpg", ada(), body).await
    };
    let signed = sign(json!({"width": 40, "resize": "contain", "format": "origin"})).await;
    let address = signed.json()["signedURL"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("/render/image/sign/shut/ada/red.jpg?token="), "{address}");
    let webp = and(Vec::new(), &[("accept", "image/webp")]);
    let answer = world.get(&format!("{address}&width=5&height=5&quality=1"), webp).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("x-transformations"), "width:40,resizing_type:fit");
    assert_eq!((sides(&answer), answer.header("content-type")), ((40, 30), "image/jpeg"));
    assert!(!answer.header("expires").is_empty() && answer.header("cache-control").is_empty());
    let other = address.replace("red.jpg", "blue.jpg");
    let response = world.get(&other, Vec::new()).await;
    assert_eq!(refusal(&response), words("400", "InvalidSignature", "Invalid signature"));
    let bare = world.get("/render/image/sign/shut/ada/red.jpg?width=5", Vec::new()).await;
    let text = "querystring must have required property 'token'";
    assert_eq!(refusal(&bare), words("400", "Error", text));
    let plain = sign(json!({})).await.json()["signedURL"].as_str().expect("an address").to_owned();
    assert!(plain.starts_with("/object/sign/"), "{plain}");
    let text = "body/transform/width must be integer";
    assert_eq!(refusal(&sign(json!({"width": "wide"})).await), words("400", "Error", text));
}

#[tokio::test]
async fn current_copy_gets_304_and_never_a_part() {
    let world = world().await;
    let first = public(&world, "width=40").await;
    let path = "/render/image/public/open/ada/red.jpg?width=40";
    let tag = first.header("etag").to_owned();
    let again = world.get(path, and(Vec::new(), &[("if-none-match", &tag)])).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), tag);
    let other = world.get(path, and(Vec::new(), &[("if-match", "\"other\"")])).await;
    assert_eq!(other.status, 412);
    let part = world.get(path, and(Vec::new(), &[("range", "bytes=0-3")])).await;
    assert_eq!((part.status.as_u16(), part.body.len()), (200, first.body.len()));
}

#[tokio::test]
async fn new_version_is_seen_at_once() {
    let world = world().await;
    let colour = |answer: &TestResponse| {
        let picture = image::load_from_memory(&answer.body).expect("a picture").to_rgb8();
        let [red, _, blue] = picture.get_pixel(5, 5).0;
        if red > blue { RED } else { BLUE }
    };
    assert_eq!(colour(&public(&world, "width=40").await), RED);
    let blue = picture(BLUE, ImageFormat::Jpeg);
    put(&world, "open/ada/red.jpg", world.personas.as_user("ada"), "image/jpeg", blue).await;
    assert_eq!(colour(&public(&world, "width=40").await), BLUE);
}

#[tokio::test]
async fn unrenderable_pictures_get_the_originals_error() {
    let world = world().await;
    let ada = || world.personas.as_user("ada");
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".to_vec();
    put(&world, "open/ada/a.svg", ada(), "image/svg+xml", svg).await;
    put(&world, "open/ada/fake.png", ada(), "image/png", b"not a picture".to_vec()).await;
    let mut truncated = picture(RED, ImageFormat::Png);
    truncated.truncate(truncated.len() / 2);
    put(&world, "open/ada/torn.png", ada(), "image/png", truncated).await;
    let ask = async |path: &str| {
        world.get(&format!("/render/image/public/open/ada/{path}"), Vec::new()).await
    };
    let text = "The source image is invalid or unsupported for rendering";
    for path in ["a.svg?width=9", "fake.png?width=9", "torn.png?width=9", "torn.png?width=9"] {
        let response = ask(path).await;
        assert_eq!(refusal(&response), words("400", "InvalidRequest", text), "{path}");
        assert_eq!(response.header("cache-control"), "no-store");
    }
    let missing = ask("none.png?width=9").await;
    assert_eq!(refusal(&missing), words("404", "not_found", "Object not found"));
    let text = "querystring/quality must be <= 100";
    assert_eq!(refusal(&ask("red.jpg?quality=101").await), words("400", "Error", text));
    let text = "Focal point requires x and y coordinates within 0-1 range";
    assert_eq!(refusal(&ask("red.jpg?gravity=fp").await), words("400", "InvalidParameter", text));
}

#[tokio::test]
async fn picture_over_the_limits_is_refused() {
    let world = World::with(|config| {
        let limits = config.images.as_mut().expect("on");
        (limits.pixels, limits.bytes) = (1000, 20_000);
    })
    .await;
    let service = || world.personas.as_service();
    let body = json!({"name": "open", "public": true});
    world.send(Method::POST, "/bucket", service(), body).await;
    put(&world, "open/wide.png", service(), "image/png", picture(RED, ImageFormat::Png)).await;
    put(&world, "open/long.png", service(), "image/png", vec![0; 20_001]).await;
    for (name, text) in [
        ("wide.png", "The source image resolution is too large to process"),
        ("long.png", "The source image file is too large to process"),
    ] {
        let response = world.get(&format!("/render/image/public/open/{name}"), Vec::new()).await;
        assert_eq!(refusal(&response), words("400", "InvalidRequest", text));
    }
}

#[tokio::test]
async fn disabled_rendering_has_no_route() {
    let world = World::with(|config| config.images = None).await;
    let answer = world.get("/render/image/public/open/a.png?width=9", Vec::new()).await;
    assert_eq!(answer.status, 404);
    let text = "Route GET:/render/image/public/open/a.png not found";
    assert_eq!(answer.json()["message"], text);
    let service = || world.personas.as_service();
    world.send(Method::POST, "/bucket", service(), json!({"name": "open"})).await;
    put(&world, "open/a.jpg", service(), "image/jpeg", picture(RED, ImageFormat::Jpeg)).await;
    let body = json!({"expiresIn": 60, "transform": {"width": 9}});
    let signed = world.send(Method::POST, "/object/sign/open/a.jpg", service(), body).await;
    let address = signed.json()["signedURL"].as_str().expect("an address").to_owned();
    assert!(address.starts_with("/object/sign/open/a.jpg?token="), "{address}");
}

#[tokio::test]
async fn random_addresses_give_a_picture_or_a_refusal() {
    let world = world().await;
    let query = "((width|height|resize|quality|format|gravity|x_offset|y_offset|download)=\
                 ([0-9]{1,5}|cover|fp|sm|webp|-0\\.5|%[0-9a-f]{2}|\\PC{0,4})&){0,5}";
    property_test_async("of addresses", query, async |query: String| {
        let encoded = query.replace(|character: char| !character.is_ascii_graphic(), "+");
        let path = format!("/render/image/public/open/ada/red.jpg?{encoded}");
        if path.parse::<http::Uri>().is_err() {
            return;
        }
        let answer = world.get(&path, Vec::new()).await;
        match answer.status.as_u16() {
            200 => assert!(sides(&answer).0 <= 80),
            status => assert_eq!(status, 400, "{path}: {}", answer.text()),
        }
    })
    .await;
}
