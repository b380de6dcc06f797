//! What time alone brings about: open payments are looked after, money goes back, payers are told,
//! tiles open and end.
//!
//! Each may be repeated, skipped, or run by several processes at once: who takes a row has it alone
//! until a moment that the row names.

use std::time::Duration;

use compat_pg::PgError;

use crate::State;
use crate::flow::{arcade_spots, reconcile, refund, tell_payers};

/// Something that time brings about again and again.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// All of them.
pub static JOBS: [Job; 6] = [
    Job { name: "payments.reconcile", every: every(5), work: |state| Box::pin(reconcile(state)) },
    Job { name: "payments.refund", every: every(5), work: |state| Box::pin(refund_due(state)) },
    Job {
        name: "payments.tell_payers",
        every: every(5),
        work: |state| Box::pin(tell_payers(state)),
    },
    Job {
        name: "payments.expire_reservations",
        every: every(15),
        work: |state| Box::pin(async move { expire_reservations(state).await.map(row_count) }),
    },
    Job {
        name: "payments.start_arcade_spots",
        every: every(60),
        work: |state| Box::pin(async move { start_arcade_spots(state).await.map(row_count) }),
    },
    Job {
        name: "payments.end_arcade_spots",
        every: every(60),
        work: |state| Box::pin(async move { end_arcade_spots(state).await.map(row_count) }),
    },
];

fn row_count(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

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

/// Writes to payers what has become of their payments; how many letters.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not written stays to be.
pub async fn tell_payers(state: &State) -> Result<u64, PgError> {
    tell_payers::tell_payers(state).await
}

/// Lets days go that were held and not paid in time; how many reservations.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn expire_reservations(state: &State) -> Result<i32, PgError> {
    arcade_spots::expire_reservations(state).await
}

/// Opens the paid tiles whose first day has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn start_arcade_spots(state: &State) -> Result<i32, PgError> {
    arcade_spots::start(state).await
}

/// Ends those whose last day is over; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn end_arcade_spots(state: &State) -> Result<i32, PgError> {
    arcade_spots::end(state).await
}
