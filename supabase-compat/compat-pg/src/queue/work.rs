//! The worker of a queue: runs its jobs until it is told to stop.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::{ClaimedJob, Queue};
use crate::PgError;

/// The table is polled at least this often, even without a notification: clocks are set, and
/// another program may insert a job without notifying.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// The first pause between attempts while the database is unavailable.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How often given-up jobs that are too old are deleted.
const FORGET_EVERY: Duration = Duration::from_secs(60 * 60);

/// How a queue's jobs are run.
#[derive(Clone, Debug)]
pub struct QueueRules {
    /// How long a handler may take; after that its job goes to another worker. It must be longer
    /// than the longest timeout inside the handler.
    pub lease: Duration,
    /// How many jobs run at the same time.
    pub at_once: usize,
    /// How often a job is tried before it is given up.
    pub attempts: u32,
    /// The pause before the second attempt; it doubles with each further one, up to
    /// `longest_pause`.
    pub first_pause: Duration,
    /// The longest pause between two attempts.
    pub longest_pause: Duration,
    /// How long a given-up job is kept, with its payload and its reason.
    pub keep_failed: Duration,
}

impl Default for QueueRules {
    /// A lease of a minute, four jobs at once, ten attempts within about four hours, and given-up
    /// jobs kept for a week.
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            at_once: 4,
            attempts: 10,
            first_pause: Duration::from_secs(30),
            longest_pause: Duration::from_secs(60 * 60),
            keep_failed: Duration::from_secs(7 * 24 * 60 * 60),
        }
    }
}

impl QueueRules {
    /// The pause after the attempt of this number, counted from 1.
    fn pause_after(&self, attempts: u32) -> Duration {
        let growth = 1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first_pause.saturating_mul(growth).min(self.longest_pause)
    }
}

/// The outcome of an attempt. Reasons are stored in the table and logged, so they must contain no
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job is done.
    Done,
    /// The job failed and may succeed later.
    Retry(String),
    /// The job failed and will always fail.
    GiveUp(String),
}

impl Queue {
    /// Runs jobs until `stop` ends, then waits for the running ones; their leases limit the wait.
    /// It is woken by [`Queue::put`], otherwise by the next due time.
    ///
    /// A handler that panics or exceeds its lease counts as [`JobOutcome::Retry`]. If its process
    /// is lost, the job becomes available again when the lease ends; a job whose workers were lost
    /// at every attempt is given up.
    pub async fn work<F>(
        &self,
        rules: &QueueRules,
        now: impl Fn() -> DateTime<Utc>,
        handler: impl Fn(ClaimedJob) -> F,
        stop: impl Future<Output = ()>,
    ) where
        F: Future<Output = JobOutcome>,
    {
        let worker = Worker { queue: self, rules, now, handler };
        let mut woken = self.listener().subscribe(self.table);
        let mut stop = pin!(stop);
        let mut running = FuturesUnordered::new();
        // At most one future of each. They are polled together with the running jobs, which may
        // hold the connection that they wait for.
        let (mut polls, mut deletions) = (FuturesUnordered::new(), FuturesUnordered::new());
        let (mut again, mut pause) = (Instant::now(), FIRST_PAUSE);
        let (mut forget_at, mut is_stopping) = (again, false);
        loop {
            let is_idle = polls.is_empty() && !is_stopping;
            tokio::select! {
                () = &mut stop, if !is_stopping => is_stopping = true,
                // Whatever the notification says, a job may have been put.
                Some(_) = woken.next(), if !is_stopping => again = Instant::now(),
                Some(retried) = running.next() => again = again.min(Option::unwrap_or(retried, again)),
                Some(()) = deletions.next() => {}
                () = sleep_until(forget_at), if !is_stopping && deletions.is_empty() => {
                    deletions.push(worker.forget());
                    forget_at = Instant::now() + FORGET_EVERY;
                }
                () = sleep_until(again), if is_idle && running.len() < rules.at_once => {
                    polls.push(worker.poll(rules.at_once - running.len()));
                    // This poll may miss jobs that are put from now on.
                    again = Instant::now() + LONGEST_SLEEP;
                }
                Some(tick) = polls.next() => match tick {
                    Ok(PollResult { jobs, until, again: next }) => {
                        running.extend(jobs.into_iter().map(|job| worker.run(job, until)));
                        (again, pause) = (again.min(next), FIRST_PAUSE);
                    }
                    Err(error) => {
                        let queue = self.table;
                        tracing::warn!(queue, %error, ?pause, "cannot read the queue; retrying");
                        again = Instant::now() + pause;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                },
                else => break,
            }
        }
    }
}

struct Worker<'a, N, H> {
    queue: &'a Queue,
    rules: &'a QueueRules,
    now: N,
    handler: H,
}

/// The result of one poll of the table.
struct PollResult {
    jobs: Vec<ClaimedJob>,
    /// When the leases of the claimed jobs end.
    until: Instant,
    /// When to poll again.
    again: Instant,
}

impl<N, H, F> Worker<'_, N, H>
where
    N: Fn() -> DateTime<Utc>,
    H: Fn(ClaimedJob) -> F,
    F: Future<Output = JobOutcome>,
{
    async fn poll(&self, room: usize) -> Result<PollResult, PgError> {
        // Taken before the claim, so that the lease ends here before it ends for other workers.
        let until = Instant::now() + self.rules.lease;
        let jobs = self.queue.claim((self.now)(), self.rules.lease, room).await?;
        let wait = if jobs.len() == room { Duration::ZERO } else { self.wait().await? };
        Ok(PollResult { jobs, until, again: Instant::now() + wait })
    }

    /// How long until the next job is due.
    async fn wait(&self) -> Result<Duration, PgError> {
        let due = self.queue.next_due().await?;
        let wait = due.map(|due| (due - (self.now)()).to_std().unwrap_or_default());
        Ok(wait.unwrap_or(LONGEST_SLEEP).min(LONGEST_SLEEP))
    }

    /// Runs one attempt. Returns when the job is due again, if it failed.
    async fn run(&self, job: ClaimedJob, until: Instant) -> Option<Instant> {
        let transition = JobTransition::of(self.rules, &job, self.attempt(&job, until).await);
        let queue = self.queue.table;
        let (id, kind, attempts) = (job.id, job.kind.as_str(), job.attempts);
        match &transition {
            JobTransition::Done => tracing::debug!(queue, id, kind, attempts, "done"),
            JobTransition::Retry { pause, reason } => {
                tracing::warn!(queue, id, kind, attempts, ?pause, reason, "queue job failed");
            }
            JobTransition::GiveUp { reason } => {
                tracing::error!(queue, id, kind, attempts, reason, "queue job given up");
            }
        }
        self.settle(&job, &transition, until + self.rules.lease).await;
        match transition {
            JobTransition::Retry { pause, .. } => Some(Instant::now() + pause),
            _ => None,
        }
    }

    async fn attempt(&self, job: &ClaimedJob, until: Instant) -> JobOutcome {
        if job.attempts > self.rules.attempts {
            return JobOutcome::GiveUp("its worker was lost every time".to_owned());
        }
        // The handler may also panic before it returns a future.
        let attempt = async { (self.handler)(job.clone()).await };
        match timeout_at(until, AssertUnwindSafe(attempt).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => JobOutcome::Retry("the handler panicked".to_owned()),
            Err(_) => JobOutcome::Retry("it took longer than its lease".to_owned()),
        }
    }

    /// Records the outcome of a job. While the database is unavailable this is retried for a while,
    /// because a job whose completion is not recorded runs twice.
    async fn settle(&self, job: &ClaimedJob, transition: &JobTransition, until: Instant) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.note(job, transition).await {
                Ok(true) => return,
                Ok(false) => {
                    return tracing::warn!(
                        queue = self.queue.table,
                        job.id,
                        "queue job lost: its lease ended"
                    );
                }
                Err(error) if error.is_unavailable() && Instant::now() + pause < until => {
                    sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(error) => {
                    let queue = self.queue.table;
                    return tracing::error!(
                        queue,
                        job.id,
                        %error,
                        "cannot record the outcome of a queue job"
                    );
                }
            }
        }
    }

    async fn note(&self, job: &ClaimedJob, transition: &JobTransition) -> Result<bool, PgError> {
        let now = (self.now)();
        match transition {
            JobTransition::Done => self.queue.done(job).await,
            JobTransition::Retry { pause, reason } => {
                self.queue.retry(job, now + *pause, reason).await
            }
            JobTransition::GiveUp { reason } => self.queue.give_up(job, reason, now).await,
        }
    }

    async fn forget(&self) {
        let before = (self.now)() - self.rules.keep_failed;
        if let Err(error) = self.queue.forget(before).await {
            tracing::warn!(queue = self.queue.table, %error, "cannot delete given-up queue jobs");
        }
    }
}

/// An outcome after the rules were applied.
#[derive(Debug)]
enum JobTransition {
    Done,
    Retry { pause: Duration, reason: String },
    GiveUp { reason: String },
}

impl JobTransition {
    fn of(rules: &QueueRules, job: &ClaimedJob, outcome: JobOutcome) -> Self {
        match outcome {
            JobOutcome::Done => Self::Done,
            JobOutcome::Retry(reason) if job.attempts < rules.attempts => {
                Self::Retry { pause: rules.pause_after(job.attempts), reason }
            }
            JobOutcome::Retry(reason) | JobOutcome::GiveUp(reason) => Self::GiveUp { reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let rules = QueueRules {
            first_pause: Duration::from_secs(30),
            longest_pause: Duration::from_secs(200),
            ..QueueRules::default()
        };
        let pauses = [1, 2, 3, 4, 5, 40, u32::MAX].map(|attempts| rules.pause_after(attempts));
        assert_eq!(pauses.map(|pause| pause.as_secs()), [30, 60, 120, 200, 200, 200, 200]);
    }
}
