//! Moving and copying.

use http::Method;
use serde_json::json;

use crate::world::{World, and, refusal, words};

#[tokio::test]
async fn object_moves_within_and_between_buckets() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    world.put("shut/ada/a.txt", ada(), "moved").await;
    world.put("shut/ada/taken.txt", ada(), "there").await;
    let to =
        |key: &str| json!({"bucketId": "shut", "sourceKey": "ada/a.txt", "destinationKey": key});
    let moved = world.send(Method::POST, "/object/move", ada(), to("ada/b/c.txt")).await;
    assert_eq!(
        (moved.status.as_u16(), moved.json()),
        (200, json!({"message": "Successfully moved"}))
    );
    assert_eq!(world.get("/object/shut/ada/b/c.txt", ada()).await.text(), "moved");
    let missing = world.send(Method::POST, "/object/move", ada(), to("ada/x.txt")).await;
    assert_eq!(refusal(&missing), words("404", "not_found", "Object not found"));
    let back = |key: &str, bucket: &str| {
        json!({
            "bucketId": "shut", "sourceKey": "ada/b/c.txt", "destinationKey": key,
            "destinationBucket": bucket,
        })
    };
    let conflict =
        world.send(Method::POST, "/object/move", ada(), back("ada/taken.txt", "shut")).await;
    assert_eq!(refusal(&conflict), words("409", "Duplicate", "The resource already exists"));
    assert_eq!(conflict.json()["code"], "ResourceAlreadyExists");
    let out = world.send(Method::POST, "/object/move", ada(), back("bob/c.txt", "shut")).await;
    assert_eq!(refusal(&out).1, "403");
    let bad = world.send(Method::POST, "/object/move", ada(), back("ada/../x", "shut")).await;
    assert_eq!(refusal(&bad), words("400", "InvalidKey", "Invalid key: ada/../x"));
    let away = world.send(Method::POST, "/object/move", ada(), back("ada/c.txt", "open")).await;
    assert_eq!(away.status, 200, "{}", away.text());
    assert_eq!(world.get("/object/public/open/ada/c.txt", Vec::new()).await.text(), "moved");
    assert_eq!(world.files(), 2);
}

#[tokio::test]
async fn copy_keeps_or_replaces_the_source_metadata() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let metadata = "eyJjb2xvdXIiOiJibHVlIn0=";
    let headers = and(ada(), &[("x-metadata", metadata), ("cache-control", "max-age=7")]);
    world.put("shut/ada/a.txt", headers, "copied").await;
    let body =
        |to: &str| json!({"bucketId": "shut", "sourceKey": "ada/a.txt", "destinationKey": to});
    let copy = world.send(Method::POST, "/object/copy", ada(), body("ada/b.txt")).await.json();
    assert_eq!(copy["Key"], "shut/ada/b.txt");
    assert_eq!((&copy["Id"], &copy["name"]), (&copy["id"], &json!("ada/b.txt")));
    assert_eq!(copy["metadata"]["cacheControl"], "max-age=7");
    let info = world.get("/object/info/shut/ada/b.txt", ada()).await.json();
    assert_eq!(info["metadata"], json!({"colour": "blue"}));
    assert_eq!(world.get("/object/shut/ada/b.txt", ada()).await.text(), "copied");
    let again = world.send(Method::POST, "/object/copy", ada(), body("ada/b.txt")).await;
    assert_eq!(refusal(&again), words("409", "Duplicate", "The resource already exists"));

    let mut other = body("ada/b.txt");
    other["copyMetadata"] = json!(false);
    other["metadata"] = json!({"cacheControl": "max-age=9", "mimetype": "text/csv"});
    let over = and(ada(), &[("x-upsert", "true"), ("x-metadata", "e30=")]);
    let copy = world.send(Method::POST, "/object/copy", over, other).await;
    assert_eq!(copy.status, 200, "{}", copy.text());
    let info = world.get("/object/info/shut/ada/b.txt", ada()).await.json();
    assert_eq!(info["content_type"], "text/csv");
    assert_eq!(info["cache_control"], "max-age=9");
    assert_eq!(info["metadata"], json!({}));
    assert_eq!(world.files(), 2);
}

#[tokio::test]
async fn concurrent_writes_leave_one_row_and_its_bytes() {
    let world = World::furnished().await;
    let put = |text: &'static str| {
        let over = and(world.personas.as_user("ada"), &[("x-upsert", "true")]);
        world.put("shut/ada/a.txt", over, text)
    };
    let all = futures_util::future::join_all(["1", "22", "333", "4444", "55555"].map(put)).await;
    assert!(all.iter().all(|answer| answer.status == 200), "{:?}", all[0].text());
    let read = world.get("/object/shut/ada/a.txt", world.personas.as_user("ada")).await;
    assert_eq!(read.header("content-length"), read.text().len().to_string());
    assert_eq!(world.files(), 1);
    let once =
        |text: &'static str| world.put("shut/ada/new.txt", world.personas.as_user("ada"), text);
    let all = futures_util::future::join_all(["1", "22", "333"].map(once)).await;
    let done = all.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1, "the other requests get a conflict");
    assert_eq!(world.files(), 2);
}
