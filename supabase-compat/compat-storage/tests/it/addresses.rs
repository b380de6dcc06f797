//! Signed URLs.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use crate::world::{World, and, refusal, words};

async fn signed(world: &World, body: Value) -> String {
    let ada = world.personas.as_user("ada");
    let answer = world.send(Method::POST, "/object/sign/shut/ada/a.txt", ada, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["signedURL"].as_str().expect("an address").to_owned()
}

async fn filled() -> World {
    let world = World::furnished().await;
    for name in ["a", "b"] {
        let ada = world.personas.as_user("ada");
        let put = world.put(&format!("shut/ada/{name}.txt"), ada, "signed").await;
        assert_eq!(put.status, 200, "{}", put.text());
    }
    world
}

#[tokio::test]
async fn signed_address_reads_one_object_until_it_expires() {
    let world = filled().await;
    let address = signed(&world, json!({"expiresIn": 60})).await;
    assert!(address.starts_with("/object/sign/shut/ada/a.txt?token="), "{address}");
    let read = world.get(&format!("{address}&download=x.txt&cacheNonce=1"), Vec::new()).await;
    assert_eq!((read.status.as_u16(), read.text().as_str()), (200, "signed"));
    assert_eq!(
        read.header("content-disposition"),
        "attachment; filename=x.txt; filename*=UTF-8''x.txt"
    );
    assert!(!read.header("expires").is_empty() && read.header("cache-control").is_empty());

    let token = address.split("token=").nth(1).expect("a token");
    let other = world.get(&format!("/object/sign/shut/ada/b.txt?token={token}"), Vec::new()).await;
    assert_eq!(refusal(&other), words("400", "InvalidSignature", "Invalid signature"));
    let path = format!("/object/upload/sign/shut/ada/a.txt?token={token}");
    let put = world.ask(Method::PUT, &path, Vec::new(), "mine").await;
    assert_eq!(refusal(&put), words("400", "InvalidSignature", "Invalid signature"));
    let garbled = world.get("/object/sign/shut/ada/a.txt?token=x", Vec::new()).await;
    assert_eq!(refusal(&garbled), words("400", "InvalidJWT", "Invalid Compact JWS"));
    let none = world.get("/object/sign/shut/ada/a.txt", Vec::new()).await;
    let text = "querystring must have required property 'token'";
    assert_eq!(refusal(&none), words("400", "Error", text));
    let person = world.personas.user_token("ada", json!({}));
    let session =
        world.get(&format!("/object/sign/shut/ada/a.txt?token={person}"), Vec::new()).await;
    assert_eq!(refusal(&session), words("400", "InvalidSignature", "Invalid signature"));

    world.personas.advance(Duration::from_secs(60));
    let late = world.get(&address, Vec::new()).await;
    let text = "\"exp\" claim timestamp check failed";
    assert_eq!(refusal(&late), words("400", "InvalidJWT", text));
}

#[tokio::test]
async fn signed_urls_cover_only_visible_objects() {
    let world = filled().await;
    let ada = world.personas.as_user("ada");
    let body = json!({"expiresIn": 60, "paths": ["ada/b.txt", "bob/x.txt", "ada/a.txt"]});
    let answer = world.send(Method::POST, "/object/sign/shut", ada, body).await.json();
    assert_eq!(answer[0]["path"], "ada/b.txt");
    assert_eq!(answer[0]["error"], json!(null));
    let address = answer[2]["signedURL"].as_str().expect("an address");
    assert_eq!(world.get(address, Vec::new()).await.text(), "signed");
    let text = "Either the object does not exist or you do not have access to it";
    assert_eq!(answer[1], json!({"error": text, "path": "bob/x.txt", "signedURL": null}));
}

#[tokio::test]
async fn transform_is_signed_for_the_render_endpoint() {
    let world = filled().await;
    let plain = signed(&world, json!({"expiresIn": 60, "transform": {}})).await;
    assert!(plain.starts_with("/object/sign/"), "{plain}");
    let body = json!({"expiresIn": 60, "transform": {"width": 100, "height": 50}});
    assert!(signed(&world, body).await.starts_with("/render/image/sign/"));
}

#[tokio::test]
async fn signed_upload_url_works_once_for_owner() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let path = "/object/upload/sign/shut/ada/new.txt";
    let answer = world.ask(Method::POST, path, ada(), "").await.json();
    let url = answer["url"].as_str().expect("an address").to_owned();
    assert!(url.starts_with(&format!("{path}?token=")), "{url}");
    let text = || vec![("content-type", "text/plain".to_owned())];
    let put = world.ask(Method::PUT, &url, text(), "by address").await;
    assert_eq!(put.json()["Key"], "shut/ada/new.txt", "{}", put.text());
    let owner = world.text("select owner_id from storage.objects").await;
    assert_eq!(owner, world.personas.user_id("ada").to_string());
    let again = world.ask(Method::PUT, &url, text(), "again").await;
    assert_eq!(refusal(&again), words("409", "Duplicate", "The resource already exists"));
    let signed = world.ask(Method::POST, path, ada(), "").await;
    assert_eq!(refusal(&signed), words("409", "Duplicate", "The resource already exists"));
    let over = and(ada(), &[("x-upsert", "true")]);
    let url =
        world.ask(Method::POST, path, over, "").await.json()["url"].as_str().unwrap().to_owned();
    assert_eq!(world.ask(Method::PUT, &url, text(), "over").await.status, 200);
    assert_eq!(world.get("/object/shut/ada/new.txt", ada()).await.text(), "over");
    let other = world.ask(Method::POST, "/object/upload/sign/shut/bob/x.txt", ada(), "").await;
    assert_eq!(refusal(&other).1, "403");
    world.personas.advance(Duration::from_secs(60));
    let late = world.ask(Method::PUT, &url, text(), "late").await;
    assert_eq!(refusal(&late).3, "\"exp\" claim timestamp check failed");
    assert_eq!(world.files(), 1);
}
