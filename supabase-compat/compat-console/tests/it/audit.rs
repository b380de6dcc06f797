//! The audit log.

use std::time::Duration;

use compat_console::AUDIT_RETENTION;
use serde_json::json;

use crate::world::{OWNER, PASSWORD, World, of, refusal};

#[tokio::test]
async fn audit_log_records_changes_and_refused_attempts() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    world.browser().sign_in(OWNER, "another password").await;
    world.browser().sign_in("stranger@example.test", "another password").await;
    owner.query("create temporary table scratch (id int)").await;
    reader.put("/snippets/report", json!({"query": "select 1"})).await;
    reader.post("/services/pg/query", json!({"query": "select 1"})).await;
    for path in ["functions/v1/hello?name=x", "auth/v1/admin/users", "rest/v1/things"] {
        owner.get(&format!("/services/{path}")).await;
        reader.get(&format!("/services/{path}")).await;
    }
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
        "ada@example.test GET /services/functions/v1/hello 200 ",
        "cy@example.test GET /services/functions/v1/hello 403 ",
        "ada@example.test DELETE /session 403 ",
    ];
    assert_eq!(lines, expected);
    assert_eq!(log["next"], json!(null));
    let page = owner.get("/audit?limit=3").await.json();
    assert_eq!(page["entries"].as_array().unwrap().len(), 3);
    let next = format!("/audit?before={}&limit=200", page["next"]);
    assert_eq!(owner.get(&next).await.json()["entries"].as_array().unwrap().len(), 7);
    assert_eq!(refusal(&reader.get("/audit").await), of(403, "forbidden"));
    assert_eq!(refusal(&owner.get("/audit?before=x").await), of(400, "invalid_request"));
}

/// The summaries of SQL texts in the audit log, in order.
async fn texts(world: &World) -> Vec<String> {
    let question = "select coalesce(string_agg(summary || ' ' || status, '|' order by id), '')
        from _console.audit_log where path = '/query'";
    let all = world.text(question).await.unwrap();
    all.split('|').filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

#[tokio::test]
async fn text_that_only_reads_is_no_change() {
    let world = World::with("create table public.things (id int)").await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    let read =
        async |text: &str| owner.post("/query", json!({"query": text, "read_only": true})).await;
    read("select * from public.things").await;
    read("select nothing").await;
    reader.query("select * from public.things").await;
    owner.delete("/query/6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a").await;
    reader.post("/services/storage/v1/object/list/photos", json!({"prefix": ""})).await;
    assert_eq!(texts(&world).await, Vec::<String>::new());
    let changes = "select count(*)::text from _console.audit_log where path not like '/setup%'
        and path <> '/operators/invitations'";
    assert_eq!(world.text(changes).await.as_deref(), Some("0"));
    owner.query("select * from public.things").await;
    read("insert into public.things values (1)").await;
    read("commit; insert into public.things values (1)").await;
    reader.query("set transaction read write").await;
    assert_eq!(
        texts(&world).await,
        [
            "select * from public.things 200",
            "read only: insert into public.things values (1) 400",
            "read only: commit; insert into public.things values (1) 400",
            "read only: set transaction read write 400",
        ]
    );
}

#[tokio::test]
async fn entries_older_than_the_retention_are_removed() {
    let world = World::new().await;
    let owner = world.owner().await;
    let days = |days: u64| Duration::from_secs(days * 24 * 60 * 60);
    let count = "select count(*)::text from _console.audit_log";
    assert_eq!(world.text(count).await.as_deref(), Some("1"));
    world.personas.advance(days(365));
    assert_eq!(AUDIT_RETENTION.work(&world.state).await.unwrap(), 0);
    world.personas.advance(Duration::from_secs(1));
    let mut again = world.browser();
    again.sign_in(OWNER, PASSWORD).await;
    assert_eq!(AUDIT_RETENTION.work(&world.state).await.unwrap(), 1);
    assert_eq!(world.text(count).await.as_deref(), Some("1"));
    assert_eq!(again.get("/audit").await.json()["entries"][0]["summary"], "sign in");
    drop(owner);
}
