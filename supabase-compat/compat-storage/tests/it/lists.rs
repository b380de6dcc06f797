//! Pages of a bucket's contents, by folder level and flat.

use http::Method;
use serde_json::{Value, json};

use crate::world::World;

const NAMES: [&str; 9] =
    ["a.txt", "b/1.txt", "b/2.txt", "b/deep/3.txt", "b.txt", "C.txt", "c.txt", "d/x.txt", "z.txt"];

async fn filled() -> World {
    let world = World::furnished().await;
    let rows: Vec<String> = NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| {
            // Each pair of objects has the same timestamp.
            let moment = format!("2026-01-01T00:00:0{}.5Z", at / 2);
            format!("('shut', '{name}', '{moment}', '{{\"size\": 1}}')")
        })
        .collect();
    let rows = rows.join(", ");
    world
        .sql(&format!(
            "insert into storage.objects (bucket_id, name, created_at, metadata) values {rows}"
        ))
        .await;
    world
}

async fn list(world: &World, body: Value) -> Vec<String> {
    let service = world.personas.as_service();
    let answer = world.send(Method::POST, "/object/list/shut", service, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listed = answer.json();
    let name = |entry: &Value| {
        let mark = if entry["id"].is_null() { "/" } else { "" };
        format!("{}{mark}", entry["name"].as_str().expect("a name"))
    };
    listed.as_array().expect("a list").iter().map(name).collect()
}

#[tokio::test]
async fn list_sorts_folders_and_objects_ignoring_case() {
    let world = filled().await;
    let all = ["a.txt", "b.txt", "b/", "C.txt", "c.txt", "d/", "z.txt"];
    assert_eq!(list(&world, json!({"prefix": ""})).await, all);
    let falling = json!({"prefix": "", "sortBy": {"column": "name", "order": "desc"}});
    let mut reversed = list(&world, falling).await;
    reversed.reverse();
    assert_eq!(reversed, all);
    assert_eq!(list(&world, json!({"prefix": "b"})).await, ["1.txt", "2.txt", "deep/"]);
    assert_eq!(list(&world, json!({"prefix": "B/deep/"})).await, ["3.txt"]);
    assert_eq!(list(&world, json!({"prefix": "", "search": "c"})).await, ["C.txt", "c.txt"]);
    assert_eq!(list(&world, json!({"prefix": "nowhere"})).await, [""; 0]);
    for (offset, limit) in [(0, 3), (2, 2), (3, 1), (5, 9), (6, 1), (7, 1)] {
        let page = list(&world, json!({"prefix": "", "offset": offset, "limit": limit})).await;
        let expected: Vec<_> = all.iter().skip(offset).take(limit).copied().collect();
        assert_eq!(page, expected, "{offset} {limit}");
    }
    let by_moment = json!({"prefix": "", "sortBy": {"column": "created_at", "order": "desc"}});
    assert_eq!(
        list(&world, by_moment).await,
        ["d/", "b/", "z.txt", "c.txt", "b.txt", "C.txt", "a.txt"]
    );
    let missing = world
        .send(
            Method::POST,
            "/object/list/nothing",
            world.personas.as_service(),
            json!({"prefix": ""}),
        )
        .await;
    assert_eq!((missing.status.as_u16(), missing.json()), (200, json!([])));
}

#[tokio::test]
async fn folders_have_a_name_and_objects_all_fields() {
    let world = filled().await;
    let service = world.personas.as_service();
    let body = json!({"prefix": "b", "limit": 100});
    let listed = world.send(Method::POST, "/object/list/shut", service, body).await.json();
    let mut object = listed[0].clone();
    assert!(object["id"].take().is_string() && object["updated_at"].take().is_string());
    assert!(object["last_accessed_at"].take().is_string());
    assert_eq!(
        object,
        json!({
            "name": "1.txt", "id": null, "updated_at": null, "last_accessed_at": null,
            "created_at": "2026-01-01T00:00:00.500Z", "metadata": {"size": 1},
        })
    );
    assert_eq!(
        listed[2],
        json!({
            "name": "deep", "id": null, "updated_at": null, "created_at": null,
            "last_accessed_at": null, "metadata": null,
        })
    );
}

/// Reads all pages of this size; checks that each entry occurs once.
async fn pages(world: &World, query: Value, size: usize) -> Vec<String> {
    let (mut names, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut body = query.clone();
        body["limit"] = size.into();
        body["cursor"] = cursor.clone();
        let service = world.personas.as_service();
        let answer = world.send(Method::POST, "/object/list-v2/shut", service, body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let listed = answer.json();
        let list = |field: &str| listed[field].as_array().expect("a list").clone();
        let page: Vec<_> = list("folders").into_iter().chain(list("objects")).collect();
        assert!(page.len() <= size, "{listed}");
        names.extend(page.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()));
        cursor = listed["nextCursor"].clone();
        assert_eq!(listed["hasNext"].as_bool(), Some(cursor.is_string()), "{listed}");
        if cursor.is_null() {
            return names;
        }
        assert_eq!(page.len(), size, "a page that is not the last is full");
    }
}

#[tokio::test]
async fn pagination_covers_every_object_in_each_order() {
    let world = filled().await;
    let mut flat = NAMES.map(str::to_owned).to_vec();
    flat.sort();
    let level =
        ["C.txt", "a.txt", "b.txt", "b/", "c.txt", "d/", "z.txt"].map(str::to_owned).to_vec();
    for column in ["name", "created_at", "updated_at"] {
        for order in ["asc", "desc"] {
            for size in 1..=9 {
                let sort_by = json!({"column": column, "order": order});
                let mut names = pages(&world, json!({"sortBy": sort_by}), size).await;
                if column == "name" {
                    let mut expected = flat.clone();
                    if order == "desc" {
                        expected.reverse();
                    }
                    assert_eq!(names, expected, "{size}");
                }
                names.sort();
                assert_eq!(names, flat, "{column} {order} {size}");
                let by_level = json!({"sortBy": sort_by, "with_delimiter": true});
                let mut names = pages(&world, by_level, size).await;
                names.sort();
                assert_eq!(names, level, "{column} {order} {size}");
            }
        }
    }
}

#[tokio::test]
async fn folder_pages_include_the_object_of_its_name() {
    let world = filled().await;
    world
        .sql("insert into storage.objects (bucket_id, name) values ('shut', 'b/'), ('shut', 'b')")
        .await;
    for size in 1..=4 {
        let query = json!({"prefix": "b/", "with_delimiter": true});
        let mut names = pages(&world, query, size).await;
        names.sort();
        assert_eq!(names, ["b/", "b/1.txt", "b/2.txt", "b/deep/"], "{size}");
    }
    let mut names = pages(&world, json!({"with_delimiter": true}), 1).await;
    names.retain(|name| name.starts_with('b'));
    assert_eq!(names, ["b", "b.txt", "b/"], "the object and the folder of one name");
}

#[tokio::test]
async fn malformed_orders_limits_and_cursors_are_refused() {
    let world = filled().await;
    for (path, body) in [
        ("list", json!({})),
        ("list", json!({"prefix": "", "limit": 0})),
        ("list", json!({"prefix": "", "limit": -1})),
        ("list", json!({"prefix": {}})),
        ("list", json!({"prefix": "", "sortBy": {"column": "size"}})),
        ("list", json!({"prefix": "", "sortBy": {"column": "name", "order": "up"}})),
        ("list-v2", json!({"limit": 1001})),
        ("list-v2", json!({"cursor": "none"})),
        ("list-v2", json!({"sortBy": {"column": "last_accessed_at"}})),
        ("list", json!([])),
    ] {
        let service = world.personas.as_service();
        let path = format!("/object/{path}/shut");
        let answer = world.send(Method::POST, &path, service, body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert_eq!(answer.json()["statusCode"], "400", "{body}");
    }
}

#[tokio::test]
async fn list_of_many_objects_uses_the_index() {
    let world = World::furnished().await;
    world
        .sql(
            "insert into storage.objects (bucket_id, name)
            select 'shut', 'folder' || (n / 20000) || '/' || n from generate_series(1, 100000) n;
            analyze storage.objects",
        )
        .await;
    let folders = list(&world, json!({"prefix": ""})).await;
    assert_eq!(folders.len(), 6);
    let scans = "select seq_scan from pg_stat_user_tables where relname = 'objects'";
    world.sql("select pg_stat_clear_snapshot()").await;
    let before = world.text(scans).await;
    for body in [
        json!({"prefix": ""}),
        json!({"prefix": "folder3", "search": "7"}),
        json!({"prefix": "folder3", "offset": 50, "sortBy": {"column": "name", "order": "desc"}}),
    ] {
        assert!(!list(&world, body).await.is_empty());
    }
    assert_eq!(pages(&world, json!({"with_delimiter": true}), 2).await.len(), 6);
    world.sql("select pg_stat_clear_snapshot()").await;
    assert_eq!(world.text(scans).await, before, "no list reads the whole table");
}
