//! Work that time alone brings about: run again and again, whatever became of it before.
//!
//! A job keeps nothing between two turns, so that it may be skipped, repeated, or run by several
//! processes at once.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::PgError;

/// Something that time brings about, for whoever holds an `S`.
#[derive(Debug)]
pub struct Job<S: 'static> {
    /// Its name among the background tasks and in the log.
    pub name: &'static str,
    /// How often it runs. Nothing depends on it but how late a change may be seen.
    pub every: Duration,
    /// One turn; how much it changed.
    pub work: fn(&S) -> BoxFuture<'_, Result<u64, PgError>>,
}

impl<S> Job<S> {
    /// Runs at once and then in its rhythm, until cancelled, and rests at least as long as it worked:
    /// what takes longer as rows grow never has the database to itself. What is under way is
    /// finished; what fails is logged and tried again with the next turn.
    pub async fn run(&self, state: S, cancelled: CancellationToken) {
        while !cancelled.is_cancelled() {
            let begun = Instant::now();
            self.turn(&state).await;
            let rest = rest(self.every, begun.elapsed());
            let _ = cancelled.run_until_cancelled(sleep(rest)).await;
        }
    }

    /// Runs once; what fails is logged.
    #[tracing::instrument(name = "pg.job", skip_all, fields(job = self.name))]
    pub async fn turn(&self, state: &S) {
        match (self.work)(state).await {
            Ok(0) => tracing::debug!("nothing to do"),
            Ok(changed) => tracing::info!(changed, "done"),
            Err(error) => tracing::error!(%error, "job failed; retrying at its next run"),
        }
    }
}

/// How long a job rests that worked for so long.
fn rest(every: Duration, worked: Duration) -> Duration {
    every.saturating_sub(worked).max(worked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_keeps_its_rhythm_until_it_takes_half_of_the_time() {
        let seconds = Duration::from_secs;
        assert_eq!(rest(seconds(15), seconds(0)), seconds(15));
        assert_eq!(rest(seconds(15), seconds(5)), seconds(10));
        assert_eq!(rest(seconds(15), seconds(10)), seconds(10));
        assert_eq!(rest(seconds(15), seconds(60)), seconds(60));
    }
}
