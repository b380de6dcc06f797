//! Backups: their list, making, downloading, checking and removing them, and the schedule.

use std::time::Duration;

use compat_console::{
    BackupObstacle, CommandBackup, ConsoleState, record_backup, run_backups_once,
};
use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};

use crate::world::{Browser, OWNER, PASSWORD, World, of, refusal};

const HOUR: Duration = Duration::from_secs(60 * 60);

pub async fn make(owner: &Browser<'_>) -> TestResponse {
    owner.post("/backups", json!({"place": "folder"})).await
}

/// The list of backups once no work is running.
pub async fn settled(world: &World, browser: &Browser<'_>) -> Vec<Value> {
    settle(&world.state).await;
    let answer = browser.get("/backups").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["backups"].as_array().unwrap().clone()
}

pub async fn settle(state: &ConsoleState) {
    state.work().close();
    state.work().wait().await;
}

fn files(world: &World) -> usize {
    std::fs::read_dir(&world.backups.folder).map_or(0, Iterator::count)
}

#[tokio::test]
async fn backup_is_made_listed_fetched_and_removed() {
    let world = World::new().await;
    let owner = world.owner().await;
    let new_backup = make(&owner).await;
    assert_eq!(new_backup.status, 202, "{}", new_backup.text());
    let id = new_backup.json()["id"].as_str().unwrap().to_owned();
    let list = settled(&world, &owner).await;
    assert_eq!(list.len(), 1);
    let backup = &list[0];
    assert_eq!((&backup["id"], &backup["state"]), (&json!(id), &json!("done")), "{backup}");
    assert_eq!((&backup["origin"], &backup["made_by"]), (&json!("console"), &json!(OWNER)));
    let name = backup["name"].as_str().unwrap();
    let bytes = std::fs::read(world.backups.folder.join(name)).unwrap();
    assert_eq!(backup["bytes"], bytes.len());
    let overview = owner.get("/overview").await.json();
    assert_eq!(overview["last_backup"], backup["ended_at"]);

    let address = owner.post(&format!("/backups/{id}/download"), json!({})).await.json();
    let path = address["url"].as_str().unwrap().strip_prefix("/console/api").unwrap().to_owned();
    let content = owner.get(&path).await;
    assert_eq!(content.status, 200, "{}", content.text());
    assert_eq!(content.header("content-length"), bytes.len().to_string());
    assert!(content.header("content-disposition").contains(name));
    assert!(content.body == bytes, "the file itself");

    assert_eq!(owner.delete(&format!("/backups/{id}")).await.status, 204);
    assert_eq!(settled(&world, &owner).await, Vec::<Value>::new());
    assert_eq!(files(&world), 0);
    let answer = owner.delete(&format!("/backups/{id}")).await;
    assert_eq!(refusal(&answer), of(404, "backup_not_found"));
    let notes =
        world.text("select string_agg(summary, ',' order by id) from _console.audit_log").await;
    let notes = notes.unwrap();
    for word in ["backup to folder begun", "downloaded", "removed"] {
        assert!(notes.contains(word), "{word} in {notes}");
    }
}

#[tokio::test]
async fn backups_are_managed_by_owners_only() {
    let world = World::new().await;
    let owner = world.owner().await;
    let id = make(&owner).await.json()["id"].as_str().unwrap().to_owned();
    settle(&world.state).await;
    for (role, email) in [("developer", "dev@example.test"), ("read_only", "eye@example.test")] {
        let browser = world.invited(&owner, role, email).await;
        let list = browser.get("/backups").await.json();
        assert_eq!(list["backups"].as_array().unwrap().len(), 1, "{role}");
        for (method, path) in [
            (Method::POST, "/backups".to_owned()),
            (Method::DELETE, format!("/backups/{id}")),
            (Method::POST, format!("/backups/{id}/check")),
            (Method::POST, format!("/backups/{id}/restore")),
            (Method::POST, format!("/backups/{id}/download")),
            (Method::GET, format!("/backups/{id}/content?token=x")),
            (Method::PUT, "/backup-schedule".to_owned()),
        ] {
            let body = json!({
                "place": "folder", "rhythm": "off", "password": PASSWORD, "project": "shop",
            });
            let body = (method != Method::GET).then_some(body);
            let answer = browser.send(method.clone(), &path, body, &[]).await;
            assert_eq!(refusal(&answer), of(403, "forbidden"), "{role} {method} {path}");
        }
    }
}

#[tokio::test]
async fn download_address_is_its_operators_for_a_minute() {
    let world = World::new().await;
    let owner = world.owner().await;
    let other = world.invited(&owner, "owner", "eve@example.test").await;
    let id = make(&owner).await.json()["id"].as_str().unwrap().to_owned();
    settle(&world.state).await;
    let address = owner.post(&format!("/backups/{id}/download"), json!({})).await.json();
    let path = address["url"].as_str().unwrap().strip_prefix("/console/api").unwrap().to_owned();
    assert_eq!(refusal(&world.browser().get(&path).await), of(401, "not_signed_in"));
    assert_eq!(refusal(&other.get(&path).await), of(410, "download_expired"));
    assert_eq!(owner.get(&path).await.status, 200);
    let foreign = format!("/backups/{id}/content?token=AAAA");
    assert_eq!(refusal(&owner.get(&foreign).await), of(410, "download_expired"));
    world.personas.advance(Duration::from_secs(61));
    assert_eq!(refusal(&owner.get(&path).await), of(410, "download_expired"));
}

#[tokio::test]
async fn backup_is_checked_and_says_what_it_holds() {
    let world = World::new().await;
    let owner = world.owner().await;
    let id = make(&owner).await.json()["id"].as_str().unwrap().to_owned();
    settle(&world.state).await;
    assert_eq!(owner.post(&format!("/backups/{id}/check"), json!({})).await.status, 202);
    let list = settled(&world, &owner).await;
    let check = &list[0]["check"];
    assert_eq!(check["state"], "done", "{check}");
    assert!(check["contents"]["tables"].as_i64().unwrap() >= 6, "{check}");

    let name = list[0]["name"].as_str().unwrap();
    std::fs::write(world.backups.folder.join(name), "cut off").unwrap();
    owner.post(&format!("/backups/{id}/check"), json!({})).await;
    let check = &settled(&world, &owner).await[0]["check"];
    assert_eq!((&check["state"], &check["contents"]), (&json!("failed"), &Value::Null));
    assert!(check["reason"].as_str().unwrap().contains("pg_restore"), "{check}");
}

#[tokio::test]
async fn failed_backup_says_why_and_is_a_warning() {
    let world = World::new().await;
    let owner = world.owner().await;
    std::fs::create_dir_all(world.backups.folder.parent().unwrap()).unwrap();
    std::fs::write(&world.backups.folder, "no folder").unwrap();
    assert_eq!(make(&owner).await.status, 202);
    settle(&world.state).await;
    let list = settled(&world, &owner).await;
    assert_eq!(list[0]["state"], "failed");
    assert!(!list[0]["reason"].as_str().unwrap().is_empty());
    let overview = owner.get("/overview").await.json();
    assert_eq!(overview["last_backup"], Value::Null);
    assert_eq!(overview["last_failed_backup"], list[0]["ended_at"]);
    let warnings = owner.get("/warnings").await.json();
    let names: Vec<_> =
        warnings["warnings"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert!(names.contains(&json!("last_backup_failed")), "{warnings}");
    assert!(world.state.backup_figures().last_failure.is_some());
}

#[tokio::test]
async fn place_without_programs_or_a_target_is_refused() {
    let world = World::new().await;
    let owner = world.owner().await;
    let answer = owner.post("/backups", json!({"place": "s3"})).await;
    assert_eq!(refusal(&answer), of(422, "no_backup_place"));
    *world.backups.obstacle.lock().unwrap() = Some(BackupObstacle::NoPrograms);
    assert_eq!(refusal(&make(&owner).await), of(409, "backup_impossible"));
    assert_eq!(owner.get("/backups").await.json()["obstacle"], "no_programs");
    assert_eq!(settled(&world, &owner).await, Vec::<Value>::new());
}

fn daily(minute: i64) -> Value {
    json!({
        "rhythm": "day", "minute": minute, "time_zone": "Europe/Paris", "place": "folder",
        "keep_count": 1, "keep_days": null,
    })
}

#[tokio::test]
async fn two_processes_make_one_scheduled_backup() {
    let world = World::new().await;
    let owner = world.owner().await;
    let answer = owner.put("/backup-schedule", daily(3 * 60)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let second = ConsoleState::new(world.config.clone());
    assert_eq!(run_backups_once(&world.state).await.unwrap(), 0, "it is not due");
    world.personas.advance(24 * HOUR);
    let (one, other) = tokio::join!(run_backups_once(&world.state), run_backups_once(&second));
    assert_eq!(one.unwrap() + other.unwrap(), 1);
    settle(&second).await;
    let browser = world.signed_in().await;
    let list = settled(&world, &browser).await;
    let states: Vec<_> = list.iter().map(|one| (&one["origin"], &one["state"])).collect();
    assert_eq!(states, [(&json!("schedule"), &json!("done"))]);

    world.personas.advance(24 * HOUR);
    assert_eq!(run_backups_once(&world.state).await.unwrap(), 1);
    settle(&world.state).await;
    let browser = world.signed_in().await;
    let left = settled(&world, &browser).await;
    assert_eq!((left.len(), files(&world)), (1, 1), "one is to be kept");
    assert_ne!(left[0]["id"], list[0]["id"]);
}

#[tokio::test]
async fn schedule_follows_the_clock_of_its_time_zone() {
    let world = World::new().await;
    let owner = world.owner().await;
    let schedule = json!({
        "rhythm": "week", "weekday": 7, "minute": 3 * 60 + 30, "time_zone": "Asia/Kolkata",
        "place": "folder", "keep_days": 30,
    });
    let answer = owner.put("/backup-schedule", schedule).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let next = world
        .text(
            "select to_char(next_at at time zone 'Asia/Kolkata', 'ID HH24:MI')
            from _console.backup_schedule where next_at > now() and next_at < now() + interval '8 days'",
        )
        .await;
    assert_eq!(next.as_deref(), Some("7 03:30"));
    let schedule = owner.get("/backups").await.json()["schedule"].clone();
    assert_eq!((&schedule["rhythm"], &schedule["keep_days"]), (&json!("week"), &json!(30)));
    assert_eq!(owner.put("/backup-schedule", json!({"rhythm": "off"})).await.status, 200);
    assert_eq!(owner.get("/backups").await.json()["schedule"], Value::Null);
}

#[tokio::test]
async fn schedules_that_are_none_are_refused() {
    let world = World::new().await;
    let owner = world.owner().await;
    for (field, value) in [
        ("minute", json!(1440)),
        ("minute", json!(-1)),
        ("minute", Value::Null),
        ("time_zone", json!("Nowhere/Town")),
        ("time_zone", json!("'; drop table x")),
        ("weekday", json!(0)),
        ("keep_count", json!(0)),
        ("keep_days", json!(100_000)),
    ] {
        let mut schedule = daily(60);
        schedule[field] = value.clone();
        let answer = owner.put("/backup-schedule", schedule).await;
        assert_eq!(refusal(&answer), of(422, "invalid_schedule"), "{field} {value}");
    }
    let mut schedule = daily(60);
    schedule["place"] = json!("s3");
    assert_eq!(refusal(&owner.put("/backup-schedule", schedule).await), of(422, "no_backup_place"));
    assert_eq!(owner.get("/backups").await.json()["schedule"], Value::Null);
}

#[tokio::test]
async fn backup_of_a_lost_process_is_given_up() {
    let world = World::with(
        "insert into _console.backups (id, name, place, origin, made_by, version, state, started_at, lease_until)
        values (gen_random_uuid(), 'x.backup', 'folder', 'console', '', '0', 'running', now(), now() + interval '1 minute')",
    )
    .await;
    let owner = world.owner().await;
    std::fs::create_dir_all(&world.backups.folder).unwrap();
    std::fs::write(world.backups.folder.join("x.backup"), "half").unwrap();
    assert_eq!(refusal(&make(&owner).await), of(409, "backup_runs"));
    world.personas.advance(Duration::from_secs(121));
    assert_eq!(run_backups_once(&world.state).await.unwrap(), 1);
    let list = settled(&world, &owner).await;
    assert_eq!(list[0]["state"], "failed");
    assert_eq!(files(&world), 0, "what it left is removed");
    assert_eq!(make(&owner).await.status, 202);
    settle(&world.state).await;
}

#[tokio::test]
async fn command_backup_is_listed_without_a_download() {
    let world = World::new().await;
    let owner = world.owner().await;
    let environment = world.personas.environment();
    let now = environment.clock.now();
    let backup = CommandBackup {
        name: "before.backup",
        version: "0.1.0",
        outcome: Ok(42),
        started_at: now,
        ended_at: now,
    };
    let entropy = &environment.entropy;
    assert!(record_backup(&world.db.pools().owner, entropy, &backup).await.unwrap());
    let list = settled(&world, &owner).await;
    assert_eq!((&list[0]["origin"], &list[0]["bytes"]), (&json!("command"), &json!(42)));
    let id = list[0]["id"].as_str().unwrap();
    let fetched = owner.post(&format!("/backups/{id}/download"), json!({})).await;
    assert_eq!(refusal(&fetched), of(404, "backup_not_found"));
    assert_eq!(owner.delete(&format!("/backups/{id}")).await.status, 204);
}
