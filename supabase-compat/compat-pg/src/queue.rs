//! A durable job queue in a table.
//!
//! A job that is put in a transaction exists exactly if the transaction commits, no two workers
//! hold the same job, and a job whose worker was lost becomes available again after its lease. A
//! job may therefore run more than once, never less than once. This module does not know what a job
//! means, and callers pass the current time.
//!
//! Locks: a claim locks rows in the order of due time and number and skips locked ones (`skip
//! locked`); everything else touches one row, so no worker waits for another.

mod work;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::AssertSqlSafe;

use crate::migrate::in_table;
use crate::{NotificationListener, Owner, OwnerDb, PgError};
pub use work::{JobOutcome, QueueRules};

/// The definition of a queue's table, with `{table}` for its name. The crate that owns the schema
/// copies it into one of its migrations; `compat_testkit::queue_table_is_right` compares the two.
pub const QUEUE_TABLE: &str = include_str!("../sql/queue/table.sql");

/// The most characters of a reason that are stored. Reasons are for people; a longer one is usually
/// a page that some server answered with.
const LONGEST_REASON: usize = 500;

/// A queue over one table, shared by any number of processes. Cheap to clone.
#[derive(Clone)]
pub struct Queue {
    owner: OwnerDb,
    table: &'static str,
}

/// A job that belongs to this worker until its lease ends.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    /// Its number, for logs.
    pub id: i64,
    /// How often it was claimed, including this time.
    pub attempts: u32,
    /// The kind of job, as the owner of the queue names it.
    pub kind: String,
    /// When it was put.
    pub put_at: DateTime<Utc>,
    payload: String,
}

/// How full a queue is, for the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueCounts {
    /// Jobs that wait or run.
    pub waiting: i64,
    /// Jobs that were given up.
    pub failed: i64,
    /// The earliest due time. If it is long past, workers do not keep up, or none is running.
    pub oldest_due: Option<DateTime<Utc>>,
}

impl Queue {
    /// The queue in `table`, a plain lower-case name with its schema, for instance
    /// `auth.mail_queue`. The table has the shape of [`QUEUE_TABLE`].
    ///
    /// # Panics
    /// Panics when `table` is not such a name.
    pub fn new(owner: OwnerDb, table: &'static str) -> Self {
        let is_plain = |name: &str| {
            let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            !name.is_empty() && name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
        };
        let is_qualified =
            table.split_once('.').is_some_and(|(schema, name)| is_plain(schema) && is_plain(name));
        // The name is also that of a notification channel, which may have 63 bytes.
        assert!(is_qualified && table.len() < 64, "`{table}` is no table of a queue");
        Self { owner, table }
    }

    /// Puts a job that is due at once. The job exists, and workers are woken, when the transaction
    /// commits. Returns the job's number.
    ///
    /// # Errors
    /// [`PgError::Protocol`] for a payload that cannot be JSON; the database's refusals.
    pub async fn put(
        &self,
        work: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
        now: DateTime<Utc>,
    ) -> Result<i64, PgError> {
        let payload =
            serde_json::to_string(payload).map_err(|error| PgError::Protocol(Box::new(error)))?;
        let text = self.statement(include_str!("../sql/queue/put.sql"));
        let (id, _): (i64, String) = sqlx::query_as(text)
            .bind(kind)
            .bind(payload)
            .bind(now)
            .bind(self.table)
            .fetch_one(&mut **work)
            .await?;
        Ok(id)
    }

    /// Puts a job that the caller itself does right after the commit: until `now + lease` the
    /// caller holds it as if claimed; if the caller is lost, a worker gets it after that.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub async fn put_held(
        &self,
        work: &mut Owner,
        kind: &str,
        payload: &impl Serialize,
        now: DateTime<Utc>,
        lease: Duration,
    ) -> Result<ClaimedJob, PgError> {
        let payload =
            serde_json::to_string(payload).map_err(|error| PgError::Protocol(Box::new(error)))?;
        let id = sqlx::query_scalar(self.statement(include_str!("../sql/queue/put_held.sql")))
            .bind(kind)
            .bind(&payload)
            .bind(now)
            .bind(now + lease)
            .fetch_one(&mut **work)
            .await?;
        Ok(ClaimedJob { id, attempts: 1, kind: kind.to_owned(), put_at: now, payload })
    }

    /// Claims up to `limit` jobs that are due, the longest due first, and counts an attempt for
    /// each. Until `now + lease` no other worker gets them.
    pub async fn claim(
        &self,
        now: DateTime<Utc>,
        lease: Duration,
        limit: usize,
    ) -> Result<Vec<ClaimedJob>, PgError> {
        type ClaimedRow = (i64, i32, String, String, DateTime<Utc>, DateTime<Utc>);
        let mut rows: Vec<ClaimedRow> =
            sqlx::query_as(self.statement(include_str!("../sql/queue/claim.sql")))
                .bind(now)
                .bind(now + lease)
                .bind(i64::try_from(limit).unwrap_or(i64::MAX))
                .fetch_all(self.owner.pool())
                .await?;
        rows.sort_by_key(|(id, .., was_due)| (*was_due, *id));
        let claimed = |(id, attempts, kind, payload, put_at, _)| ClaimedJob {
            id,
            attempts: u32::try_from(attempts).unwrap_or_default(),
            kind,
            put_at,
            payload,
        };
        Ok(rows.into_iter().map(claimed).collect())
    }

    /// Deletes a job that is done. Returns false if its lease ended and another worker claimed it.
    ///
    /// # Errors
    /// The database refuses or cannot be reached; the job is then available again after its lease.
    pub async fn done(&self, job: &ClaimedJob) -> Result<bool, PgError> {
        let text = self.statement("delete from {table} where id = $1 and attempts = $2");
        let query = sqlx::query(text).bind(job.id).bind(job.attempt());
        Ok(query.execute(self.owner.pool()).await?.rows_affected() > 0)
    }

    /// Records that the job failed for this reason and may be claimed again at this time. Returns
    /// false as in [`Self::done`].
    ///
    /// # Errors
    /// As [`Self::done`].
    pub async fn retry(
        &self,
        job: &ClaimedJob,
        at: DateTime<Utc>,
        reason: &str,
    ) -> Result<bool, PgError> {
        let text = self.statement(
            "update {table} set due_at = $3, reason = $4 where id = $1 and attempts = $2",
        );
        let query = sqlx::query(text).bind(job.id).bind(job.attempt()).bind(at).bind(brief(reason));
        Ok(query.execute(self.owner.pool()).await?.rows_affected() > 0)
    }

    /// Gives the job up, so that it is not tried again. It stays, with its payload and the reason,
    /// until [`Self::forget`]. Returns false as in [`Self::done`].
    ///
    /// # Errors
    /// As [`Self::done`].
    pub async fn give_up(
        &self,
        job: &ClaimedJob,
        reason: &str,
        now: DateTime<Utc>,
    ) -> Result<bool, PgError> {
        let text = self.statement(
            "update {table} set given_up_at = $3, reason = $4 where id = $1 and attempts = $2",
        );
        let query =
            sqlx::query(text).bind(job.id).bind(job.attempt()).bind(now).bind(brief(reason));
        Ok(query.execute(self.owner.pool()).await?.rows_affected() > 0)
    }

    /// Deletes the jobs that were given up before this time; returns how many.
    pub async fn forget(&self, before: DateTime<Utc>) -> Result<u64, PgError> {
        let query = sqlx::query(self.statement("delete from {table} where given_up_at < $1"));
        Ok(query.bind(before).execute(self.owner.pool()).await?.rows_affected())
    }

    /// How full the queue is.
    pub async fn counts(&self) -> Result<QueueCounts, PgError> {
        let (waiting, failed, oldest_due) =
            sqlx::query_as(self.statement(include_str!("../sql/queue/counts.sql")))
                .fetch_one(self.owner.pool())
                .await?;
        Ok(QueueCounts { waiting, failed, oldest_due })
    }

    /// When the next job is due.
    async fn next_due(&self) -> Result<Option<DateTime<Utc>>, PgError> {
        let text = self.statement("select min(due_at) from {table} where given_up_at is null");
        Ok(sqlx::query_scalar(text).fetch_one(self.owner.pool()).await?)
    }

    fn listener(&self) -> &NotificationListener {
        self.owner.listener()
    }

    fn statement(&self, text: &'static str) -> AssertSqlSafe<String> {
        in_table(self.table, text)
    }
}

impl ClaimedJob {
    /// The payload with which the job was put.
    ///
    /// # Errors
    /// The payload is not a `T`: an older or newer program put it.
    pub fn payload<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.payload)
    }

    fn attempt(&self) -> i32 {
        i32::try_from(self.attempts).unwrap_or(i32::MAX)
    }
}

/// A reason in the form in which it is stored: short, and without zero characters, which the server
/// refuses.
fn brief(reason: &str) -> String {
    reason.chars().filter(|character| *character != '\0').take(LONGEST_REASON).collect()
}
