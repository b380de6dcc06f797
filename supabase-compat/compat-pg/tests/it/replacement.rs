//! A database that replaces the served one while clients use it.

use std::sync::Arc;
use std::time::Duration;

use compat_pg::embedded::ReplacementDatabase;
use compat_pg::{ConnectConfig, EmbeddedConfig, EmbeddedPostgres, OwnerDb, Pools};
use sqlx::{Connection as _, PgConnection};

use crate::world::{Folder, bin_dir, script, value};

/// How often the database is replaced: the clients meet the moment of the swap by chance.
const SWAPS: i32 = 3;
/// Clients that connect all the time.
const CLIENTS: usize = 8;

const VERSION: &str = "select version from public.state";

async fn connect(url: &str) -> OwnerDb {
    Pools::connect(&ConnectConfig::new(url)).await.unwrap().owner
}

/// Connects until the database has this version. From then on nothing may fail.
async fn meet(url: String, pool: OwnerDb, version: i32) {
    loop {
        let Ok(mut session) = PgConnection::connect(&url).await else { continue };
        let found = sqlx::query_scalar(VERSION).fetch_one(&mut session).await;
        if !found.is_ok_and(|found: i32| found == version) {
            continue;
        }
        assert_eq!(value::<i32>(&pool, VERSION).await, version, "the pool has the new database");
        // A client that the swap may still end is ended within this time.
        tokio::time::sleep(Duration::from_millis(150)).await;
        let again: i32 = sqlx::query_scalar(VERSION).fetch_one(&mut session).await.unwrap();
        assert_eq!(again, version);
        return;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn swap_ends_no_session_of_the_new_database() {
    let folder = Folder::new("swap");
    let config = EmbeddedConfig { bin_dir: bin_dir(), ..EmbeddedConfig::throwaway(folder.path()) };
    let server = EmbeddedPostgres::start(config).await.unwrap();
    let url = server.owner_url().to_owned();
    let pool = connect(&url).await;
    script(&pool, "create table public.state (version int); insert into public.state values (0)")
        .await;
    for version in 1..=SWAPS {
        let replacement = Arc::new(ReplacementDatabase::create(&url).await.unwrap());
        let filled = connect(replacement.url()).await;
        script(&filled, "create table public.state (version int)").await;
        script(&filled, &format!("insert into public.state values ({version})")).await;
        filled.close().await;
        let clients: Vec<_> =
            (0..CLIENTS).map(|_| tokio::spawn(meet(url.clone(), pool.clone(), version))).collect();
        replacement.take_place(&pool).await.unwrap();
        for client in clients {
            client.await.unwrap();
        }
        replacement.remove().await.unwrap();
    }
    pool.close().await;
    server.stop().await;
}
