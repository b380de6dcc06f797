//! Tests of scheduled jobs. The tests' clock stands still until it is advanced.

use std::time::Duration;

use compat_extensions::cron::Cron;
use compat_testkit::{Personas, TestDatabase};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::world::{database, refusal, run, text_of, until};

/// A database whose scheduled jobs are run.
struct World {
    db: TestDatabase,
    personas: Personas,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl World {
    async fn new() -> Self {
        let (db, personas) = (database().await, Personas::new());
        run(&db, "create table public.done (what text)").await.unwrap();
        let stop = CancellationToken::new();
        let cron = Cron::new(db.pools().owner.clone(), personas.clock().clone());
        let running = tokio::spawn(cron.run(stop.clone()));
        Self { db, personas, stop, running }
    }

    /// Schedules a job and waits until it is planned.
    async fn schedule(&self, name: &str, schedule: &str, command: &str) {
        let script = format!("select cron.schedule('{name}', '{schedule}', $job${command}$job$)");
        run(&self.db, &script).await.unwrap();
        let planned =
            "select count(*) from cron.job_due_times as t inner join cron.job as j using (jobid)";
        until(&self.db, &format!("{planned} where jobname = '{name}'"), "1").await;
    }

    async fn later(&self, seconds: u64) {
        self.personas.advance(Duration::from_secs(seconds));
        run(&self.db, "notify cron").await.unwrap();
    }

    async fn end(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

const RUNS: &str =
    "select string_agg(concat_ws(' ', jobname, status, return_message), ';' order by runid)
    from cron.job_run_details inner join cron.job using (jobid) where status <> 'running'";

#[tokio::test]
async fn job_runs_at_each_of_its_times() {
    let world = World::new().await;
    world.schedule("quick", "30 seconds", "insert into public.done values ('quick')").await;
    world.schedule("slow", "* * * * *", "insert into public.done values ('slow')").await;
    let count = "select count(*) from public.done where what = ";
    world.later(30).await;
    until(&world.db, &format!("{count}'quick'"), "1").await;
    world.later(60).await;
    until(&world.db, &format!("{count}'quick'"), "2").await;
    until(&world.db, &format!("select ({count}'slow') > 0"), "true").await;
    until(&world.db, "select bool_and(status = 'succeeded') from cron.job_run_details", "true")
        .await;
    world.end().await;
}

#[tokio::test]
async fn failed_job_is_recorded_and_runs_again() {
    let world = World::new().await;
    let command = "insert into public.done values ('half'); select 1 / 0";
    world.schedule("wrong", "1 second", command).await;
    world.later(1).await;
    until(&world.db, "select count(*) from cron.job_run_details where end_time is not null", "1")
        .await;
    let runs = text_of(&world.db, RUNS).await;
    assert!(runs.starts_with("wrong failed") && runs.contains("division by zero"), "{runs}");
    assert_eq!(text_of(&world.db, "select count(*) from public.done").await, "0", "all or nothing");
    world.later(1).await;
    until(&world.db, "select count(*) from cron.job_run_details where status = 'failed'", "2")
        .await;
    world.end().await;
}

#[tokio::test]
async fn unscheduled_and_inactive_jobs_stop_running() {
    let world = World::new().await;
    let command = "insert into public.done values ('off')";
    for name in ["one", "other"] {
        world.schedule(name, "1 second", command).await;
    }
    run(
        &world.db,
        "select cron.unschedule('one');
         select cron.alter_job((select jobid from cron.job where jobname = 'other'), active => false)",
    )
    .await
    .unwrap();
    world.schedule("last", "1 second", "insert into public.done values ('last')").await;
    until(&world.db, "select count(*) from cron.job_due_times", "1").await;
    world.later(1).await;
    until(&world.db, "select string_agg(what, ' ') from public.done", "last").await;
    let refusal_text = refusal(&world.db, "select cron.unschedule('one')").await;
    assert!(refusal_text.contains("could not find valid entry for job 'one'"), "{refusal_text}");
    world.end().await;
}

#[tokio::test]
async fn long_job_never_overlaps_itself() {
    let world = World::new().await;
    let command = "insert into public.done values ('long'); select pg_sleep(0.6)";
    world.schedule("long", "1 second", command).await;
    world.later(1).await;
    until(&world.db, "select count(*) from cron.job_run_details where status = 'running'", "1")
        .await;
    world.later(1).await;
    until(&world.db, "select count(*) from cron.job_run_details where status = 'succeeded'", "2")
        .await;
    let overlapping = "select count(*) from cron.job_run_details as a
        inner join cron.job_run_details as b on b.runid > a.runid and b.start_time < a.end_time";
    assert_eq!(text_of(&world.db, overlapping).await, "0");
    world.end().await;
}

#[tokio::test]
async fn schedules_and_people_that_are_none_are_refused() {
    let db = database().await;
    for schedule in ["tomorrow", "60 seconds", "0 seconds", "* * * *", ""] {
        let refusal_text =
            refusal(&db, &format!("select cron.schedule('a', '{schedule}', 'select 1')")).await;
        assert!(refusal_text.contains("invalid schedule"), "{schedule}: {refusal_text}");
    }
    let other = "select cron.schedule_in_database('a', '* * * * *', 'select 1', current_database(), 'anon')";
    assert!(refusal(&db, other).await.contains("Jobs run as the role that migrates only"));
    let elsewhere = "select cron.schedule_in_database('a', '* * * * *', 'select 1', 'postgres')";
    assert!(refusal(&db, elsewhere).await.contains("Jobs run in this database only"));
    assert_eq!(text_of(&db, "select count(*) from cron.job").await, "0");
}

#[tokio::test]
async fn job_of_anybody_else_is_never_run() {
    let world = World::new().await;
    run(
        &world.db,
        "insert into cron.job (schedule, command, username, jobname)
         values ('1 second', $$insert into public.done values ('else')$$, 'anon', 'else')",
    )
    .await
    .unwrap();
    world.schedule("own", "1 second", "insert into public.done values ('own')").await;
    world.later(1).await;
    until(&world.db, "select string_agg(what, ' ') from public.done", "own").await;
    assert_eq!(
        text_of(&world.db, "select count(*) from cron.job_run_details where username = 'anon'")
            .await,
        "0"
    );
    world.end().await;
}
