//! Periodic jobs of payments: open payments are reconciled, refunds are made, and Arcade spots
//! begin and end.
//!
//! Each job may be repeated, skipped, or run by several processes at once: a claimed row has a
//! lease.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{JobState, OwnerDb, PgError};

use crate::State;
use crate::flow::{reconcile, refund};

/// A periodic job of payments.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The connections for jobs that consist of one statement.
impl JobState for State {
    fn pool(&self) -> &OwnerDb {
        &self.pools().jobs
    }

    fn now(&self) -> DateTime<Utc> {
        self.environment().clock.now()
    }
}

/// Releases reserved days of Arcade spots that were not paid in time.
pub(crate) const EXPIRE_RESERVATIONS: Job = Job::sql(
    "payments.expire_reservations",
    every(15),
    "select public.expire_arcade_reservations($1)",
);

/// Every job of payments.
pub static JOBS: [Job; 5] = [
    Job::new("payments.reconcile", every(5), |state| Box::pin(reconcile(state))),
    Job::new("payments.refund", every(5), |state| Box::pin(refund_due(state))),
    EXPIRE_RESERVATIONS,
    Job::sql("payments.start_arcade_spots", every(60), "select public.start_paid_arcade_spots($1)"),
    Job::sql("payments.end_arcade_spots", every(60), "select public.end_arcade_spots($1)"),
];

/// Asks the provider about open payments; returns how many ended.
///
/// # Errors
/// When the database fails. What was not recorded is reconciled later.
pub async fn reconcile(state: &State) -> Result<u64, PgError> {
    reconcile::reconcile(state).await
}

/// Has the provider make the refunds that are due; returns how many.
///
/// # Errors
/// When the database fails. A refund that was not recorded is requested again.
pub async fn refund_due(state: &State) -> Result<u64, PgError> {
    refund::refund_due(state).await
}
