//! The record of what was changed.

use serde_json::json;

use crate::world::{OWNER, World, of, refusal};

#[tokio::test]
async fn every_change_and_every_refused_one_is_written_down() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    world.browser().sign_in(OWNER, "another password").await;
    world.browser().sign_in("stranger@example.test", "another password").await;
    owner.query("create temporary table scratch (id int)").await;
    reader.put("/snippets/report", json!({"query": "select 1"})).await;
    reader.post("/services/pg/query", json!({"query": "select 1"})).await;
    owner.send(http::Method::DELETE, "/session", None, &[("origin", "https://evil.example")]).await;
    owner.get("/overview").await;
    let log = owner.get("/audit?limit=200").await.json();
    let mut lines: Vec<String> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
            format!(
                "{} {} {} {} {}",
                text("operator"),
                text("method"),
                text("path"),
                entry["status"],
                text("summary")
            )
        })
        .collect();
    lines.reverse();
    let expected = [
        "ada@example.test POST /setup 200 new operator, owner",
        "ada@example.test POST /operators/invitations 201 invitation, read_only",
        "cy@example.test POST /setup 200 new operator, read_only",
        "ada@example.test POST /session 401 sign in",
        "ada@example.test POST /query 200 create temporary table scratch (id int)",
        "cy@example.test PUT /snippets/report 403 ",
        "cy@example.test POST /services/pg/query 403 ",
        "ada@example.test DELETE /session 403 ",
    ];
    assert_eq!(lines, expected);
    assert_eq!(log["next"], json!(null));
    let page = owner.get("/audit?limit=3").await.json();
    assert_eq!(page["entries"].as_array().unwrap().len(), 3);
    let next = format!("/audit?before={}&limit=200", page["next"]);
    assert_eq!(owner.get(&next).await.json()["entries"].as_array().unwrap().len(), 5);
    assert_eq!(refusal(&reader.get("/audit").await), of(403, "forbidden"));
    assert_eq!(refusal(&owner.get("/audit?before=x").await), of(400, "invalid_request"));
}
