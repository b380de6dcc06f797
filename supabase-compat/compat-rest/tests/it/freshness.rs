//! The schema cache: loading, reloading, and responses before the first load.

use std::time::Duration;

use compat_pg::{ActingDb, Pools, prepare_project};
use compat_rest::{Config, State};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::library::{Library, config};

#[tokio::test]
async fn requests_before_the_first_load_get_503() {
    let library = Library::open().await;
    let state =
        State::new(library.environment(), library.database.pools().acting.clone(), config());
    assert!(!state.is_ready());
    let answer = library.ask_of(&compat_rest::router(state), "GET", "/shelves").await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "1"));
    assert_eq!(
        answer.json(),
        json!({
            "code": "PGRST002",
            "message": "Could not query the database for the schema cache. Retrying.",
            "details": null,
            "hint": null
        })
    );
}

#[tokio::test]
async fn a_notification_brings_new_tables_into_view() {
    let library = Library::open().await;
    let stop = CancellationToken::new();
    let fresh = tokio::spawn(library.state.clone().keep_schema_fresh(stop.clone()));
    library.sql("create table library.pamphlets (id integer primary key); grant select on library.pamphlets to anon").await;
    let visible = tokio::time::timeout(Duration::from_secs(30), async {
        loop {
            let loads = library.state.metrics().schema_cache_loads;
            library.sql("notify pgrst, 'reload schema'").await;
            if library.get("/pamphlets").await.status.as_u16() == 200 {
                return;
            }
            while library.state.metrics().schema_cache_loads == loads {
                tokio::task::yield_now().await;
            }
        }
    });
    visible.await.expect("the new table is seen");
    assert_eq!(library.rows("/pamphlets").await, json!([]));
    stop.cancel();
    fresh.await.expect("the task ends");
}

#[tokio::test]
async fn schema_changes_are_seen_without_a_reload() {
    let library = Library::with(Config { schemas: vec!["public".into()], ..config() }).await;
    prepare_project(&library.database.pools().owner).await.expect("a project");
    let stop = CancellationToken::new();
    let fresh = tokio::spawn(library.state.clone().keep_schema_fresh(stop.clone()));
    let until = async |status: u16| {
        while library.get("/pamphlets").await.status.as_u16() != status {
            tokio::task::yield_now().await;
        }
    };
    let visible = tokio::time::timeout(Duration::from_secs(30), async {
        let loads = library.state.metrics().schema_cache_loads;
        // The first load is the task's own; the second shows that the task listens.
        while library.state.metrics().schema_cache_loads < loads + 2 {
            library.sql("notify pgrst").await;
        }
        library.sql("create table public.pamphlets (id integer primary key)").await;
        until(200).await;
        library.sql("drop table public.pamphlets").await;
        until(404).await;
    });
    visible.await.expect("the table is seen, and seen to go");
    stop.cancel();
    fresh.await.expect("the task ends");
}

#[tokio::test]
async fn change_before_the_first_listen_is_seen() {
    let library = Library::open().await;
    let database = &library.database;
    let limit_connections = async |limit: i32| {
        library.sql(&format!("alter database {} connection limit {limit}", database.name())).await;
    };
    // The limit does not apply to superusers, so the listening connection must be authenticator's.
    let login = database.url_as("authenticator");
    let acting = ActingDb::new(&login, None, &database.connect_config().acting).expect("a pool");
    let state = State::new(library.environment(), acting, config());
    state.load().await.expect("the schema cache loads");
    // The loads have their connections by now; the listening connection is refused.
    limit_connections(0).await;
    let stop = CancellationToken::new();
    let fresh = tokio::spawn(state.clone().keep_schema_fresh(stop.clone()));
    while state.metrics().schema_cache_loads < 2 {
        tokio::task::yield_now().await;
    }
    library.sql("create table library.pamphlets (id integer primary key)").await;
    library.sql("grant select on library.pamphlets to anon").await;
    limit_connections(-1).await;
    let router = compat_rest::router(state);
    let visible = tokio::time::timeout(Duration::from_secs(30), async {
        while library.ask_of(&router, "GET", "/pamphlets").await.status.as_u16() != 200 {
            tokio::task::yield_now().await;
        }
    });
    visible.await.expect("the new table is seen");
    stop.cancel();
    fresh.await.expect("the task ends");
}

#[tokio::test]
async fn lost_connection_returns_503_then_recovers() {
    let library = Library::open().await;
    library.rows("/shelves").await;
    library
        .sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
        .await;
    // Each pooled connection may fail once.
    for _ in 0..=library.state.metrics().pool.max {
        let answer = library.get("/shelves").await;
        if answer.status.as_u16() == 200 {
            return;
        }
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "1"));
    }
    panic!("the service did not recover");
}

#[tokio::test]
async fn pool_timeout_is_reported() {
    let library = Library::open().await;
    let mut connect = library.database.connect_config();
    connect.acting.max_connections = 1;
    connect.acting.acquire_timeout = Duration::from_secs(2);
    let pools = Pools::connect(&connect).await.expect("a pool of one");
    let state = State::new(library.environment(), pools.acting, config());
    state.load().await.expect("the cache loads");
    let router = compat_rest::router(state.clone());
    let mut holder = library.database.pools().owner.begin().await.expect("a transaction");
    sqlx::query("select pg_advisory_xact_lock(7)").execute(&mut *holder).await.expect("the lock");
    let (first, second) =
        tokio::join!(library.ask_of(&router, "POST", "/rpc/wait_for_its_turn"), async {
            let waiting = "select count(*) from pg_stat_activity where wait_event = 'advisory' \
                           and datname = current_database()";
            while library.number(waiting).await == 0 {
                tokio::task::yield_now().await;
            }
            let refusal = library.ask_of(&router, "GET", "/shelves").await;
            drop(holder);
            refusal
        });
    assert_eq!(
        (second.status.as_u16(), second.json()),
        (
            504,
            json!({
                "code": "PGRST003",
                "message": "Timed out acquiring connection from connection pool.",
                "details": null,
                "hint": null
            })
        )
    );
    assert_eq!((first.status.as_u16(), first.json()), (200, json!(true)));
    assert_eq!(state.metrics().pool_timeouts, 1);
}

#[tokio::test]
async fn requests_continue_during_schema_cache_reload() {
    let library = Library::open().await;
    let mut holder = library.database.pools().owner.begin().await.expect("a transaction");
    sqlx::query("lock table pg_catalog.pg_description in access exclusive mode")
        .execute(&mut *holder)
        .await
        .expect("the lock");
    let state = library.state.clone();
    let load = tokio::spawn(async move { state.load().await });
    let blocked = "select count(*) from pg_locks where not granted \
                   and relation = 'pg_catalog.pg_description'::regclass \
                   and database = (select oid from pg_database where datname = current_database())";
    while library.number(blocked).await == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(library.get("/shelves?select=id&id=eq.1").await.json(), json!([{"id": 1}]));
    assert!(!load.is_finished());
    drop(holder);
    load.await.expect("the task ends").expect("the cache loads");
}

#[tokio::test]
async fn failed_reload_keeps_the_previous_cache() {
    let library = Library::open().await;
    let loads = library.state.metrics().schema_cache_loads;
    library.sql("revoke select on pg_catalog.pg_rewrite from public").await;
    library.state.load().await.expect_err("the catalogue is closed");
    let metrics = library.state.metrics();
    assert_eq!((metrics.schema_cache_loads, metrics.schema_cache_failed_loads), (loads, 1));
    assert_eq!(library.get("/shelves?select=id&id=eq.1").await.json(), json!([{"id": 1}]));
}
