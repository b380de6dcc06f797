//! What time alone brings about: open payments are looked after, money goes back,
//! tiles open and end.
//!
//! Each may be repeated, skipped, or run by several processes at once: who takes a row has it alone
//! until a moment that the row names.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{JobState, OwnerDb, PgError};

use crate::State;
use crate::flow::{give_back, sweep};

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
pub(crate) const LAPSE_TILES: Job =
    Job::sql("payments.lapse_tiles", every(15), "select public.lapse_pending_arcade_spots($1)");

/// All of them.
pub static JOBS: [Job; 5] = [
    Job::new("payments.look_after_open", every(5), |state| Box::pin(look_after_open(state))),
    Job::new("payments.give_back", every(5), |state| Box::pin(give_back(state))),
    LAPSE_TILES,
    Job::sql("payments.open_tiles", every(60), "select public.open_paid_arcade_spots($1)"),
    Job::sql("payments.end_tiles", every(60), "select public.end_arcade_spots($1)"),
];

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
