//! Snippets of SQL.

use http::Method;
use serde_json::json;

use crate::world::{World, of, refusal};

#[tokio::test]
async fn snippets_are_files_that_come_back_by_name() {
    let world = World::new().await;
    let owner = world.owner().await;
    assert_eq!(owner.get("/snippets").await.json(), json!({"snippets": []}));
    for name in ["report", "B%20side"] {
        let answer = owner.put(&format!("/snippets/{name}"), json!({"query": "select 1"})).await;
        assert_eq!(answer.status, 204, "{name}");
    }
    owner.put("/snippets/report", json!({"query": "select 2"})).await;
    let list = owner.get("/snippets").await.json();
    let names: Vec<_> = list["snippets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["query"].as_str().unwrap()))
        .collect();
    assert_eq!(names, [("B side", "select 1"), ("report", "select 2")]);
    assert_eq!(owner.delete("/snippets/report").await.status, 204);
    assert_eq!(refusal(&owner.delete("/snippets/report").await), of(404, "snippet_not_found"));
}

#[tokio::test]
async fn snippet_names_cannot_leave_their_folder() {
    let world = World::new().await;
    let owner = world.owner().await;
    for name in ["..%2Fconfig", "%2e%2e%2fx", "%2Fetc%2Fpasswd", "..%5Cx", ".hidden", "a%00b"] {
        let path = format!("/snippets/{name}");
        let response = owner.put(&path, json!({"query": "x"})).await;
        assert_eq!(refusal(&response), of(422, "invalid_name"), "{name}");
        assert_eq!(refusal(&owner.delete(&path).await), of(422, "invalid_name"), "{name}");
    }
    let up = owner.send(Method::PUT, "/snippets/../x", Some(json!({"query": "x"})), &[]).await;
    assert_eq!(up.status, 404);
}

#[tokio::test]
async fn reader_sees_snippets_and_writes_none() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    owner.put("/snippets/report", json!({"query": "select 1"})).await;
    assert_eq!(reader.get("/snippets").await.status, 200);
    let response = reader.put("/snippets/report", json!({"query": "select 2"})).await;
    assert_eq!(refusal(&response), of(403, "forbidden"));
    assert_eq!(refusal(&reader.delete("/snippets/report").await), of(403, "forbidden"));
}
