//! Putting objects.

use http::Method;
use serde_json::json;

use crate::world::{World, and, refusal, words};

#[tokio::test]
async fn a_file_is_put_read_and_removed() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    let put = world.put("shut/ada/a.txt", ada(), "one").await;
    assert_eq!(put.status, 200, "{}", put.text());
    assert_eq!(put.json()["Key"], "shut/ada/a.txt");
    let read = world.get("/object/shut/ada/a.txt", ada()).await;
    assert_eq!((read.status.as_u16(), read.text().as_str()), (200, "one"));
    for (name, value) in [
        ("content-type", "text/plain"),
        ("content-length", "3"),
        ("cache-control", "no-cache"),
        ("accept-ranges", "bytes"),
        ("x-robots-tag", "none"),
        ("etag", "\"f97c5d29941bfb1b2fdab0874906ab82\""),
    ] {
        assert_eq!(read.header(name), value, "{name}");
    }
    let again = world.put("shut/ada/a.txt", ada(), "two").await;
    assert_eq!(refusal(&again), words("409", "Duplicate", "The resource already exists"));
    let over = and(ada(), &[("x-upsert", "true")]);
    assert_eq!(world.put("shut/ada/a.txt", over, "two").await.status, 200);
    assert_eq!(world.get("/object/shut/ada/a.txt", ada()).await.text(), "two");
    assert_eq!(world.files(), 1, "the old bytes are gone");
    let deleted = world.ask(Method::DELETE, "/object/shut/ada/a.txt", ada(), "").await;
    assert_eq!(deleted.json(), json!({"message": "Successfully deleted"}));
    assert_eq!(world.files(), 0);
    let missing = world.get("/object/shut/ada/a.txt", ada()).await;
    assert_eq!(refusal(&missing), words("404", "not_found", "Object not found"));
}

#[tokio::test]
async fn upload_refused_by_row_security_stores_no_file() {
    let world = World::furnished().await;
    for headers in [world.personas.as_user("bob"), world.personas.as_anon()] {
        let response = world.put("shut/ada/a.txt", headers, "mine").await;
        let text = "new row violates row-level security policy";
        assert_eq!(refusal(&response), words("403", "Unauthorized", text));
    }
    assert_eq!(world.files(), 0);
}
