//! The number of round trips that requests take, counted by a proxy on the socket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use compat_pg::{ActingConfig, ActingDb, TransactionOptions};
use compat_testkit::TestDatabase;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use crate::world::{Folder, identity, statement, text, value};

#[tokio::test]
async fn every_request_costs_one_round_trip() {
    let db = TestDatabase::empty().await;
    let folder = Folder::new("round-trips");
    let turns = count_turns(&db, folder.path()).await;
    let url = format!(
        "postgresql://authenticator@{}/{}",
        folder.path().display().to_string().replace('/', "%2F"),
        db.name()
    );
    let config = ActingConfig { max_connections: 1, ..ActingConfig::default() };
    let acting = ActingDb::new(&url, None, &config).unwrap();
    let cost = async |options: TransactionOptions<'_>, sql: &str| {
        let before = turns.load(Ordering::SeqCst);
        let rows = acting.run_in(&options, &identity("anon"), statement(sql, &[])).await.unwrap();
        assert_eq!(text(&rows), "x");
        turns.load(Ordering::SeqCst) - before
    };
    let plain = TransactionOptions::default();
    let checked = TransactionOptions { before: Some("select 1"), ..plain };
    cost(plain, "select 'x'").await;
    for sql in ["select 'x'", "select 'x' as new"] {
        for _ in 0..2 {
            assert_eq!(cost(plain, sql).await, 1);
            assert_eq!(cost(checked, sql).await, 1, "with a procedure before it, too");
        }
    }
    let caller = identity("anon");
    let before = turns.load(Ordering::SeqCst);
    let mut work = acting.begin(&checked, &caller);
    for _ in 0..3 {
        work.run(statement("select 'x'", &[])).await.unwrap();
    }
    work.commit().await.unwrap();
    assert_eq!(turns.load(Ordering::SeqCst) - before, 4, "one for each statement and the end");
    acting.close();
}

/// Opens a socket in the folder that forwards to the cluster's socket. The counter increases
/// whenever the client sends after the server has.
async fn count_turns(db: &TestDatabase, folder: &Path) -> Arc<AtomicUsize> {
    let directory: String =
        value(&db.pools().owner, "select current_setting('unix_socket_directories')").await;
    let target = PathBuf::from(directory.trim_matches('"')).join(".s.PGSQL.5432");
    let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = turns.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = UnixStream::connect(&target).await.unwrap();
            tokio::spawn(pass(client, server, counted.clone()));
        }
    });
    turns
}

async fn pass(mut client: UnixStream, mut server: UnixStream, turns: Arc<AtomicUsize>) {
    let (mut requests, mut responses) = (vec![0; 65536], vec![0; 65536]);
    let mut servers_turn = false;
    loop {
        tokio::select! {
            read = client.read(&mut requests) => match read {
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    if !servers_turn {
                        turns.fetch_add(1, Ordering::SeqCst);
                        servers_turn = true;
                    }
                    server.write_all(&requests[..length]).await.unwrap();
                }
            },
            read = server.read(&mut responses) => match read {
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    servers_turn = false;
                    client.write_all(&responses[..length]).await.unwrap();
                }
            }
        }
    }
}
