//! The worker loop around a handler.

use std::sync::Mutex;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{ClaimedJob, JobOutcome, OwnerConfig, OwnerDb, Queue, QueueCounts, QueueRules};
use compat_testkit::TestDatabase;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::{LEASE, noon, put, queue};
use crate::world::{script, value};

const SOON: Duration = Duration::from_secs(20);

/// Rules without retry delays, because the clock of these tests stands still.
fn rules() -> QueueRules {
    QueueRules { first_pause: Duration::ZERO, ..QueueRules::default() }
}

/// Works until the handler has returned all `outcomes`; returns the jobs it was called with.
async fn work_through(
    queue: &Queue,
    rules: &QueueRules,
    outcomes: Vec<JobOutcome>,
) -> Vec<ClaimedJob> {
    let (stop, stopped) = oneshot::channel::<()>();
    let (count, state) = (outcomes.len(), Mutex::new((Some(stop), Vec::new())));
    let handler = async |job: ClaimedJob| {
        let mut state = state.lock().unwrap();
        let outcome = outcomes[state.1.len()].clone();
        state.1.push(job);
        if state.1.len() == count {
            state.0.take().unwrap().send(()).unwrap();
        }
        outcome
    };
    let stop = async { stopped.await.unwrap() };
    timeout(SOON, queue.work(rules, noon, handler, stop)).await.unwrap();
    state.into_inner().unwrap().1
}

async fn reason(db: &TestDatabase) -> String {
    value(&db.pools().owner, "select reason from public.jobs").await
}

#[tokio::test]
async fn new_job_wakes_an_idle_worker() {
    let (db, queue) = queue().await;
    let (done, mut events) = mpsc::unbounded_channel();
    let handler = async |job: ClaimedJob| {
        done.send(job.kind).unwrap();
        JobOutcome::Done
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let rules = rules();
    let working = queue.work(&rules, noon, handler, async { stopped.await.unwrap() });
    let test = async {
        // Polling may find the first job; an idle worker finds the others only by a notification.
        for kind in ["first", "second", "third"] {
            put(&db, &queue, kind, noon()).await;
            assert_eq!(timeout(SOON, events.recv()).await.unwrap().unwrap(), kind);
            while queue.counts().await.unwrap().waiting > 0 {
                tokio::task::yield_now().await;
            }
        }
        stop.send(()).unwrap();
    };
    tokio::join!(working, test);
}

#[tokio::test]
async fn polling_waits_for_the_jobs_connection() {
    let (db, _) = queue().await;
    let config = OwnerConfig { max_connections: 1, acquire_timeout: SOON * 2 };
    let owner = OwnerDb::new(&db.url_as("postgres"), &config).unwrap();
    let queue = Queue::new(owner.clone(), "public.jobs");
    let (held, mut holds) = mpsc::unbounded_channel();
    let (go_on, may_go_on) = watch::channel(false);
    let handler = async |job: ClaimedJob| {
        let work = owner.begin().await.unwrap();
        held.send(job.kind).unwrap();
        let mut may_go_on = may_go_on.clone();
        may_go_on.wait_for(|may| *may).await.unwrap();
        work.commit().await.unwrap();
        JobOutcome::Done
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let rules = rules();
    let working = queue.work(&rules, noon, handler, async { stopped.await.unwrap() });
    let test = async {
        put(&db, &queue, "first", noon()).await;
        assert_eq!(holds.recv().await.unwrap(), "first");
        // This uses another pool, because the first job holds the only connection.
        let others = Queue::new(db.pools().owner.clone(), "public.jobs");
        put(&db, &others, "second", noon()).await;
        // The poll now waits for the connection, which only the job releases.
        tokio::time::sleep(Duration::from_millis(200)).await;
        go_on.send(true).unwrap();
        assert_eq!(holds.recv().await.unwrap(), "second");
        while others.counts().await.unwrap().waiting > 0 {
            tokio::task::yield_now().await;
        }
        stop.send(()).unwrap();
    };
    timeout(SOON, async { tokio::join!(working, test) }).await.expect("nobody stalls");
    owner.close().await;
}

#[tokio::test]
async fn failing_job_is_given_up_after_its_attempts() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let busy = || JobOutcome::Retry("451 busy".to_owned());
    let rules = QueueRules { attempts: 3, ..rules() };
    let attempts_seen = work_through(&queue, &rules, vec![busy(), busy(), busy()]).await;
    assert_eq!(attempts_seen.iter().map(|job| job.attempts).collect::<Vec<_>>(), [1, 2, 3]);
    let counts = queue.counts().await.unwrap();
    assert_eq!(counts, QueueCounts { waiting: 0, failed: 1, oldest_due: None });
    assert_eq!(reason(&db).await, "451 busy");
}

#[tokio::test]
async fn hopeless_job_is_given_up_at_once() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let permanent_failure = JobOutcome::GiveUp("550 no such mailbox".to_owned());
    assert_eq!(work_through(&queue, &rules(), vec![permanent_failure]).await.len(), 1);
    assert_eq!(reason(&db).await, "550 no such mailbox");
}

#[tokio::test]
async fn failed_job_waits_for_its_pause() {
    let (db, queue) = queue().await;
    put(&db, &queue, "mail", noon()).await;
    let rules = QueueRules { first_pause: Duration::from_secs(90), ..rules() };
    work_through(&queue, &rules, vec![JobOutcome::Retry("451 busy".to_owned())]).await;
    let due: DateTime<Utc> = value(&db.pools().owner, "select due_at from public.jobs").await;
    assert_eq!(due, noon() + Duration::from_secs(90));
}

#[tokio::test]
async fn handler_panic_fails_only_its_job() {
    let (db, queue) = queue().await;
    put(&db, &queue, "bomb", noon()).await;
    put(&db, &queue, "mail", noon()).await;
    let (done, mut events) = mpsc::unbounded_channel();
    let handler = async |job: ClaimedJob| {
        assert!(job.kind != "bomb" || job.attempts > 1, "bang");
        done.send((job.kind, job.attempts)).unwrap();
        JobOutcome::Done
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let rules = rules();
    let working = queue.work(&rules, noon, handler, async { stopped.await.unwrap() });
    let test = async {
        let mut both = Vec::new();
        for _ in 0..2 {
            both.push(timeout(SOON, events.recv()).await.unwrap().unwrap());
        }
        both.sort();
        assert_eq!(both, [("bomb".to_owned(), 2), ("mail".to_owned(), 1)]);
        stop.send(()).unwrap();
    };
    tokio::join!(working, test);
    assert_eq!(queue.counts().await.unwrap().waiting, 0);
}

#[tokio::test]
async fn handler_that_outlives_its_lease_loses_the_job() {
    let (db, queue) = queue().await;
    put(&db, &queue, "slow", noon()).await;
    let (stop, stopped) = oneshot::channel::<()>();
    let stop = Mutex::new(Some(stop));
    let handler = async |job: ClaimedJob| {
        if job.attempts == 1 {
            std::future::pending::<()>().await;
        }
        stop.lock().unwrap().take().unwrap().send(()).unwrap();
        JobOutcome::GiveUp("seen".to_owned())
    };
    let rules = QueueRules { lease: Duration::from_millis(50), ..rules() };
    let working = queue.work(&rules, noon, handler, async { stopped.await.unwrap() });
    timeout(SOON, working).await.unwrap();
    let attempts: i32 = value(&db.pools().owner, "select attempts from public.jobs").await;
    assert_eq!(attempts, 2);
}

#[tokio::test]
async fn exhausted_job_is_given_up_without_another_attempt() {
    let (db, queue) = queue().await;
    put(&db, &queue, "poison", noon()).await;
    script(&db.pools().owner, "update public.jobs set attempts = 10").await;
    let (stop, stopped) = oneshot::channel::<()>();
    let working = tokio::spawn({
        let queue = queue.clone();
        async move {
            let never = async |_| panic!("it was tried again");
            queue.work(&rules(), noon, never, async { stopped.await.unwrap() }).await;
        }
    });
    while queue.counts().await.unwrap().failed == 0 {
        tokio::task::yield_now().await;
    }
    stop.send(()).unwrap();
    timeout(SOON, working).await.unwrap().unwrap();
    assert_eq!(reason(&db).await, "its worker was lost every time");
}

#[tokio::test]
async fn stop_finishes_the_current_job_and_claims_none() {
    let (db, queue) = queue().await;
    for kind in ["one", "two"] {
        put(&db, &queue, kind, noon()).await;
    }
    let (started, mut events) = mpsc::unbounded_channel();
    let (go, resumed) = oneshot::channel::<()>();
    let resumed = tokio::sync::Mutex::new(Some(resumed));
    let handler = async |job: ClaimedJob| {
        started.send(job.kind).unwrap();
        resumed.lock().await.take().unwrap().await.unwrap();
        JobOutcome::Done
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let rules = QueueRules { at_once: 1, ..rules() };
    let working = queue.work(&rules, noon, handler, async { stopped.await.unwrap() });
    let test = async {
        assert_eq!(timeout(SOON, events.recv()).await.unwrap().unwrap(), "one");
        stop.send(()).unwrap();
        tokio::task::yield_now().await;
        go.send(()).unwrap();
    };
    tokio::join!(working, test);
    let left = queue.claim(noon(), LEASE, 10).await.unwrap();
    assert_eq!(super::kinds(&left), ["two"]);
}
