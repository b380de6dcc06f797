//! Restores: who may request one, and what is recorded. The stack tests the replacement of the live
//! database.

use std::time::Duration;

use compat_console::{RestoreObstacle, run_backups_once};
use serde_json::{Value, json};

use crate::backups::{make, settle, settled};
use crate::world::{Browser, OWNER, PASSWORD, World, of, refusal};

const TABLE: &str =
    "create table public.kept (id int primary key); insert into public.kept values (1)";

async fn rows(world: &World) -> Option<String> {
    world.text("select string_agg(id::text, ',' order by id) from public.kept").await
}

async fn restore(owner: &Browser<'_>, id: &str) -> compat_testkit::TestResponse {
    let body = json!({"password": PASSWORD, "project": "shop"});
    owner.post(&format!("/backups/{id}/restore"), body).await
}

fn by_id<'a>(list: &'a [Value], id: &str) -> &'a Value {
    list.iter().find(|backup| backup["id"] == id).unwrap()
}

/// Makes a backup of a table with one row, and then adds a row.
async fn changed_since_a_backup(world: &World, owner: &Browser<'_>) -> String {
    let id = make(owner).await.json()["id"].as_str().unwrap().to_owned();
    settle(&world.state).await;
    world.text("insert into public.kept values (2) returning id::text").await;
    id
}

#[tokio::test]
async fn restore_is_audited_and_makes_a_backup_first() {
    let world = World::with(TABLE).await;
    let owner = world.owner().await;
    let id = changed_since_a_backup(&world, &owner).await;
    let answer = restore(&owner, &id).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    let list = settled(&world, &owner).await;
    assert_eq!(rows(&world).await.as_deref(), Some("1"));
    let restored = &by_id(&list, &id)["restore"];
    assert_eq!((&restored["state"], &restored["by"]), (&json!("done"), &json!(OWNER)), "{list:?}");
    let before = list.iter().find(|backup| backup["origin"] == "restore").unwrap();
    assert_eq!((&before["state"], &before["made_by"]), (&json!("done"), &json!(OWNER)));
    let notes =
        world.text("select string_agg(summary, ',' order by id) from _console.audit_log").await;
    let notes = notes.unwrap();
    let name = by_id(&list, &id)["name"].as_str().unwrap();
    for words in [format!("restore of backup {name} begun"), format!("backup {name} restored")] {
        assert!(notes.contains(&words), "{words} in {notes}");
    }

    // The backup from before the restore can be restored, too.
    assert_eq!(restore(&owner, before["id"].as_str().unwrap()).await.status, 202);
    settle(&world.state).await;
    assert_eq!(rows(&world).await.as_deref(), Some("1,2"));
}

#[tokio::test]
async fn restore_asks_for_password_and_projects_name() {
    let world = World::with(TABLE).await;
    let owner = world.owner().await;
    let id = changed_since_a_backup(&world, &owner).await;
    let path = format!("/backups/{id}/restore");
    let wrong = json!({"password": "another password", "project": "shop"});
    assert_eq!(refusal(&owner.post(&path, wrong).await), of(403, "wrong_password"));
    for project in ["", "Shop", "shop2"] {
        let wrong = json!({"password": PASSWORD, "project": project});
        let answer = owner.post(&path, wrong).await;
        assert_eq!(refusal(&answer), of(422, "wrong_project_name"), "{project:?}");
    }
    // Waits for the rate limit, which allows few attempts.
    world.personas.advance(Duration::from_secs(10 * 60));
    let unknown = restore(&owner, "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a").await;
    assert_eq!(refusal(&unknown), of(404, "backup_not_found"));
    *world.backups.restore_obstacle.lock().unwrap() = Some(RestoreObstacle::GivenDatabase);
    assert_eq!(refusal(&restore(&owner, &id).await), of(409, "restore_impossible"));
    assert_eq!(owner.get("/backups").await.json()["restore_obstacle"], "given_database");
    settle(&world.state).await;
    assert_eq!(rows(&world).await.as_deref(), Some("1,2"), "nothing was restored");
}

#[tokio::test]
async fn restore_that_fails_changes_nothing() {
    let world = World::with(TABLE).await;
    let owner = world.owner().await;
    let id = changed_since_a_backup(&world, &owner).await;
    let list = settled(&world, &owner).await;
    let file = world.backups.folder.join(by_id(&list, &id)["name"].as_str().unwrap());
    std::fs::write(&file, "no dump").unwrap();
    assert_eq!(restore(&owner, &id).await.status, 202);
    let list = settled(&world, &owner).await;
    let failed = &by_id(&list, &id)["restore"];
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(!failed["reason"].as_str().unwrap().is_empty());
    assert_eq!(rows(&world).await.as_deref(), Some("1,2"));
    let note = "select summary from _console.audit_log where status = 409 order by id desc limit 1";
    assert!(world.text(note).await.unwrap().contains("not restored"));
}

#[tokio::test]
async fn backup_operations_are_refused_during_restore() {
    let world = World::with(TABLE).await;
    let owner = world.owner().await;
    let id = changed_since_a_backup(&world, &owner).await;
    let until = |lease: &str| {
        format!(
            "update _console.backups
            set restore_state = 'running', restore_lease_until = '{lease}'
            returning name"
        )
    };
    let (far, past) = (until("2999-01-01"), until("2000-01-01"));
    world.text(&far).await;
    let (check, remove) = (format!("/backups/{id}/check"), format!("/backups/{id}"));
    for answer in [
        make(&owner).await,
        restore(&owner, &id).await,
        owner.post(&check, json!({})).await,
        owner.delete(&remove).await,
    ] {
        assert_eq!(refusal(&answer), of(409, "backup_runs"));
    }
    // Simulates that the process of the restore is lost.
    world.text(&past).await;
    run_backups_once(&world.state).await.unwrap();
    let list = settled(&world, &owner).await;
    assert_eq!(by_id(&list, &id)["restore"]["state"], "failed");
    assert_eq!(make(&owner).await.status, 202);
    settle(&world.state).await;
}
