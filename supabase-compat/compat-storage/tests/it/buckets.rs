//! Buckets, field for field.

use compat_storage::{BucketSeed, ensure_bucket, put_object};
use http::Method;
use serde_json::json;

use crate::world::{World, refusal, words};

#[tokio::test]
async fn a_bucket_is_created_read_changed_and_deleted() {
    let world = World::new().await;
    let service = || world.personas.as_service();
    let settings = json!({
        "name": "photos", "public": true, "file_size_limit": "20MB",
        "allowed_mime_types": ["image/png", "image/*"],
    });
    let response = world.send(Method::POST, "/bucket", service(), settings.clone()).await;
    assert_eq!((response.status.as_u16(), response.json()), (200, json!({"name": "photos"})));
    let again = world.send(Method::POST, "/bucket", service(), settings).await;
    assert_eq!(refusal(&again), words("409", "Duplicate", "The resource already exists"));

    let mut bucket = world.get("/bucket/photos", service()).await.json();
    let moments = ["created_at", "updated_at"].map(|name| bucket[name].take());
    assert!(moments.iter().all(|moment| moment.as_str().unwrap().ends_with('Z')), "{moments:?}");
    assert_eq!(
        bucket,
        json!({
            "id": "photos", "name": "photos", "owner": "", "public": true,
            "file_size_limit": 20_000_000, "allowed_mime_types": ["image/png", "image/*"],
            "created_at": null, "updated_at": null,
        })
    );
    let listed = world.get("/bucket", service()).await.json();
    assert_eq!(listed[0]["type"], "STANDARD");

    let change = json!({"public": false, "file_size_limit": null});
    let changed = world.send(Method::PUT, "/bucket/photos", service(), change).await;
    assert_eq!(changed.json(), json!({"message": "Successfully updated"}));
    let bucket = world.get("/bucket/photos", service()).await.json();
    assert_eq!(bucket["public"], false);
    assert_eq!(bucket["file_size_limit"], json!(null));
    assert_eq!(bucket["allowed_mime_types"], json!(["image/png", "image/*"]), "absent fields stay");

    let deleted = world.ask(Method::DELETE, "/bucket/photos", service(), "").await;
    assert_eq!(deleted.json(), json!({"message": "Successfully deleted"}));
    let missing = world.get("/bucket/photos", service()).await;
    assert_eq!(refusal(&missing), words("404", "Bucket not found", "Bucket not found"));
}

#[tokio::test]
async fn lifecycles_of_buckets_are_switched_off() {
    let world = World::new().await;
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let service = world.personas.as_service();
        let answer = world.send(method, "/bucket/any/lifecycle", service, json!({})).await;
        assert_eq!(refusal(&answer).1, "403", "{}", answer.text());
        assert_eq!(answer.json()["code"], "FeatureNotEnabled");
    }
    assert_eq!(world.get("/bucket/any/lifecycle", vec![]).await.json()["statusCode"], "403");
}

#[tokio::test]
async fn configured_buckets_are_created_once_and_never_changed() {
    let seed = BucketSeed {
        name: "pictures".to_owned(),
        public: true,
        file_size_limit: Some(5),
        allowed_mime_types: Some(vec!["image/png".to_owned()]),
    };
    let world = World::new().await;
    assert!(ensure_bucket(&world.state, &seed).await.expect("it is made"));
    let bucket = world.get("/bucket/pictures", world.personas.as_service()).await.json();
    assert_eq!((&bucket["public"], &bucket["file_size_limit"]), (&json!(true), &json!(5)));
    let change = json!({"public": false});
    let service = world.personas.as_service();
    assert_eq!(world.send(Method::PUT, "/bucket/pictures", service, change).await.status, 200);
    assert!(!ensure_bucket(&world.state, &seed).await.expect("it is there"));
    let bucket = world.get("/bucket/pictures", world.personas.as_service()).await.json();
    assert_eq!(bucket["public"], false);

    let put = async |name, kind, text: &'static str| {
        put_object(&world.state, ("pictures", name), kind, text.into()).await
    };
    put("a/b.png", "image/png", "here").await.expect("it is put");
    let response = world.get("/object/pictures/a/b.png", world.personas.as_service()).await;
    assert_eq!((response.status.as_u16(), &*response.text()), (200, "here"));
    for (name, kind, text) in
        [("a/b.png", "image/png", "x"), ("c", "text/plain", "x"), ("d", "image/png", "larger")]
    {
        assert!(put(name, kind, text).await.is_err(), "{name}");
    }
}
