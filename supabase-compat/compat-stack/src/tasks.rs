//! Supervises named background tasks: a task that ends before the stop is started again.
//!
//! A task is made by a factory, so that it can be made again after a panic. The pauses between
//! restarts grow while it keeps failing; the log, the metrics and `/ready` on the operator's port
//! report it. This module does not know what a task does, or what it must undo when it is dropped.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus::IntCounterVec;
use tokio::task::{AbortHandle, JoinError};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

#[cfg(test)]
mod tests;

/// The pause after a first failure; each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A task that has run this long counts as recovered.
const CALM: Duration = Duration::from_secs(60);
/// Consecutive failures after which the process is not ready.
const TOO_MANY: u32 = 3;
/// How long all tasks together may take to stop.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// The background tasks of one process. Cheap to clone.
#[derive(Clone)]
pub struct Tasks(Arc<Inner>);

struct Inner {
    tracker: TaskTracker,
    stop: CancellationToken,
    ready: CancellationToken,
    restarts: IntCounterVec,
    board: Mutex<BTreeMap<&'static str, TaskRecord>>,
}

/// The state of one task.
#[derive(Default)]
struct TaskRecord {
    /// Consecutive failures.
    failures: u32,
    /// When the task started; none while it pauses or has ended.
    running: Option<(Instant, AbortHandle)>,
}

/// The state of a task, for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskStatus {
    /// The name of the task.
    pub name: &'static str,
    /// How long the task has been running; none while it pauses before a restart.
    pub running_for: Option<Duration>,
    /// Consecutive failures.
    pub failures: u32,
}

impl TaskRecord {
    fn has_calmed_down(&self) -> bool {
        self.running.as_ref().is_some_and(|(since, _)| since.elapsed() >= CALM)
    }
}

impl Tasks {
    /// Without tasks at first; every restart is counted in `restarts`, by the label `task`.
    pub fn new(restarts: IntCounterVec) -> Self {
        Self(Arc::new(Inner {
            tracker: TaskTracker::new(),
            stop: CancellationToken::new(),
            ready: CancellationToken::new(),
            restarts,
            board: Mutex::default(),
        }))
    }

    /// The token that is cancelled when all tasks must end.
    pub fn stop_token(&self) -> CancellationToken {
        self.0.stop.clone()
    }

    /// Runs the task that `make` makes until the stop, and restarts it if it ends earlier.
    pub fn spawn<T>(&self, name: &'static str, make: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        let watcher = self.clone();
        self.0.tracker.spawn(async move { watcher.watch(name, make).await });
    }

    /// As [`Self::spawn`], but starts with [`Self::announce_ready`], so that it takes no processor
    /// time from the start.
    pub fn spawn_when_ready<T>(&self, name: &'static str, make: impl Fn() -> T + Send + 'static)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        let watcher = self.clone();
        self.0.tracker.spawn(async move {
            let Inner { stop, ready, .. } = &*watcher.0;
            if stop.run_until_cancelled(ready.cancelled()).await.is_some() {
                watcher.watch(name, make).await;
            }
        });
    }

    /// Starts the tasks that wait until the process answers requests.
    pub fn announce_ready(&self) {
        self.0.ready.cancel();
    }

    /// Tasks that fail repeatedly, in the order of their names.
    pub fn failing(&self) -> Vec<&'static str> {
        let board = self.board();
        let fails = |record: &TaskRecord| record.failures >= TOO_MANY && !record.has_calmed_down();
        board.iter().filter(|(_, record)| fails(record)).map(|(name, _)| *name).collect()
    }

    /// All tasks, in the order of their names.
    pub fn statuses(&self) -> Vec<TaskStatus> {
        let of = |(name, record): (&&'static str, &TaskRecord)| TaskStatus {
            name,
            running_for: record.running.as_ref().map(|(since, _)| since.elapsed()),
            failures: if record.has_calmed_down() { 0 } else { record.failures },
        };
        self.board().iter().map(of).collect()
    }

    /// Asks all tasks to end and waits for them within a limit: the remaining ones are logged and
    /// dropped. Returns their names.
    pub async fn stop(&self) -> Vec<&'static str> {
        self.0.stop.cancel();
        self.0.tracker.close();
        if timeout(TIMEOUT, self.0.tracker.wait()).await.is_ok() {
            return Vec::new();
        }
        let left: Vec<_> = self
            .board()
            .iter()
            .filter_map(|(name, record)| Some((*name, record.running.as_ref()?.1.clone())))
            .collect();
        let names: Vec<_> = left.iter().map(|(name, _)| *name).collect();
        tracing::warn!(tasks = names.join(", "), "tasks still running; stopping without them");
        left.iter().for_each(|(_, task)| task.abort());
        names
    }

    async fn watch<T>(&self, name: &'static str, make: impl Fn() -> T)
    where
        T: Future<Output = ()> + Send + 'static,
    {
        let stop = &self.0.stop;
        loop {
            let span = tracing::info_span!("task", name);
            // A spawned task that panics returns an error, so it can be made again.
            let task = tokio::spawn(make().instrument(span));
            self.began(name, task.abort_handle());
            let ended = task.await;
            let failures = self.ended(name);
            if stop.is_cancelled() {
                tracing::debug!(task = name, "ended");
                return;
            }
            self.0.restarts.with_label_values(&[name]).inc();
            let pause = pause_after(failures);
            let reason = reason(ended);
            tracing::error!(
                task = name,
                reason,
                failures,
                ?pause,
                "task ended unexpectedly; restarting"
            );
            if stop.run_until_cancelled(sleep(pause)).await.is_none() {
                return;
            }
        }
    }

    fn began(&self, name: &'static str, handle: AbortHandle) {
        self.board().entry(name).or_default().running = Some((Instant::now(), handle));
    }

    /// Records the end of a task; returns its consecutive failures.
    fn ended(&self, name: &'static str) -> u32 {
        let mut board = self.board();
        let record = board.entry(name).or_default();
        record.failures = if record.has_calmed_down() { 1 } else { record.failures + 1 };
        record.running = None;
        record.failures
    }

    fn board(&self) -> MutexGuard<'_, BTreeMap<&'static str, TaskRecord>> {
        self.0.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pause_after(failures: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
    FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE)
}

/// Why a task ended, with the message of a panic if there is one.
fn reason(ended: Result<(), JoinError>) -> String {
    match ended.map_err(JoinError::try_into_panic) {
        Ok(()) => "it returned".to_owned(),
        Err(Err(error)) => error.to_string(),
        Err(Ok(panic)) => panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "it panicked".to_owned()),
    }
}
