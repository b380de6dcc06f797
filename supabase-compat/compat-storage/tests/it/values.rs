//! Bodies whose values have another type than expected, as published clients send them.

use http::Method;
use serde_json::json;

use crate::world::{World, refusal, words};

#[tokio::test]
async fn signed_urls_accept_expiry_as_text() {
    let world = World::furnished().await;
    let ada = || world.personas.as_user("ada");
    assert_eq!(world.put("shut/ada/1.txt", ada(), "one").await.status, 200);
    let body = json!({"expiresIn": "60"});
    let one = world.send(Method::POST, "/object/sign/shut/ada/1.txt", ada(), body).await;
    let address = one.json()["signedURL"].as_str().expect("an address").to_owned();
    assert_eq!(world.get(&address, vec![]).await.text(), "one");

    let body = json!({"expiresIn": "60", "paths": "ada/1.txt"});
    let many = world.send(Method::POST, "/object/sign/shut", ada(), body).await.json();
    assert_eq!((&many[0]["path"], &many[0]["error"]), (&json!("ada/1.txt"), &json!(null)));

    for (body, expected) in [
        (json!({"expiresIn": "soon"}), "body/expiresIn must be integer"),
        (json!({"expiresIn": null}), "body/expiresIn must be >= 1"),
        (json!({}), "body must have required property 'expiresIn'"),
    ] {
        let response = world.send(Method::POST, "/object/sign/shut/ada/1.txt", ada(), body).await;
        assert_eq!(refusal(&response), words("400", "Error", expected));
    }
}

#[tokio::test]
async fn bucket_fields_are_coerced_from_other_types() {
    let world = World::new().await;
    let service = || world.personas.as_service();
    let bucket = async || world.get("/bucket/12345", service()).await.json();
    let body = json!({
        "name": 12345, "public": "true", "file_size_limit": "2000", "allowed_mime_types": "image/png",
    });
    let response = world.send(Method::POST, "/bucket", service(), body).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"name": "12345"})));
    let found = bucket().await;
    assert_eq!((&found["public"], &found["file_size_limit"]), (&json!(true), &json!(2000)));
    assert_eq!(found["allowed_mime_types"], json!(["image/png"]));

    let change = json!({"public": 0, "allowed_mime_types": null});
    let changed = world.send(Method::PUT, "/bucket/12345", service(), change).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let found = bucket().await;
    assert_eq!((&found["public"], &found["file_size_limit"]), (&json!(false), &json!(2000)));
    assert_eq!(found["allowed_mime_types"], json!(null));

    let wrong = json!({"public": "perhaps"});
    let refused = world.send(Method::PUT, "/bucket/12345", service(), wrong).await;
    assert_eq!(refusal(&refused), words("400", "Error", "body/public must be boolean"));
}

#[tokio::test]
async fn object_requests_coerce_values_of_other_types() {
    let world = World::furnished().await;
    let service = || world.personas.as_service();
    let post = async |path, body| world.send(Method::POST, path, service(), body).await;
    assert_eq!(world.put("shut/1", service(), "one").await.status, 200);

    let moved = json!({"bucketId": "shut", "sourceKey": 1, "destinationKey": 2});
    assert_eq!(post("/object/move", moved).await.json(), json!({"message": "Successfully moved"}));
    let copied = json!({
        "bucketId": ["shut"], "sourceKey": 2, "destinationKey": 3.0, "copyMetadata": "false",
    });
    assert_eq!(post("/object/copy", copied).await.json()["Key"], "shut/3");

    let body = json!({"prefix": null, "limit": "10", "offset": "1"});
    let listed = post("/object/list/shut", body).await.json();
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["name"]), (Some(1), &json!("3")));
    let body = json!({"limit": "1", "with_delimiter": "true", "cursor": null});
    let paged = post("/object/list-v2/shut", body).await.json();
    assert_eq!(
        (&paged["hasNext"], paged["objects"].as_array().map(Vec::len)),
        (&json!(true), Some(1))
    );

    let deleted =
        world.send(Method::DELETE, "/object/shut", service(), json!({"prefixes": 2})).await;
    assert_eq!(deleted.json()[0]["name"], "2");
}
