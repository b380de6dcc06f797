//! What time alone brings about: open payments are looked after, money goes back,
//! tiles open and end.
//!
//! Each may be repeated, skipped, or run by several processes at once: who takes a row has it alone
//! until a moment that the row names.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{JobState, OwnerDb, PgError};

use crate::State;
use crate::flow::{reconcile, refund};

/// Something that time brings about again and again.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// What a job of one statement runs with.
impl JobState for State {
    fn pool(&self) -> &OwnerDb {
        &self.pools().jobs
    }

    fn now(&self) -> DateTime<Utc> {
        self.environment().clock.now()
    }
}

/// Lets days go that were held and not paid in time.
pub(crate) const EXPIRE_RESERVATIONS: Job = Job::sql(
    "payments.expire_reservations",
    every(15),
    "select public.expire_arcade_reservations($1)",
);

/// All of them.
pub static JOBS: [Job; 5] = [
    Job::new("payments.reconcile", every(5), |state| Box::pin(reconcile(state))),
    Job::new("payments.refund", every(5), |state| Box::pin(refund_due(state))),
    EXPIRE_RESERVATIONS,
    Job::sql("payments.start_arcade_spots", every(60), "select public.start_paid_arcade_spots($1)"),
    Job::sql("payments.end_arcade_spots", every(60), "select public.end_arcade_spots($1)"),
];

/// Asks the provider about payments that are open; how many ended.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is looked at later.
pub async fn reconcile(state: &State) -> Result<u64, PgError> {
    reconcile::reconcile(state).await
}

/// Has the provider give back what is due; how many payments.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is asked for again.
pub async fn refund_due(state: &State) -> Result<u64, PgError> {
    refund::refund_due(state).await
}
