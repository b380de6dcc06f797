//! The sweep: removes content that no row names, for example after a crash, after a failed removal,
//! or after a backup, during which no content is removed.
//!
//! The sweep never removes content that a row or an active upload needs. Content is stored before
//! its row, so content without a row may be about to get one: the sweep ignores everything younger
//! than a day, a hundred times longer than any upload step takes. Content of buckets that the
//! database does not know stays for thirty days: it may belong to another database because of a
//! wrong setting.
//!
//! Only one process sweeps at a time, in steps of a few hundred entries; if it dies, another one
//! takes over when the lease ends.

mod rows;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use compat_http::Clock;
use compat_pg::{OwnerDb, PgError};
use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bytes::{BytesError, ObjectBytes, ObjectLocation, StoreEntry, StoreFinding};

/// The minimum age of content without a row before it is removed.
const GRACE: TimeDelta = TimeDelta::hours(24);
/// The minimum age where the database does not know the bucket.
const LONG_GRACE: TimeDelta = TimeDelta::days(30);
/// Entries per step.
const STEP: usize = 500;
/// The pause between two steps, so that the sweep does not saturate the disk.
const PAUSE: Duration = Duration::from_millis(50);
/// The interval between the starts of two sweeps.
const EVERY: TimeDelta = TimeDelta::hours(6);
/// The lease of the sweeping process; every step renews it.
const LEASE: TimeDelta = TimeDelta::minutes(10);
/// How often a process checks whether a sweep is due.
const ASKED: Duration = Duration::from_secs(600);

/// Removes orphaned content from the store.
#[derive(Clone)]
pub struct Sweeper {
    owner: OwnerDb,
    bytes: Arc<dyn ObjectBytes>,
    clock: Clock,
}

/// The counters of one sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// All entries of the store.
    pub seen: u64,
    /// Removed contents, of objects and of abandoned uploads.
    pub removed: u64,
    /// Contents in buckets that the database does not know, kept for now.
    pub strange: u64,
}

/// Why a sweep ended early. Contents that it removed before stay removed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The database failed.
    #[error("the database: {0}")]
    Database(#[from] PgError),
    /// The content store failed.
    #[error("the store of bytes: {0}")]
    Bytes(#[from] BytesError),
}

impl From<sqlx::Error> for SweepError {
    fn from(error: sqlx::Error) -> Self {
        PgError::from(error).into()
    }
}

impl Sweeper {
    /// Creates a sweeper for this content store and the database with its rows.
    pub fn new(owner: OwnerDb, bytes: Arc<dyn ObjectBytes>, clock: Clock) -> Self {
        Self { owner, bytes, clock }
    }

    /// Runs a sweep if one is due and no other process holds the lease; none otherwise.
    ///
    /// # Errors
    /// The failure that ended the sweep early; it is due again when the lease ends.
    pub async fn sweep(&self) -> Result<Option<SweepReport>, SweepError> {
        let start = self.clock.now();
        let mut work = self.owner.begin().await?;
        let is_ours = rows::claim(&mut work, start, start + LEASE).await?;
        work.commit().await?;
        if !is_ours {
            return Ok(None);
        }
        let mut report = SweepReport::default();
        let mut steps = self.bytes.places().chunks(STEP);
        while let Some(step) = steps.next().await {
            let step = step.into_iter().collect::<Result<Vec<_>, _>>()?;
            self.step(&step, &mut report).await?;
            tokio::time::sleep(PAUSE).await;
        }
        let mut work = self.owner.begin().await?;
        rows::due_at(&mut work, start + EVERY).await?;
        work.commit().await?;
        Ok(Some(report))
    }

    /// Handles one step: removes its orphans and renews the lease.
    async fn step(&self, step: &[StoreEntry], report: &mut SweepReport) -> Result<(), SweepError> {
        let now = self.clock.now();
        let (objects, parts) = aged(step, now);
        let mut work = self.owner.begin().await?;
        rows::due_at(&mut work, now + LEASE).await?;
        let orphans = rows::without_row(&mut work, &objects).await?;
        let known = rows::known_buckets(&mut work, &orphans).await?;
        let abandoned = rows::find_abandoned(&mut work, &parts).await?;
        work.commit().await?;
        let is_old = |place: &ObjectLocation| {
            let since = |entry: &&StoreEntry| matches!(&entry.finding, StoreFinding::Object(at) if at == place);
            step.iter().find(since).is_some_and(|entry| entry.since < now - LONG_GRACE)
        };
        let (removed, strange): (Vec<_>, Vec<_>) =
            orphans.into_iter().partition(|place| known.contains(&place.bucket) || is_old(place));
        self.bytes.remove(&removed).await?;
        for version in &abandoned {
            self.bytes.abandon_parts(*version).await?;
        }
        report.seen += step.len() as u64;
        report.removed += (removed.len() + abandoned.len()) as u64;
        report.strange += strange.len() as u64;
        Ok(())
    }

    /// Sweeps repeatedly until `stop` is cancelled; failures are logged and retried.
    pub async fn run(self, stop: CancellationToken) {
        loop {
            let report = match stop.run_until_cancelled(self.sweep()).await {
                Some(report) => report,
                None => return,
            };
            match report {
                Ok(Some(SweepReport { seen, removed, strange })) => {
                    tracing::info!(seen, removed, strange, "orphaned bytes removed");
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "sweep failed"),
            }
            if stop.run_until_cancelled(tokio::time::sleep(ASKED)).await.is_none() {
                return;
            }
        }
    }
}

/// The entries that are old enough: objects, and the versions of unfinished uploads.
fn aged(step: &[StoreEntry], now: DateTime<Utc>) -> (Vec<ObjectLocation>, Vec<Uuid>) {
    let (mut objects, mut parts) = (Vec::new(), Vec::new());
    for entry in step.iter().filter(|entry| entry.since < now - GRACE) {
        match &entry.finding {
            StoreFinding::Object(place) => objects.push(place.clone()),
            StoreFinding::Part(version) => parts.push(*version),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    (objects, parts)
}
