//! Periodic jobs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{Job, JobState, OwnerDb};

use crate::State;

/// Creates the coming day partitions of `realtime.messages`, and drops those that ended three days
/// ago.
pub static MESSAGE_DAYS: Job<State> = Job::sql(
    "realtime.messages",
    Duration::from_secs(60 * 60),
    "select realtime.keep_message_days($1)",
);

impl JobState for State {
    fn pool(&self) -> &OwnerDb {
        &self.owner
    }

    fn now(&self) -> DateTime<Utc> {
        self.environment.clock.now()
    }
}
