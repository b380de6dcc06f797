//! `pg_cron`: scheduled commands, in UTC, each run once among all processes.
//!
//! `cron.job_due_times` contains the next time of each job. The process that advances it runs the job.
//! A process that is killed meanwhile leaves a run with the status `running`, which is recorded as
//! failed when the job starts again.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_http::Clock;
use compat_pg::{OwnerDb, PgError};
use croner::Cron as Pattern;
use futures_util::StreamExt as _;
use sqlx::{AssertSqlSafe, Executor as _};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The longest pause between two polls, if no job is due earlier.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// The pause before a due job is tried again while an earlier run of it is not finished.
const BEHIND: Duration = Duration::from_millis(250);
/// How many jobs run at once, each in its own session.
const AT_ONCE: usize = 8;
/// The pause between two attempts while the database is unavailable.
const PAUSE: Duration = Duration::from_secs(1);
/// How long details of runs are kept.
const KEPT: TimeDelta = TimeDelta::days(7);

/// Runs the scheduled jobs of a database.
#[derive(Clone)]
pub struct Cron {
    owner: OwnerDb,
    clock: Clock,
    sessions: Arc<Semaphore>,
}

/// A job that is due.
#[derive(Debug, sqlx_macros::FromRow)]
struct DueJob {
    jobid: i64,
    schedule: String,
    command: String,
    username: String,
}

/// When a job runs.
#[derive(Debug)]
enum Schedule {
    Every(TimeDelta),
    At(Box<Pattern>),
}

impl Schedule {
    /// Parses a schedule in the format of `cron.schedule`; `None` if it is invalid.
    fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [count, unit] = words.as_slice()
            && unit.to_lowercase().starts_with("second")
        {
            let seconds: i64 = count.parse().ok()?;
            return (1..60).contains(&seconds).then(|| Self::Every(TimeDelta::seconds(seconds)));
        }
        // In `pg_cron`, `$` means the last day of the month.
        let text = words.join(" ").replace('$', "L");
        Pattern::from_str(&text).ok().map(|pattern| Self::At(Box::new(pattern)))
    }

    fn after(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Self::Every(time) => Some(now + *time),
            Self::At(pattern) => pattern.find_next_occurrence(&now, false).ok(),
        }
    }
}

impl Cron {
    /// Creates a runner for the jobs of this database.
    pub fn new(owner: OwnerDb, clock: Clock) -> Self {
        Self { owner, clock, sessions: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Runs jobs until cancelled, then waits for the running ones.
    pub async fn run(self, cancelled: CancellationToken) {
        let mut subscription = self.owner.listener().subscribe("cron");
        let running = TaskTracker::new();
        while !cancelled.is_cancelled() {
            let pause = match self.start_due_jobs(&running).await {
                Ok(next) => self.until(next),
                Err(error) => {
                    tracing::warn!(%error, "cannot read the pg_cron jobs; retrying");
                    PAUSE
                }
            };
            tokio::select! {
                () = cancelled.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
                _ = subscription.next() => {}
            }
        }
        running.close();
        running.wait().await;
    }

    fn until(&self, next: Option<DateTime<Utc>>) -> Duration {
        let Some(next) = next else { return LONGEST_SLEEP };
        let wait = (next - self.clock.now()).to_std().unwrap_or_default();
        wait.clamp(BEHIND, LONGEST_SLEEP)
    }

    /// Plans new jobs and starts due ones; returns when the next job is due.
    async fn start_due_jobs(
        &self,
        running: &TaskTracker,
    ) -> Result<Option<DateTime<Utc>>, PgError> {
        self.plan().await?;
        for due in self.take().await? {
            let cron = self.clone();
            running.spawn(async move { cron.execute(due).await });
        }
        let mut owner = self.owner.connection().await?;
        let next = sqlx::query_scalar("select min(next_at) from cron.job_due_times");
        Ok(next.fetch_one(&mut *owner).await?)
    }

    /// Sets the next time of each job that is new, has changed, or was activated; deletes the times
    /// of others.
    async fn plan(&self) -> Result<(), PgError> {
        let now = self.clock.now();
        let mut owner = self.owner.begin().await?;
        sqlx::query(
            "delete from cron.job_due_times as t using cron.job as j
             where j.jobid = t.jobid and (not j.active or j.schedule <> t.schedule)",
        )
        .execute(&mut *owner)
        .await?;
        let new: Vec<(i64, String)> = sqlx::query_as(
            "select j.jobid, j.schedule from cron.job as j
             where j.active and not exists (select from cron.job_due_times as t where t.jobid = j.jobid)",
        )
        .fetch_all(&mut *owner)
        .await?;
        for (job, schedule) in new {
            let Some(next) = Schedule::read(&schedule).and_then(|read| read.after(now)) else {
                tracing::warn!(job, schedule, "pg_cron job will never run");
                // If it stayed active, it would be planned and cause a warning at every poll.
                sqlx::query("update cron.job set active = false where jobid = $1")
                    .bind(job)
                    .execute(&mut *owner)
                    .await?;
                continue;
            };
            // Another process may have planned the job meanwhile; that plan stays.
            sqlx::query(
                "insert into cron.job_due_times (jobid, schedule, next_at) values ($1, $2, $3)
                 on conflict (jobid) do nothing",
            )
            .bind(job)
            .bind(&schedule)
            .bind(next)
            .execute(&mut *owner)
            .await?;
        }
        sqlx::query("delete from cron.job_run_details where start_time < $1")
            .bind(now - KEPT)
            .execute(&mut *owner)
            .await?;
        owner.commit().await
    }

    /// Claims the due jobs and advances each to its next time. A job that still runs is not
    /// claimed.
    async fn take(&self) -> Result<Vec<DueJob>, PgError> {
        let now = self.clock.now();
        let mut owner = self.owner.begin().await?;
        // `skip locked` gives a due job to one process. A running job's session holds the same
        // advisory lock, so a job that still runs is not claimed.
        let due: Vec<DueJob> = sqlx::query_as(
            "with due as materialized (
                 select t.jobid, t.next_at
                 from cron.job_due_times as t
                 where t.next_at <= $1
                 for update skip locked
             )
             select j.jobid, j.schedule, j.command, j.username
             from due
             inner join cron.job as j on j.jobid = due.jobid and cron._may_run(j.username)
             where pg_try_advisory_xact_lock(hashtextextended('cron.job', due.jobid))
             order by due.next_at",
        )
        .bind(now)
        .fetch_all(&mut *owner)
        .await?;
        for one in &due {
            let next = Schedule::read(&one.schedule).and_then(|read| read.after(now));
            sqlx::query("update cron.job_due_times set next_at = $2 where jobid = $1")
                .bind(one.jobid)
                .bind(next.unwrap_or(now + TimeDelta::days(365)))
                .execute(&mut *owner)
                .await?;
        }
        owner.commit().await?;
        Ok(due)
    }

    async fn execute(self, due: DueJob) {
        if let Err(error) = self.try_execute(&due).await {
            tracing::warn!(job = due.jobid, %error, "cannot record the outcome of a pg_cron job");
        }
    }

    /// Runs the command in its own session, one run of a job at a time.
    async fn try_execute(&self, due: &DueJob) -> Result<(), PgError> {
        // The semaphore is never closed.
        let _permit = self.sessions.acquire().await;
        let mut session = self.owner.session().await?;
        let is_free: bool =
            sqlx::query_scalar("select pg_try_advisory_lock(hashtextextended('cron.job', $1))")
                .bind(due.jobid)
                .fetch_one(&mut session)
                .await?;
        // An earlier run takes longer than the interval of the job.
        if !is_free {
            return Ok(());
        }
        let run: i64 = sqlx::query_scalar(
            "with ended as (
                 update cron.job_run_details
                 set status = 'failed', return_message = 'server restarted', end_time = $4
                 where jobid = $1 and status = 'running'
             )
             insert into cron.job_run_details (jobid, job_pid, database, username, command, status, start_time)
             values ($1, pg_backend_pid(), current_database(), $2, $3, 'running', $4)
             returning runid",
        )
        .bind(due.jobid)
        .bind(&due.username)
        .bind(&due.command)
        .bind(self.clock.now())
        .fetch_one(&mut session)
        .await?;
        // The command is the project's own, and runs as the role that scheduled it.
        sqlx::query(
            "select set_config('session_authorization', $1, false) where current_user <> $1",
        )
        .bind(&due.username)
        .execute(&mut session)
        .await?;
        let done = session.execute(AssertSqlSafe(due.command.clone())).await;
        drop(session);
        let (status, message) = match done {
            Ok(done) => ("succeeded", format!("{} rows", done.rows_affected())),
            Err(error) => ("failed", PgError::from(error).to_string()),
        };
        let mut owner = self.owner.connection().await?;
        sqlx::query(
            "update cron.job_run_details set status = $2, return_message = $3, end_time = $4 where runid = $1",
        )
        .bind(run)
        .bind(status)
        .bind(message)
        .bind(self.clock.now())
        .execute(&mut *owner)
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(schedule: &str, now: &str) -> Option<String> {
        let now: DateTime<Utc> = now.parse().expect("a time");
        Schedule::read(schedule)?.after(now).map(|next| next.to_rfc3339())
    }

    #[test]
    fn schedules_are_those_of_the_original() {
        let now = "2026-11-23T10:20:30Z";
        let after = |schedule| next(schedule, now);
        assert_eq!(after("30 3 * * 6").as_deref(), Some("2026-11-28T03:30:00+00:00"));
        assert_eq!(after("*/5 * * * *").as_deref(), Some("2026-11-23T10:25:00+00:00"));
        assert_eq!(after("0 12 $ * *").as_deref(), Some("2026-11-30T12:00:00+00:00"));
        assert_eq!(after("0 0 13 * 5").as_deref(), Some("2026-11-27T00:00:00+00:00"), "either day");
        assert_eq!(after("@daily").as_deref(), Some("2026-11-24T00:00:00+00:00"));
        assert_eq!(after("5 seconds").as_deref(), Some("2026-11-23T10:20:35+00:00"));
        for wrong in ["", "60 seconds", "0 seconds", "* * *", "61 * * * *", "tomorrow"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }
}
