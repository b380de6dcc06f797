//! Periodic jobs.

use std::time::Duration;

use compat_pg::Job;

use crate::ConsoleState;

/// Removes entries of the audit log that are older than [`crate::ConsoleConfig::audit_retention`];
/// none without a retention.
pub static AUDIT_RETENTION: Job<ConsoleState> = Job::sql(
    "console.audit_retention",
    Duration::from_secs(60 * 60),
    "with gone as (
        delete from _console.audit_log
        where id in (
            select a.id
            from _console.audit_log as a
            where a.at < $1
            order by a.at
            limit $2
        )
        returning 1
    )
    select count(*)::integer from gone",
)
.older_than(|state: &ConsoleState| state.config().audit_retention.unwrap_or(FOREVER))
.in_steps_of(1_000);

/// Longer than the age of any database.
const FOREVER: Duration = Duration::from_secs(1_000 * 365 * 24 * 60 * 60);
