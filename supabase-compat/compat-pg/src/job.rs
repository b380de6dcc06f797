//! Periodic jobs: they run again and again, whether the run before succeeded or not.
//!
//! A job keeps no state between two runs, so that it may be skipped, repeated, or run by several
//! processes at once.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::{OwnerDb, PgError};

/// How often a step is tried that conflicts with another transaction.
const TRIES: u32 = 5;
/// Jobs that run more often than this log their results at DEBUG.
const QUIET_RHYTHM: Duration = Duration::from_secs(60);

/// A periodic job that runs with a state `S`.
#[derive(Debug)]
pub struct Job<S: 'static> {
    /// Its name among the background tasks and in the log.
    pub name: &'static str,
    /// How often the job runs. A longer interval only delays the effects of the job.
    pub every: Duration,
    work: Work<S>,
}

/// The state of a job that consists of one statement.
pub trait JobState {
    /// The pool that the job uses.
    fn pool(&self) -> &OwnerDb;

    /// The current time.
    fn now(&self) -> DateTime<Utc>;
}

/// A run as a function; it returns how much it changed.
type Call<S> = fn(&S) -> BoxFuture<'_, Result<u64, PgError>>;

#[derive(Debug)]
enum Work<S: 'static> {
    Call(Call<S>),
    Statement(Statement<S>),
}

/// A run as a statement, which returns how much it changed.
#[derive(Debug)]
struct Statement<S: 'static> {
    text: &'static str,
    pool: fn(&S) -> &OwnerDb,
    now: fn(&S) -> DateTime<Utc>,
    age: Option<fn(&S) -> Duration>,
    rows: Option<i32>,
}

impl<S> Job<S> {
    /// A job that calls a function.
    pub const fn new(name: &'static str, every: Duration, call: Call<S>) -> Self {
        Self { name, every, work: Work::Call(call) }
    }

    /// A job that executes a statement, which calls one procedure and returns how many rows it
    /// changed as `integer`. The statement may use `$1`, the current time.
    pub const fn sql(name: &'static str, every: Duration, statement: &'static str) -> Self
    where
        S: JobState,
    {
        let (pool, now) = (S::pool, S::now);
        let statement = Statement { text: statement, pool, now, age: None, rows: None };
        Self { name, every, work: Work::Statement(statement) }
    }

    /// Uses this pool instead of [`JobState::pool`].
    #[must_use]
    pub const fn with_pool(mut self, pool: fn(&S) -> &OwnerDb) -> Self {
        if let Work::Statement(statement) = &mut self.work {
            statement.pool = pool;
        }
        self
    }

    /// Makes `$1` the time that is `age` before now.
    #[must_use]
    pub const fn older_than(mut self, age: fn(&S) -> Duration) -> Self {
        if let Work::Statement(statement) = &mut self.work {
            statement.age = Some(age);
        }
        self
    }

    /// Repeats the statement in transactions of at most `rows` rows (`$2`), until one changes
    /// fewer.
    #[must_use]
    pub const fn in_steps_of(mut self, rows: i32) -> Self {
        if let Work::Statement(statement) = &mut self.work {
            statement.rows = Some(rows);
        }
        self
    }

    /// Runs at once and then at its interval, until cancelled, and pauses at least as long as the
    /// run took, so that a job that slows down as tables grow never occupies the database
    /// permanently. On cancellation the current run is finished; a failure is logged and retried at
    /// the next run.
    pub async fn run(&self, state: S, cancelled: CancellationToken) {
        while !cancelled.is_cancelled() {
            let start = Instant::now();
            self.run_once(&state).await;
            let pause = pause(self.every, start.elapsed());
            let _ = cancelled.run_until_cancelled(sleep(pause)).await;
        }
    }

    /// Runs once and logs a failure.
    #[tracing::instrument(name = "pg.job", skip_all, fields(job = self.name))]
    pub async fn run_once(&self, state: &S) {
        match self.work(state).await {
            Ok(0) => tracing::debug!("nothing to do"),
            Ok(changed) if is_logged_at_debug(self.every) => tracing::debug!(changed, "done"),
            Ok(changed) => tracing::info!(changed, "done"),
            Err(error) => tracing::error!(%error, "job failed; retrying at its next run"),
        }
    }

    /// Runs once; returns how much it changed.
    ///
    /// # Errors
    /// The database refuses or cannot be reached; steps that were committed before stay.
    pub async fn work(&self, state: &S) -> Result<u64, PgError> {
        match &self.work {
            Work::Call(call) => call(state).await,
            Work::Statement(statement) => statement.run(state).await,
        }
    }
}

impl<S> Statement<S> {
    async fn run(&self, state: &S) -> Result<u64, PgError> {
        let now = (self.now)(state);
        let at = self.age.map_or(now, |age| now - age(state));
        let mut all = 0;
        loop {
            let changed = self.step((self.pool)(state), at).await?;
            all += u64::try_from(changed).unwrap_or_default();
            if self.rows.is_none_or(|rows| changed < rows) {
                return Ok(all);
            }
        }
    }

    /// Runs one transaction, and repeats it after a conflict with another one. The failed attempts
    /// have changed nothing.
    async fn step(&self, pool: &OwnerDb, at: DateTime<Utc>) -> Result<i32, PgError> {
        let mut tries = 1;
        loop {
            match self.transaction(pool, at).await {
                Err(error) if error.is_conflict() && tries < TRIES => tries += 1,
                outcome => return outcome,
            }
        }
    }

    async fn transaction(&self, pool: &OwnerDb, at: DateTime<Utc>) -> Result<i32, PgError> {
        let mut owner = pool.begin().await?;
        let mut query = sqlx::query_scalar(self.text);
        // The server refuses a parameter that the text does not name.
        if self.text.contains("$1") {
            query = query.bind(at);
        }
        if let Some(rows) = self.rows {
            query = query.bind(rows);
        }
        let changed = query.fetch_one(&mut *owner).await?;
        owner.commit().await?;
        Ok(changed)
    }
}

/// Whether a job's results are logged at DEBUG: a job that runs every few seconds would fill the
/// log of a busy site.
fn is_logged_at_debug(every: Duration) -> bool {
    every < QUIET_RHYTHM
}

/// How long a job pauses after a run that took `worked`.
fn pause(every: Duration, worked: Duration) -> Duration {
    every.saturating_sub(worked).max(worked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_every_few_seconds_fill_no_log() {
        let seconds = Duration::from_secs;
        assert!([1, 5, 15, 30].map(seconds).into_iter().all(is_logged_at_debug));
        assert!(!is_logged_at_debug(seconds(60)) && !is_logged_at_debug(seconds(3_600)));
    }

    #[test]
    fn job_pauses_at_least_its_run_time() {
        let seconds = Duration::from_secs;
        assert_eq!(pause(seconds(15), seconds(0)), seconds(15));
        assert_eq!(pause(seconds(15), seconds(5)), seconds(10));
        assert_eq!(pause(seconds(15), seconds(10)), seconds(10));
        assert_eq!(pause(seconds(15), seconds(60)), seconds(60));
    }
}
