//! Readiness and metrics on the operator's port.

use std::time::Duration;

use crate::world::{World, ask, read, until};

const LOCK: &str = "select pg_catalog.pg_advisory_lock(4711)";

/// Finds a session that waits for the lock.
const WAITED: &str = "select 1 from pg_catalog.pg_locks where locktype = 'advisory' \
                      and objid = 4711 and not granted and database = (select oid from \
                      pg_catalog.pg_database where datname = current_database())";

#[tokio::test]
async fn busy_pool_is_ready_all_the_same() {
    let world = World::new().await;
    let variables = [("PGRST_DB_POOL", "1"), ("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "60")];
    let stack = world.start(&[], &variables).await;
    let operators = stack.operators_router();
    until(&operators, "/ready", |status, _| status == 200).await;
    let mut holder = world.database.pools().owner.begin().await.unwrap();
    sqlx::raw_sql(LOCK).execute(&mut *holder).await.unwrap();
    let acting = stack.pools.acting.clone();
    let busy = tokio::spawn(async move { acting.query_raw(LOCK, &[]).await });
    while sqlx::raw_sql(WAITED).execute(&mut *holder).await.unwrap().rows_affected() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(read(&operators, "/ready").await, (200, String::new()));
    holder.rollback().await.unwrap();
    sqlx::raw_sql("select pg_catalog.pg_advisory_unlock_all()")
        .execute(&mut *world.database.pools().owner.begin().await.unwrap())
        .await
        .unwrap();
    busy.abort();
    stack.stop().await;
}

#[tokio::test]
async fn failing_task_makes_readiness_fail() {
    let world = World::new().await;
    let stack = world.start(&["--only", "auth", "functions"], &[]).await;
    let operators = stack.operators_router();
    assert_eq!(read(&operators, "/ready").await, (200, String::new()));
    stack.spawn("mourned", || async { panic!("on purpose") });
    let reason = until(&operators, "/ready", |status, _| status == 503).await;
    assert_eq!(reason, "background work keeps failing: mourned");
    assert_eq!(read(&operators, "/live").await.0, 200);
    let metrics = read(&operators, "/metrics").await.1;
    assert!(metrics.contains("background_task_restarts_total{task=\"mourned\"}"), "{metrics}");
    stack.stop().await;
}

#[tokio::test]
async fn refused_database_login_makes_readiness_fail() {
    let world = World::new().await;
    let url = world.database.url_as("somebody_who_is_not_there");
    let stack = world.start(&["--only", "auth", "functions"], &[("PGRST_DB_URI", &url)]).await;
    let (status, reason) = read(&stack.operators_router(), "/ready").await;
    assert_eq!(status, 503);
    assert!(!reason.is_empty());
    stack.stop().await;
}

#[tokio::test]
async fn metrics_refuse_a_foreign_host_header() {
    let world = World::new().await;
    let stack = world.start(&["--only", "auth", "functions"], &[]).await;
    let operators = stack.operators_router();
    let foreign = ask(&operators, "/metrics", &[("host", "evil.example:8001")]).await;
    let local = ask(&operators, "/metrics", &[("host", "127.0.0.1:8001")]).await;
    assert_eq!((foreign.status.as_u16(), local.status.as_u16()), (404, 200));
    stack.stop().await;
    let open = world.start(&["--only", "auth", "functions", "--admin-host", "0.0.0.0"], &[]).await;
    let named = ask(&open.operators_router(), "/metrics", &[("host", "monitored:8001")]).await;
    assert_eq!(named.status, 200, "whoever opens it says so");
    open.stop().await;
}
