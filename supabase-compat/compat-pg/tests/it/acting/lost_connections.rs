//! Callers that disconnect, lost connections, and an exhausted pool.

use std::task::{Context, Waker};
use std::time::Duration;

use compat_pg::{ActingConfig, ActingDb, Identity, Owner, PgError};
use compat_testkit::TestDatabase;
use tokio::task::JoinHandle;

use super::relay::{NEXT, Relay};
use super::{ADA, BOB, READ, count_notes, notes, person};
use crate::world::{acting, identity, run, script, statement, text, value};

/// Takes the first lock, then waits for the second.
const STUCK: &str = "with first as materialized (select pg_advisory_xact_lock(1))
    select pg_advisory_xact_lock(2)::text from first";

/// The process id of the session that a pool of one connection uses.
async fn session(acting: &ActingDb) -> String {
    text(&acting.query_raw("select pg_backend_pid()::text", &[]).await.unwrap())
}

/// Waits until a session waits for the second lock of [`STUCK`] and so holds the first.
async fn until_stuck(db: &TestDatabase) {
    let waiting = "select exists (select from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and l.objid = 2 and not l.granted
          and d.datname = current_database())";
    while !value::<bool>(&db.pools().owner, waiting).await {
        tokio::task::yield_now().await;
    }
}

/// A transaction that holds the second lock, and a caller's request that waits for it in [`STUCK`].
async fn stuck(db: &TestDatabase, acting: &ActingDb) -> (Owner, JoinHandle<Result<(), PgError>>) {
    let mut lock = db.pools().owner.begin().await.unwrap();
    run(&mut lock, "select pg_advisory_xact_lock(2)").await.unwrap();
    let theirs = acting.clone();
    let request = tokio::spawn(async move {
        theirs.run(&identity("anon"), statement(STUCK, &[])).await.map(|_| ())
    });
    until_stuck(db).await;
    (lock, request)
}

#[tokio::test]
async fn dropped_request_ends_its_transaction_at_the_server() {
    let db = notes().await;
    for prepared_statements in [true, false] {
        let acting = acting(&db, |config| config.prepared_statements = prepared_statements);
        let before = session(&acting).await;
        for _ in 0..2 {
            let (lock, request) = stuck(&db, &acting).await;
            request.abort();
            assert!(request.await.unwrap_err().is_cancelled());
            // The first lock becomes free when the abandoned transaction has ended, although the
            // second is never granted to it.
            let mut after = db.pools().owner.begin().await.unwrap();
            let freed = run(&mut after, "select pg_advisory_xact_lock(1)");
            tokio::time::timeout(Duration::from_secs(20), freed).await.unwrap().unwrap();
            after.rollback().await.unwrap();
            lock.rollback().await.unwrap();
            let read = statement(READ, &[]);
            assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
            assert_eq!(session(&acting).await, before, "the connection was kept");
        }
    }
}

#[tokio::test]
async fn request_dropped_before_any_answer_ends_its_transaction() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let caller = identity("anon");
    let before = session(&acting).await;
    for _ in 0..2 {
        // The connection has prepared the statement, so that everything is sent in one write.
        acting.run(&caller, statement(STUCK, &[])).await.unwrap();
        let mut lock = db.pools().owner.begin().await.unwrap();
        run(&mut lock, "select pg_advisory_xact_lock(2)").await.unwrap();
        {
            let mut request = std::pin::pin!(acting.run(&caller, statement(STUCK, &[])));
            // After one poll everything is sent and nothing is answered.
            let mut context = Context::from_waker(Waker::noop());
            assert!(request.as_mut().poll(&mut context).is_pending());
            assert_eq!(acting.status().available, 0);
        }
        // The first lock is free whether the statement was cancelled before or during its wait.
        let mut after = db.pools().owner.begin().await.unwrap();
        let freed = run(&mut after, "select pg_advisory_xact_lock(1)");
        tokio::time::timeout(Duration::from_secs(20), freed).await.unwrap().unwrap();
        after.rollback().await.unwrap();
        lock.rollback().await.unwrap();
        let read = statement(READ, &[]);
        assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
        assert_eq!(session(&acting).await, before, "the connection was kept");
    }
}

#[tokio::test]
async fn full_pool_refuses_after_the_agreed_wait() {
    let db = TestDatabase::empty().await;
    let acting = acting(&db, |config| config.acquire_timeout = Duration::from_secs(1));
    let (lock, first) = stuck(&db, &acting).await;
    let second = acting.run(&identity("anon"), statement("select 'x'", &[])).await.unwrap_err();
    assert!(matches!(second, PgError::PoolTimeout), "{second}");
    assert!(second.is_unavailable());
    lock.rollback().await.unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(
        text(&acting.run(&identity("anon"), statement("select 'x'", &[])).await.unwrap()),
        "x"
    );
}

#[tokio::test]
async fn connection_the_server_ends_is_replaced() {
    let db = TestDatabase::empty().await;
    let acting = acting(&db, |_| {});
    let (_gate, stuck) = stuck(&db, &acting).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    script(&db.pools().owner, end).await;
    let error = stuck.await.unwrap().unwrap_err();
    assert!(matches!(error, PgError::Unavailable(_)), "{error}");
    assert_eq!(
        text(&acting.run(&identity("anon"), statement("select 'x'", &[])).await.unwrap()),
        "x"
    );
}

/// Terminates every connection of the idle pool.
async fn end_connections(db: &TestDatabase) {
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    script(&db.pools().owner, end).await;
    let backends = "select count(*) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    while value::<i64>(&db.pools().owner, backends).await > 0 {}
}

#[tokio::test]
async fn pooled_connection_lost_while_idle_is_replaced() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let insert = "insert into public.notes values ($1, null, 'x')";
    for number in ["10", "11", "12"] {
        let reader = Identity { read_only: true, ..person(ADA) };
        assert_eq!(text(&acting.run(&reader, statement(READ, &[])).await.unwrap()), "of ada");
        end_connections(&db).await;
        let params = [Some(number)];
        acting.run(&identity("anon"), statement(insert, &params)).await.unwrap();
        end_connections(&db).await;
    }
    assert_eq!(count_notes(&db).await, 5, "each was written once");
}

#[tokio::test]
async fn abandoned_requests_do_not_affect_the_next_caller() {
    let db = notes().await;
    let acting = acting(&db, |config| config.max_connections = 2);
    let slow = statement("select pg_sleep(0.002)::text || 'slow'", &[]);
    let read = statement(READ, &[]);
    for time_limit in 0..200 {
        let bob = person(BOB);
        let abandoned = acting.run(&bob, slow);
        let time_limit = Duration::from_micros(time_limit * 40);
        // The request may or may not finish in time; the next caller must not notice either way.
        drop(tokio::time::timeout(time_limit, abandoned).await);
        assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
    }
    let open: i64 = value(
        &db.pools().owner,
        "select count(*) from pg_stat_activity
         where datname = current_database() and usename = 'authenticator'",
    )
    .await;
    assert!(open <= 2, "{open} connections where two are allowed");
}

#[tokio::test]
async fn late_cancellation_does_not_hit_the_next_statement() {
    let db = notes().await;
    let relay = Relay::start(&db).await;
    let config = ActingConfig { max_connections: 1, ..ActingConfig::default() };
    let acting = ActingDb::new(&relay.url(&db, "authenticator"), None, &config).unwrap();
    let (lock, request) = stuck(&db, &acting).await;
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    // The statement ends by itself before its cancellation arrives.
    lock.rollback().await.unwrap();
    let next = format!("select pg_sleep(0.1)::text || '{NEXT}'");
    assert_eq!(text(&acting.run(&identity("anon"), statement(&next, &[])).await.unwrap()), NEXT);
    assert_eq!(relay.cancellations(), 1);
}

#[tokio::test]
async fn old_or_idle_connection_is_replaced() {
    let db = TestDatabase::empty().await;
    let new_connections = acting(&db, |_| {});
    assert_eq!(session(&new_connections).await, session(&new_connections).await);
    let old = acting(&db, |config| config.max_lifetime = Duration::ZERO);
    assert_ne!(session(&old).await, session(&old).await);
    let idle = acting(&db, |config| config.max_idle = Duration::ZERO);
    assert_ne!(session(&idle).await, session(&idle).await);
}

#[tokio::test]
async fn server_that_is_not_there_is_unavailable() {
    let acting = ActingDb::new(
        "postgresql://authenticator@%2Fnowhere%2Fat%2Fall/postgres",
        None,
        &ActingConfig::default(),
    );
    let refusal = acting.unwrap().run(&identity("anon"), statement("select 1", &[])).await;
    assert!(matches!(refusal, Err(PgError::Unavailable(_))));
}
