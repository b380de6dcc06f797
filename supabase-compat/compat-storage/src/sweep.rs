//! Removing bytes that no row names: what a lost process left behind, what could not be removed
//! when its row went, what a backup held on to.
//!
//! It promises never to remove what a row or an upload under way needs. Bytes come before their
//! row, so that what has no row may be about to get one: only what has lain for a day is looked at,
//! a hundred times longer than any step between the two. Bytes of a bucket that the database does
//! not know stay for thirty days: they may be another database's, by a mistake in the settings.
//!
//! Of all processes one sweeps at a time, in steps of a few hundred; one that is lost is followed
//! by another when its lease ends.

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

/// How long bytes without a row are left alone.
const GRACE: TimeDelta = TimeDelta::hours(24);
/// The same where the database does not know their bucket.
const LONG_GRACE: TimeDelta = TimeDelta::days(30);
/// Places looked up at once.
const STEP: usize = 500;
/// Between two steps, so that nobody waits for a disk that is swept.
const PAUSE: Duration = Duration::from_millis(50);
/// From the beginning of a sweep to the next.
const EVERY: TimeDelta = TimeDelta::hours(6);
/// How long the sweep is this process's, from each step on.
const LEASE: TimeDelta = TimeDelta::minutes(10);
/// How often it is asked whether a sweep is due.
const ASKED: Duration = Duration::from_secs(600);

/// What sweeps.
#[derive(Clone)]
pub struct Sweeper {
    owner: OwnerDb,
    bytes: Arc<dyn ObjectBytes>,
    clock: Clock,
}

/// What a sweep has come upon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Everything that lies there.
    pub seen: u64,
    /// Bytes that were removed, of objects and of uploads that were given up.
    pub removed: u64,
    /// Bytes of buckets the database does not know, left for now.
    pub strange: u64,
}

/// Why a sweep ended early. What it removed before stays removed.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The database.
    #[error("the database: {0}")]
    Database(#[from] PgError),
    /// The store of bytes.
    #[error("the store of bytes: {0}")]
    Bytes(#[from] BytesError),
}

impl From<sqlx::Error> for SweepError {
    fn from(error: sqlx::Error) -> Self {
        PgError::from(error).into()
    }
}

impl Sweeper {
    /// Sweeps these bytes by the rows of this database.
    pub fn new(owner: OwnerDb, bytes: Arc<dyn ObjectBytes>, clock: Clock) -> Self {
        Self { owner, bytes, clock }
    }

    /// Sweeps, where it is due and nobody else does; none otherwise.
    ///
    /// # Errors
    /// Whatever ended it early; it is due again when the lease ends.
    pub async fn sweep(&self) -> Result<Option<SweepReport>, SweepError> {
        let start = self.clock.now();
        let mut work = self.owner.begin().await?;
        let is_ours = rows::claim(&mut work, start, start + LEASE).await?;
        work.commit().await?;
        if !is_ours {
            return Ok(None);
        }
        let mut swept = SweepReport::default();
        let mut steps = self.bytes.places().chunks(STEP);
        while let Some(step) = steps.next().await {
            let step = step.into_iter().collect::<Result<Vec<_>, _>>()?;
            self.step(&step, &mut swept).await?;
            tokio::time::sleep(PAUSE).await;
        }
        let mut work = self.owner.begin().await?;
        rows::due_at(&mut work, start + EVERY).await?;
        work.commit().await?;
        Ok(Some(swept))
    }

    /// Looks at some of what lies there.
    async fn step(&self, step: &[StoreEntry], swept: &mut SweepReport) -> Result<(), SweepError> {
        let now = self.clock.now();
        let (objects, parts) = aged(step, now);
        let mut work = self.owner.begin().await?;
        rows::due_at(&mut work, now + LEASE).await?;
        let orphans = rows::without_row(&mut work, &objects).await?;
        let known = rows::known_buckets(&mut work, &orphans).await?;
        let abandoned = rows::find_abandoned(&mut work, &parts).await?;
        work.commit().await?;
        let is_old = |place: &ObjectLocation| {
            let since = |entry: &&StoreEntry| matches!(&entry.what, StoreFinding::Object(at) if at == place);
            step.iter().find(since).is_some_and(|entry| entry.since < now - LONG_GRACE)
        };
        let (removed, strange): (Vec<_>, Vec<_>) =
            orphans.into_iter().partition(|place| known.contains(&place.bucket) || is_old(place));
        self.bytes.remove(&removed).await?;
        for version in &abandoned {
            self.bytes.abandon_parts(*version).await?;
        }
        swept.seen += step.len() as u64;
        swept.removed += (removed.len() + abandoned.len()) as u64;
        swept.strange += strange.len() as u64;
        Ok(())
    }

    /// Sweeps again and again until `stop` is cancelled; failures are logged and tried again.
    pub async fn run(self, stop: CancellationToken) {
        loop {
            let swept = match stop.run_until_cancelled(self.sweep()).await {
                Some(swept) => swept,
                None => return,
            };
            match swept {
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

/// What has lain long enough to be looked at: objects, and what is on its way.
fn aged(step: &[StoreEntry], now: DateTime<Utc>) -> (Vec<ObjectLocation>, Vec<Uuid>) {
    let (mut objects, mut parts) = (Vec::new(), Vec::new());
    for entry in step.iter().filter(|entry| entry.since < now - GRACE) {
        match &entry.what {
            StoreFinding::Object(place) => objects.push(place.clone()),
            StoreFinding::Part(version) => parts.push(*version),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    (objects, parts)
}
