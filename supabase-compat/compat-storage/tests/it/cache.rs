//! The cache of small public objects, in two processes with one database.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use compat_storage::{Config, State, run_cache};
use compat_testkit::call;
use http::Request;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::world::World;

/// A second process of the service.
struct Process {
    router: Router,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Process {
    fn start(world: &World) -> Self {
        let (pools, stop) = (world.db.pools(), CancellationToken::new());
        let (environment, bytes) = (world.personas.environment(), Arc::new(world.store()));
        let state = State::new(environment, pools.acting.clone(), bytes, Config::default());
        let router = compat_storage::router(state.clone());
        let listener = pools.owner.listener().clone();
        let task = tokio::spawn(run_cache(state, listener, stop.clone()));
        Self { router, stop, task }
    }

    async fn read(&self) -> (u16, String) {
        let request = Request::get("/object/public/open/ada/a").body(Body::empty()).unwrap();
        let answer = call(&self.router, request).await;
        (answer.status.as_u16(), answer.text().to_owned())
    }

    /// Reads until the response comes from the cache: the file is moved away during a read.
    async fn read_until_kept(&self, world: &World, expected: &str) {
        loop {
            assert_eq!(self.read().await, (200, expected.to_owned()));
            let file = only_file(world);
            let away = file.with_extension("away");
            std::fs::rename(&file, &away).unwrap();
            let (status, _) = self.read().await;
            std::fs::rename(&away, &file).unwrap();
            if status == 200 {
                return;
            }
            pause().await;
        }
    }

    async fn read_until(&self, is_so: impl Fn(&(u16, String)) -> bool) {
        while !is_so(&self.read().await) {
            pause().await;
        }
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(10)).await;
}

fn only_file(world: &World) -> PathBuf {
    let folder = world.folder().join("open/ada/a");
    let mut files = std::fs::read_dir(folder).unwrap();
    files.next().unwrap().unwrap().path()
}

#[tokio::test]
async fn changed_objects_leave_every_process_cache() {
    let world = World::furnished().await;
    let (one, other) = (Process::start(&world), Process::start(&world));
    let ada = || world.personas.as_user("ada");
    let both = [&one, &other];
    assert_eq!(world.put("open/ada/a", ada(), "first").await.status, 200);
    for process in both {
        process.read_until_kept(&world, "first").await;
    }
    // A new version, put by a third process without a cache.
    let upsert = crate::world::and(ada(), &[("x-upsert", "true")]);
    assert_eq!(world.put("open/ada/a", upsert, "second").await.status, 200);
    for process in both {
        process.read_until(|(status, text)| (*status, text.as_str()) == (200, "second")).await;
        process.read_until_kept(&world, "second").await;
    }
    world.sql("update storage.buckets set public = false where id = 'open'").await;
    for process in both {
        process.read_until(|(status, _)| *status == 400).await;
    }
    world.sql("update storage.buckets set public = true where id = 'open'").await;
    for process in both {
        process.read_until_kept(&world, "second").await;
    }
    // The cached object gets another name.
    world.sql("update storage.objects set name = 'ada/b'").await;
    for process in both {
        process.read_until(|(status, _)| *status == 400).await;
    }
    world.sql("update storage.objects set name = 'ada/a'").await;
    for process in both {
        process.read_until_kept(&world, "second").await;
    }
    let delete = "set storage.allow_delete_query = 'true'; delete from storage.objects";
    world.sql(delete).await;
    for process in both {
        process.read_until(|(status, _)| *status == 400).await;
    }
    one.end().await;
    other.end().await;
}

#[tokio::test]
async fn a_process_never_serves_its_own_changes_stale() {
    let world = World::furnished().await;
    let process = Process::start(&world);
    let service = world.personas.as_service();
    assert_eq!(world.put("open/ada/a", service.clone(), "0").await.status, 200);
    process.read_until_kept(&world, "0").await;
    for round in 1..30 {
        let mut request = Request::put("/object/open/ada/a").header("content-type", "text/plain");
        for (name, value) in &service {
            request = request.header(*name, value);
        }
        let answer = call(&process.router, request.body(round.to_string().into()).unwrap()).await;
        assert_eq!(answer.status, 200);
        assert_eq!(process.read().await, (200, round.to_string()));
    }
    process.end().await;
}

#[tokio::test]
async fn cache_is_bypassed_after_missed_notifications() {
    let world = World::furnished().await;
    let process = Process::start(&world);
    assert_eq!(world.put("open/ada/a", world.personas.as_service(), "x").await.status, 200);
    process.read_until_kept(&world, "x").await;
    // Changes while no process listens are never notified.
    world
        .sql(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity
            where datname = current_database() and query ilike 'listen%';
            alter table storage.buckets disable trigger all;
            update storage.buckets set public = false;
            alter table storage.buckets enable trigger all",
        )
        .await;
    process.read_until(|(status, _)| *status == 400).await;
    process.end().await;
}
