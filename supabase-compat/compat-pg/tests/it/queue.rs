//! The queue of jobs that must not be lost.

mod work;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_pg::{ClaimedJob, QUEUE_TABLE, Queue, QueueCounts};
use compat_testkit::{TestDatabase, queue_table_is_right};
use serde_json::{Value, json};
use sqlx::Connection;

use crate::world::{script, value};

const LEASE: Duration = Duration::from_secs(60);

async fn queue() -> (TestDatabase, Queue) {
    let db = TestDatabase::empty().await;
    script(&db.pools().owner, &QUEUE_TABLE.replace("{table}", "public.jobs")).await;
    let queue = Queue::new(db.pools().owner.clone(), "public.jobs");
    (db, queue)
}

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_348_800, 0).unwrap()
}

fn later(seconds: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(seconds)
}

async fn put(db: &TestDatabase, queue: &Queue, kind: &str, at: DateTime<Utc>) -> i64 {
    let mut work = db.pools().owner.begin().await.unwrap();
    let id = queue.put(&mut work, kind, &json!({"of": kind}), at).await.unwrap();
    work.commit().await.unwrap();
    id
}

fn kinds(jobs: &[ClaimedJob]) -> Vec<&str> {
    jobs.iter().map(|job| job.kind.as_str()).collect()
}

#[tokio::test]
async fn due_jobs_are_claimed_once_in_due_order() {
    let (db, queue) = queue().await;
    for (kind, at) in [("third", 2), ("first", 0), ("second", 1), ("future", 50), ("fourth", 2)] {
        put(&db, &queue, kind, later(at)).await;
    }
    assert_eq!(kinds(&queue.claim(later(3), LEASE, 2).await.unwrap()), ["first", "second"]);
    let rest = queue.claim(later(3), LEASE, 10).await.unwrap();
    assert_eq!(kinds(&rest), ["third", "fourth"]);
    assert_eq!(rest[0].payload::<Value>().unwrap(), json!({"of": "third"}));
    assert_eq!((rest[0].attempts, rest[0].put_at), (1, later(2)));
    assert!(queue.claim(later(3), LEASE, 10).await.unwrap().is_empty());
    for job in &rest {
        assert!(queue.done(job).await.unwrap());
    }
    let left = queue.counts().await.unwrap();
    assert_eq!(left, QueueCounts { waiting: 3, failed: 0, oldest_due: Some(later(50)) });
}

#[tokio::test]
async fn payload_may_hold_whatever_json_may_hold() {
    let (db, queue) = queue().await;
    let payload = json!({"text": "a\0b", "deep": [[[1e300, null]]], "é": true});
    let mut work = db.pools().owner.begin().await.unwrap();
    queue.put(&mut work, "any", &payload, noon()).await.unwrap();
    work.commit().await.unwrap();
    let job = queue.claim(noon(), LEASE, 1).await.unwrap().remove(0);
    assert_eq!(job.payload::<Value>().unwrap(), payload);
    assert!(job.payload::<u8>().is_err());
    assert!(queue.retry(&job, noon(), "the peer said \0 nothing").await.unwrap());
}

#[tokio::test]
async fn rolled_back_transaction_leaves_no_job() {
    let (db, queue) = queue().await;
    let mut work = db.pools().owner.begin().await.unwrap();
    queue.put(&mut work, "never", &(), noon()).await.unwrap();
    assert!(queue.claim(noon(), LEASE, 1).await.unwrap().is_empty(), "nor before it commits");
    work.rollback().await.unwrap();
    assert_eq!(queue.counts().await.unwrap().waiting, 0);
}

#[tokio::test]
async fn held_job_becomes_claimable_when_its_lease_ends() {
    let (db, queue) = queue().await;
    let mut work = db.pools().owner.begin().await.unwrap();
    let held = queue.put_held(&mut work, "held", &json!({}), noon(), LEASE).await.unwrap();
    let job = queue.put_held(&mut work, "lost", &json!({"of": 2}), noon(), LEASE).await.unwrap();
    work.commit().await.unwrap();
    assert!(queue.claim(later(59), LEASE, 10).await.unwrap().is_empty());
    assert!(queue.done(&held).await.unwrap());
    let found = queue.claim(later(60), LEASE, 10).await.unwrap();
    assert_eq!((kinds(&found), found[0].attempts), (vec!["lost"], 2));
    assert_eq!(found[0].payload::<Value>().unwrap(), json!({"of": 2}));
    assert!(!queue.done(&job).await.unwrap(), "it is somebody else's now");
}

#[tokio::test]
async fn two_workers_never_hold_one_job() {
    let (db, queue) = queue().await;
    let many = "insert into public.jobs (kind, payload, put_at, due_at)
        select 'mail', '{}', 'epoch', 'epoch' from generate_series(1, 300)";
    script(&db.pools().owner, many).await;
    let worker = || {
        let queue = queue.clone();
        tokio::spawn(async move {
            let mut held = Vec::new();
            loop {
                let jobs = queue.claim(noon(), LEASE, 7).await.unwrap();
                if jobs.is_empty() {
                    return held;
                }
                held.extend(jobs.iter().map(|job| job.id));
            }
        })
    };
    let mut held = Vec::new();
    for worker in [worker(), worker(), worker(), worker()] {
        held.extend(worker.await.unwrap());
    }
    held.sort_unstable();
    assert_eq!(held, (1..=300).collect::<Vec<i64>>());
}

#[tokio::test]
async fn expired_lease_makes_the_job_claimable_again() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let job = queue.claim(noon(), LEASE, 1).await.unwrap().remove(0);
    assert!(queue.claim(later(59), LEASE, 1).await.unwrap().is_empty());
    let again = queue.claim(later(60), LEASE, 1).await.unwrap().remove(0);
    assert_eq!((again.id, again.attempts), (job.id, 2));
    // The first worker was only slow: the job is no longer its own.
    assert!(!queue.done(&job).await.unwrap());
    assert!(!queue.retry(&job, noon(), "late").await.unwrap());
    assert!(!queue.give_up(&job, "late", later(61)).await.unwrap());
    assert!(queue.done(&again).await.unwrap());
    assert!(!queue.done(&again).await.unwrap());
}

#[tokio::test]
async fn interrupted_claim_leaves_the_job_due() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let options: sqlx::postgres::PgConnectOptions = db.owner_url().parse().unwrap();
    let mut dying = sqlx::PgConnection::connect_with(&options).await.unwrap();
    let claim = include_str!("../../sql/queue/claim.sql").replace("{table}", "public.jobs");
    sqlx::raw_sql("begin").execute(&mut dying).await.unwrap();
    let claimed = sqlx::query(sqlx::AssertSqlSafe(claim)).bind(noon()).bind(later(60)).bind(1_i64);
    assert_eq!(claimed.fetch_all(&mut dying).await.unwrap().len(), 1);
    assert!(queue.claim(noon(), LEASE, 1).await.unwrap().is_empty(), "nobody waits for its lock");
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'";
    script(&db.pools().owner, end).await;
    let claimed_job = loop {
        let mut claimed_job = queue.claim(noon(), LEASE, 1).await.unwrap();
        if let Some(job) = claimed_job.pop() {
            break job;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(claimed_job.attempts, 1);
}

#[tokio::test]
async fn failed_job_is_retried_or_given_up() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let job = queue.claim(noon(), LEASE, 1).await.unwrap().remove(0);
    assert!(queue.retry(&job, later(300), "451 busy").await.unwrap());
    assert!(queue.claim(later(299), LEASE, 1).await.unwrap().is_empty());
    let job = queue.claim(later(300), LEASE, 1).await.unwrap().remove(0);
    assert_eq!(job.attempts, 2);
    assert!(queue.give_up(&job, &"550 no such mailbox ".repeat(100), later(301)).await.unwrap());
    assert!(queue.claim(later(100_000), LEASE, 1).await.unwrap().is_empty());
    let counts = queue.counts().await.unwrap();
    assert_eq!(counts, QueueCounts { waiting: 0, failed: 1, oldest_due: None });
    let reason: String = value(&db.pools().owner, "select reason from public.jobs").await;
    assert_eq!((&reason[..19], reason.len()), ("550 no such mailbox", 500));
    assert_eq!(queue.forget(later(301)).await.unwrap(), 0);
    assert_eq!(queue.forget(later(302)).await.unwrap(), 1);
    assert_eq!(queue.counts().await.unwrap().failed, 0);
}

#[tokio::test]
async fn a_hundred_thousand_jobs_are_claimed_by_index() {
    let (db, _) = queue().await;
    let many = "insert into public.jobs (kind, payload, put_at, due_at, given_up_at)
        select 'mail', '{}', 'epoch', timestamptz 'epoch' + number * interval '1 second',
            case when number % 3 = 0 then timestamptz 'epoch' end
        from generate_series(1, 100000) as number;
        analyze public.jobs;";
    script(&db.pools().owner, many).await;
    let claim = include_str!("../../sql/queue/claim.sql")
        .replace("{table}", "public.jobs")
        .replace("$1", "timestamptz '2026-01-01'")
        .replace("$2", "timestamptz '2026-01-01'")
        .replace("$3", "10");
    let explain = |text: &str| format!("explain (costs off) {text}");
    for (text, index) in [
        (claim.as_str(), "Index Scan using jobs_due_at_id_idx"),
        ("select min(due_at) from public.jobs where given_up_at is null", "jobs_due_at_id_idx"),
        ("delete from public.jobs where given_up_at < 'epoch'", "jobs_given_up_at_idx"),
        ("delete from public.jobs where id = 1 and attempts = 1", "jobs_pkey"),
    ] {
        let mut work = db.pools().owner.begin().await.unwrap();
        let text = sqlx::AssertSqlSafe(explain(text));
        let plan: Vec<String> = sqlx::query_scalar(text).fetch_all(&mut *work).await.unwrap();
        let plan = plan.join("\n");
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{plan}");
    }
}

#[tokio::test]
async fn queue_table_check_detects_a_missing_column() {
    let (db, _) = queue().await;
    queue_table_is_right(&db, "public.jobs").await;
    script(&db.pools().owner, "alter table public.jobs drop column reason").await;
    let wrong = tokio::spawn(async move { queue_table_is_right(&db, "public.jobs").await });
    assert!(wrong.await.unwrap_err().is_panic());
}

#[tokio::test]
#[should_panic(expected = "is no table of a queue")]
async fn name_that_is_no_plain_table_is_refused() {
    let db = TestDatabase::empty().await;
    let _ = Queue::new(db.pools().owner.clone(), "public.jobs; drop table public.jobs");
}
