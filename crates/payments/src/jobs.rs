//! What time alone brings about: open payments are looked after, money goes back,
//! tiles open and end.
//!
//! Each may be repeated, skipped, or run by several processes at once: who takes a row has it alone
//! until a moment that the row names.

use std::time::Duration;

use compat_pg::PgError;

use crate::State;
use crate::flow::{give_back, sweep, tiles};

/// Something that time brings about again and again.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// All of them.
pub static JOBS: [Job; 5] = [
    Job {
        name: "payments.look_after_open",
        every: every(5),
        work: |state| Box::pin(look_after_open(state)),
    },
    Job { name: "payments.give_back", every: every(5), work: |state| Box::pin(give_back(state)) },
    Job {
        name: "payments.lapse_tiles",
        every: every(15),
        work: |state| Box::pin(async move { lapse_tiles(state).await.map(counted) }),
    },
    Job {
        name: "payments.open_tiles",
        every: every(60),
        work: |state| Box::pin(async move { open_tiles(state).await.map(counted) }),
    },
    Job {
        name: "payments.end_tiles",
        every: every(60),
        work: |state| Box::pin(async move { end_tiles(state).await.map(counted) }),
    },
];

fn counted(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

/// Asks the provider about payments that are open; how many ended.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is looked at later.
pub async fn look_after_open(state: &State) -> Result<u64, PgError> {
    sweep::sweep(state).await
}

/// Has the provider give back what is due; how many payments.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not noted is asked for again.
pub async fn give_back(state: &State) -> Result<u64, PgError> {
    give_back::give_back(state).await
}

/// Lets days go that were held and not paid in time; how many reservations.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn lapse_tiles(state: &State) -> Result<i32, PgError> {
    tiles::lapse(state).await
}

/// Opens the paid tiles whose first day has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn open_tiles(state: &State) -> Result<i32, PgError> {
    tiles::open(state).await
}

/// Ends those whose last day is over; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn end_tiles(state: &State) -> Result<i32, PgError> {
    tiles::end(state).await
}
