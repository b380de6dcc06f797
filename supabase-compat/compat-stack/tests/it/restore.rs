//! A restore that replaces the live database.

use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use compat_stack::{Application, Stack};
use http::Method;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::browser::{Browser, PASSWORD};
use crate::world::World;

/// A console over its own database server, with three rows and two stored files.
struct Scene {
    stack: Stack,
    router: Router,
    files: PathBuf,
}

impl Scene {
    async fn start(world: &World) -> Self {
        let bin_dir = std::env::var_os("PG_BINDIR").map(|folder| folder.into_string().unwrap());
        let mut variables = vec![("CONSOLE", "loopback")];
        variables.extend(bin_dir.as_deref().map(|folder| ("PG_BINDIR", folder)));
        let stack = world.start_with_own_server(&variables).await;
        let files = world.folder().join("storage/stub/stub/photos");
        std::fs::create_dir_all(&files).unwrap();
        std::fs::write(files.join("one"), "four").unwrap();
        std::fs::write(files.join("two"), "bytes").unwrap();
        let router = stack.router(Application::default()).unwrap();
        let scene = Self { stack, router, files };
        scene.run("create table public.kept (id int primary key)").await;
        scene.run("alter table public.kept owner to postgres").await;
        scene.run("insert into public.kept values (1), (2), (3)").await;
        scene.run("alter database postgres set work_mem = '5MB'").await;
        scene
    }

    async fn owner(&self) -> Browser<'_> {
        let token = self.stack.console_link().await.unwrap().expect("nobody was there yet");
        Browser::by_link(&self.router, &token, "ada@example.test").await
    }

    async fn run(&self, text: &str) {
        let mut connection = self.stack.pools.owner.connection().await.unwrap();
        let text = AssertSqlSafe(text.to_owned());
        sqlx::raw_sql(text).execute(&mut *connection).await.unwrap();
    }

    async fn text(&self, question: &str) -> String {
        let mut connection = self.stack.pools.owner.connection().await.unwrap();
        let question = AssertSqlSafe(question.to_owned());
        sqlx::query_scalar(question).fetch_one(&mut *connection).await.unwrap()
    }

    async fn temporary_databases(&self) -> String {
        self.text("select count(*)::text from pg_database where datname like 'compat\\_repl%'")
            .await
    }

    async fn rows(&self) -> String {
        self.text("select string_agg(id::text, ',' order by id) from public.kept").await
    }
}

/// Waits until no backup or restore runs; returns the backup with this id. While databases are
/// swapped, the console answers 503.
async fn settled(browser: &Browser<'_>, id: &str) -> Value {
    loop {
        let list = browser.get("/backups").await;
        if list.status == 200 {
            let list = list.json()["backups"].as_array().unwrap().clone();
            let runs =
                |one: &Value| one["state"] == "running" || one["restore"]["state"] == "running";
            if !list.iter().any(runs) {
                return list.into_iter().find(|one| one["id"] == id).unwrap();
            }
        } else {
            assert_eq!(list.status, 503, "{}", list.text());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn make(browser: &Browser<'_>) -> Value {
    let response = browser.post("/backups", json!({"place": "folder"})).await;
    assert_eq!(response.status, 202, "{}", response.text());
    let backup = settled(browser, response.json()["id"].as_str().unwrap()).await;
    assert_eq!(backup["state"], "done", "{backup}");
    backup
}

async fn restore(browser: &Browser<'_>, backup: &Value) -> Value {
    let id = backup["id"].as_str().unwrap();
    let body = json!({"password": PASSWORD, "project": "localhost"});
    let answer = browser.post(&format!("/backups/{id}/restore"), body).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    settled(browser, id).await["restore"].clone()
}

#[tokio::test]
async fn backup_takes_the_place_of_the_live_database() {
    let world = World::of_somebody_else().await;
    let scene = Scene::start(&world).await;
    let ada = scene.owner().await;
    let backup = make(&ada).await;
    scene.run("insert into public.kept values (4)").await;
    scene.run("create table public.later (id int)").await;
    std::fs::remove_file(scene.files.join("one")).unwrap();
    std::fs::write(scene.files.join("three"), "later").unwrap();
    let keys = std::fs::read(world.folder().join("keys.json")).unwrap();
    let invitation = ada.post("/operators/invitations", json!({"role": "read_only"})).await.json();
    let (_, token) = invitation["url"].as_str().unwrap().split_once('=').unwrap();
    let cy = Browser::by_link(&scene.router, token, "cy@example.test").await;

    let restored = restore(&ada, &backup).await;
    assert_eq!((&restored["state"], &restored["reason"]), (&json!("done"), &json!(null)));
    assert_eq!(scene.rows().await, "1,2,3");
    assert_eq!(scene.text("select (to_regclass('public.later') is null)::text").await, "true");
    assert_eq!(std::fs::read_to_string(scene.files.join("one")).unwrap(), "four");

    // A restore does not change the console's data, the keys or the database's settings.
    assert_eq!(cy.get("/session").await.json()["operator"]["email"], "cy@example.test");
    let log = ada.get("/audit?limit=200").await.json().to_string();
    for words in ["invitation, read_only", " begun", " restored"] {
        assert!(log.contains(words), "{words} in {log}");
    }
    assert_eq!(std::fs::read(world.folder().join("keys.json")).unwrap(), keys);
    assert_eq!(scene.text("select current_setting('work_mem')").await, "5MB");
    assert_eq!(scene.text("select current_setting('search_path')").await, {
        "\"$user\", public, extensions"
    });

    // The restore leaves no temporary database or folder, and the project owns its tables.
    until_nothing_is_left(&scene, &world).await;
    let answer = ada.post("/query", json!({"query": "alter table kept add column n int"})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    until_served(&ada).await;

    // The backup that the restore made of the replaced database brings its rows and files back.
    let list = ada.get("/backups").await.json()["backups"].clone();
    let before = list.as_array().unwrap().iter().find(|one| one["origin"] == "restore").unwrap();
    assert_eq!(restore(&ada, before).await["state"], "done");
    assert_eq!(scene.rows().await, "1,2,3,4");
    assert_eq!(std::fs::read_to_string(scene.files.join("three")).unwrap(), "later");
    scene.stack.stop().await;
}

/// Waits until the temporary databases and folders of a restore are removed. That is after its last
/// step, so it may be done for the console before.
async fn until_nothing_is_left(scene: &Scene, world: &World) {
    let is_left = |folder: &str| world.folder().join(folder).exists();
    while scene.temporary_databases().await != "0"
        || is_left("restore")
        || is_left("storage/~restore")
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until rest/v1 has loaded the schema of the restored database.
async fn until_served(browser: &Browser<'_>) {
    loop {
        let answer = browser.get("/services/rest/v1/kept?select=id,n").await;
        if answer.status == 200 {
            return assert_eq!(answer.json().as_array().unwrap().len(), 3);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn restore_that_fails_leaves_the_live_database() {
    let world = World::of_somebody_else().await;
    let scene = Scene::start(&world).await;
    let ada = scene.owner().await;
    let backup = make(&ada).await;
    scene.run("insert into public.kept values (4)").await;
    let file = world.folder().join("backups").join(backup["name"].as_str().unwrap());
    let file_bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &file_bytes[..file_bytes.len() / 2]).unwrap();
    let failed = restore(&ada, &backup).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(!failed["reason"].as_str().unwrap().is_empty());
    assert_eq!(scene.rows().await, "1,2,3,4");
    assert_eq!(scene.temporary_databases().await, "0");
    assert!(!world.folder().join("restore").exists());

    // The file is complete again, but the installation has another secret than the backup.
    std::fs::write(&file, &file_bytes).unwrap();
    let keys = world.folder().join("keys.json");
    let text = std::fs::read_to_string(&keys).unwrap();
    let mut changed: Value = serde_json::from_str(&text).unwrap();
    changed["app_secret"] = json!("0".repeat(64));
    std::fs::write(&keys, changed.to_string()).unwrap();
    let failed = restore(&ada, &backup).await;
    assert!(failed["reason"].as_str().unwrap().contains("APP_SECRET"), "{failed}");
    assert_eq!(scene.rows().await, "1,2,3,4");
    std::fs::write(&keys, text).unwrap();
    assert_eq!(restore(&ada, &backup).await["state"], "done");
    assert_eq!(scene.rows().await, "1,2,3");
    scene.stack.stop().await;
}

#[tokio::test]
async fn database_that_was_given_is_not_replaced() {
    let world = World::of_somebody_else().await;
    let bin_dir = std::env::var_os("PG_BINDIR").map(|folder| folder.into_string().unwrap());
    let mut variables = vec![("CONSOLE", "loopback")];
    variables.extend(bin_dir.as_deref().map(|folder| ("PG_BINDIR", folder)));
    let stack = world.start(&[], &variables).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let backup = make(&ada).await;
    let path = format!("/backups/{}/restore", backup["id"].as_str().unwrap());
    let body = json!({"password": PASSWORD, "project": "localhost"});
    let answer = ada.send(Method::POST, &path, Some(body), &[]).await;
    assert_eq!(answer.json()["error"]["code"], "restore_impossible", "{}", answer.text());
    stack.stop().await;
}
