//! Backups of a database and its files: made by `pg_dump`, restored into a separate server, and
//! kept in a folder or an object store.

use std::time::Duration;

use axum::Router;
use compat_stack::backup::backup;
use compat_stack::{Application, Stack};
use compat_testkit_s3::{ACCESS_KEY_ID, S3Server, SECRET_ACCESS_KEY};
use http::Method;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::world::World;

/// A console over a database with three rows, and two stored files.
struct Scene {
    stack: Stack,
    router: Router,
}

impl Scene {
    async fn start(world: &World, variables: &[(&str, &str)]) -> Self {
        let bin_dir = std::env::var_os("PG_BINDIR").map(|folder| folder.into_string().unwrap());
        let mut variables = variables.to_vec();
        variables.push(("CONSOLE", "loopback"));
        variables.extend(bin_dir.as_deref().map(|folder| ("PG_BINDIR", folder)));
        let stack = world.start(&[], &variables).await;
        let mut work = world.database.pools().owner.begin().await.unwrap();
        sqlx::raw_sql(
            "create table public.kept (id int primary key);
            insert into public.kept values (1), (2), (3);",
        )
        .execute(&mut *work)
        .await
        .unwrap();
        work.commit().await.unwrap();
        let files = world.folder().join("storage/stub/stub/photos");
        std::fs::create_dir_all(&files).unwrap();
        std::fs::write(files.join("one"), "four").unwrap();
        std::fs::write(files.join("two"), "bytes").unwrap();
        let router = stack.router(Application::default()).unwrap();
        Self { stack, router }
    }

    async fn owner(&self) -> Browser<'_> {
        let token = self.stack.console_link().await.unwrap().expect("nobody was there yet");
        Browser::by_link(&self.router, &token, "ada@example.test").await
    }
}

/// Waits until the state that `of` selects is no longer `running`; returns the only backup.
async fn until_ended(browser: &Browser<'_>, of: impl Fn(&Value) -> &Value) -> Value {
    loop {
        let list = browser.get("/backups").await;
        assert_eq!(list.status, 200, "{}", list.text());
        let backup = list.json()["backups"][0].clone();
        if *of(&backup) != "running" {
            return backup;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn make(browser: &Browser<'_>, place: &str) -> Value {
    let response = browser.post("/backups", json!({"place": place})).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let backup = until_ended(browser, |one| &one["state"]).await;
    assert_eq!(backup["state"], "done", "{backup}");
    backup
}

async fn check(browser: &Browser<'_>, backup: &Value) -> Value {
    let path = format!("/backups/{}/check", backup["id"].as_str().unwrap());
    assert_eq!(browser.post(&path, json!({})).await.status, 202);
    until_ended(browser, |one| &one["check"]["state"]).await["check"].clone()
}

#[tokio::test]
async fn backup_check_restores_beside_the_live_database() {
    let world = World::of_somebody_else().await;
    let scene = Scene::start(&world, &[]).await;
    let ada = scene.owner().await;
    let backup = make(&ada, "folder").await;
    let file = world.folder().join("backups").join(backup["name"].as_str().unwrap());
    assert_eq!(backup["bytes"], std::fs::metadata(&file).unwrap().len());

    let found = check(&ada, &backup).await;
    assert_eq!(found["state"], "done", "{found}");
    let contents = &found["contents"];
    assert_eq!((&contents["objects"], &contents["object_bytes"]), (&json!(2), &json!(9)));
    assert_eq!((&contents["has_keys"], &contents["format"]), (&json!(true), &json!(2)));
    assert!(contents["rows"].as_i64().unwrap() >= 3, "{contents}");
    assert!(contents["tables"].as_i64().unwrap() > 20, "{contents}");
    assert!(!world.folder().join("backup-check").exists(), "nothing of the check stays");
    assert!(world.has_schema("_console").await);

    let file_bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &file_bytes[..file_bytes.len() / 2]).unwrap();
    let found = check(&ada, &backup).await;
    assert_eq!(found["state"], "failed", "{found}");
    assert!(!found["reason"].as_str().unwrap().is_empty());
    assert!(!world.folder().join("backup-check").exists());

    let path = format!("/backups/{}", backup["id"].as_str().unwrap());
    assert_eq!(ada.send(Method::DELETE, &path, None, &[]).await.status, 204);
    assert!(!file.exists());
    scene.stack.stop().await;
}

#[tokio::test]
async fn backup_is_stored_in_and_downloaded_from_s3() {
    let world = World::of_somebody_else().await;
    let buckets = world.folder().join("buckets");
    std::fs::create_dir_all(buckets.join("kept")).unwrap();
    let server = S3Server::start(&buckets).await.unwrap();
    let endpoint = server.endpoint();
    let variables = [
        ("BACKUP_S3_BUCKET", "kept"),
        ("BACKUP_S3_ENDPOINT", endpoint.as_str()),
        ("BACKUP_S3_FORCE_PATH_STYLE", "true"),
        ("BACKUP_S3_ACCESS_KEY_ID", ACCESS_KEY_ID),
        ("BACKUP_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
    ];
    let scene = Scene::start(&world, &variables).await;
    let ada = scene.owner().await;
    let targets = ada.get("/backups").await.json()["targets"].clone();
    assert_eq!(targets[1], json!({"place": "s3", "label": "kept"}));
    let backup = make(&ada, "s3").await;
    let id = backup["id"].as_str().unwrap();
    let left = std::fs::read_dir(world.folder().join("backups")).unwrap().count();
    assert_eq!(left, 0, "nothing stays here");
    let found = check(&ada, &backup).await;
    assert_eq!(found["state"], "done", "{found}");
    let address = ada.post(&format!("/backups/{id}/download"), json!({})).await.json();
    let path = address["url"].as_str().unwrap().strip_prefix("/console/api").unwrap().to_owned();
    let content = ada.get(&path).await;
    assert_eq!(content.body.len() as u64, backup["bytes"].as_u64().unwrap());
    let path = format!("/backups/{id}");
    assert_eq!(ada.send(Method::DELETE, &path, None, &[]).await.status, 204);

    // The object store is gone: the backup fails and leaves no file.
    drop(server);
    ada.post("/backups", json!({"place": "s3"})).await;
    let failed = until_ended(&ada, |one| &one["state"]).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(failed["reason"].as_str().unwrap().contains("store"), "{failed}");
    assert_eq!(std::fs::read_dir(world.folder().join("backups")).unwrap().count(), 0);
    scene.stack.stop().await;
}

#[tokio::test]
async fn backup_that_waits_ends_with_the_program() {
    let world = World::of_somebody_else().await;
    let scene = Scene::start(&world, &[]).await;
    let mut lock = world.database.pools().owner.begin().await.unwrap();
    sqlx::raw_sql("lock table public.kept in access exclusive mode")
        .execute(&mut *lock)
        .await
        .unwrap();
    let ada = scene.owner().await;
    let response = ada.post("/backups", json!({"place": "folder"})).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let waits = "select exists (select from pg_catalog.pg_locks as l
        join pg_catalog.pg_database as d on d.oid = l.database
        where d.datname = pg_catalog.current_database() and not l.granted)";
    while !world.database.pools().owner.answers(waits).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(ada);
    scene.stack.stop().await;
    lock.rollback().await.unwrap();
    let is_cancelled = "select exists (select from _console.backups
        where state = 'failed' and reason = 'it was cancelled')";
    assert!(world.database.pools().owner.answers(is_cancelled).await.unwrap());
    let left = std::fs::read_dir(world.folder().join("backups")).unwrap().count();
    assert_eq!(left, 0, "nothing of it stays");
}

#[tokio::test]
async fn backup_command_is_listed_in_the_console() {
    let world = World::of_somebody_else().await;
    let scene = Scene::start(&world, &[]).await;
    let ada = scene.owner().await;
    let file = world.folder().join("before.backup");
    backup(scene.stack.settings(), &file).await.unwrap();
    let refusal = backup(scene.stack.settings(), &file).await.unwrap_err();
    assert!(refusal.to_string().contains("exists already"), "{refusal}");
    let list = ada.get("/backups").await.json()["backups"].clone();
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert_eq!(
        (&list[0]["name"], &list[0]["origin"]),
        (&json!("before.backup"), &json!("command"))
    );
    assert_eq!(list[0]["bytes"], std::fs::metadata(&file).unwrap().len());
    let overview = ada.get("/overview").await.json();
    assert_eq!(overview["last_backup"], list[0]["ended_at"]);
    scene.stack.stop().await;
}
