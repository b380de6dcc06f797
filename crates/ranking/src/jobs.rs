//! The periodic jobs of the ranking.
//!
//! Each job is one transaction, or several of bounded size, that may be repeated, skipped, or run
//! by several processes at once: what it does depends on the rows and the clock, never on an
//! earlier run. Each job has its own task and interval, so that none waits for another.

mod aggregates;
mod expiry;
mod retention;

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::{JobState, OwnerDb, PgError};
use tokio_util::sync::CancellationToken;

use crate::flow::broadcast_standings::broadcast_standings;
use crate::flow::{check_backlinks, check_statuses, copy_picture, optimize_images, remind};
use crate::{Pictures, Retention, State};

pub use aggregates::{refresh_rises, store_rejection_counts};
pub use expiry::close_vote_periods;
pub use retention::purge_spent_captchas;

/// The name of the job that stores the counts of rejected votes.
const STORE_REJECTION_COUNTS: &str = "ranking.store_rejection_counts";

/// The most rows in one transaction. A vote for a locked row waits until the transaction ends.
const STEP: i32 = 1_000;

/// The days of site figures that one transaction counts.
const DAYS: i32 = 7;

/// The owners whose weekly email one transaction enqueues.
const OWNERS: i32 = 100;

/// How long daily rows are kept after their day has ended.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A push subscription that was not renewed for this long has expired in the browser.
const UNASKED: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// How long a reporter can appeal against a decision.
const OBJECTIONS: Duration = Duration::from_secs(184 * 24 * 60 * 60);

/// A page error that did not occur for this long is fixed, or belongs to an old release.
const PAGE_ERRORS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A periodic job of the ranking.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The pool and the clock for a job of one SQL statement.
impl JobState for State {
    fn pool(&self) -> &OwnerDb {
        &self.pools().jobs
    }

    fn now(&self) -> DateTime<Utc> {
        self.environment().clock.now()
    }
}

/// The connection pool of the jobs that refresh rankings and figures.
fn figures(state: &State) -> &OwnerDb {
    &state.pools().figures
}

fn retention(state: &State) -> &Retention {
    &state.config().retention
}

/// Every job of the ranking. The pruning jobs delete expired rows in small steps, so that a vote
/// waits for one step at most.
pub static JOBS: [Job; 33] = [
    // The check costs one short query, and until the period is closed a list shows the votes of the
    // month before.
    Job::new("ranking.close_vote_periods", every(5), |state| {
        Box::pin(async move { close_vote_periods(state).await.map(u64::from) })
    }),
    Job::sql("ranking.refresh_ranks", every(5), "select public.refresh_ranks()").with_pool(figures),
    Job::new("ranking.broadcast_standings", every(1), |state| Box::pin(broadcast_standings(state))),
    Job::new(STORE_REJECTION_COUNTS, every(5), |state| {
        Box::pin(async move { store_rejection_counts(state).await.map(row_count) })
    }),
    Job::new("ranking.refresh_rises", every(60), |state| {
        Box::pin(async move { refresh_rises(state).await.map(|()| 0) })
    }),
    Job::sql("ranking.refresh_promotion", every(15), "select public.refresh_promotion($1, $2)")
        .with_pool(figures)
        .in_steps_of(STEP),
    Job::sql("ranking.refresh_game_figures", every(15), "select public.refresh_game_figures()")
        .with_pool(figures),
    Job::sql("ranking.refresh_tag_figures", every(30), "select public.refresh_tag_figures()")
        .with_pool(figures),
    Job::sql("ranking.refresh_site_figures", every(300), "select public.keep_site_figures($1, $2)")
        .in_steps_of(DAYS),
    Job::sql("ranking.hide_bonus_servers", every(60), "select public.lapse_prestige($1)"),
    Job::sql("ranking.close_ended_events", every(60), "select public.close_ended_events($1)"),
    Job::sql("ranking.refresh_event_places", every(300), "select public.keep_event_places($1)")
        .with_pool(figures),
    Job::new("ranking.purge_spent_captchas", every(300), |state| {
        Box::pin(async move { purge_spent_captchas(state).await.map(row_count) })
    }),
    Job::sql("ranking.purge_voters", every(3600), "select public.purge_vote_identities($1, $2)")
        .older_than(|state| retention(state).identities)
        .in_steps_of(STEP),
    Job::sql("ranking.prune_votes", every(3600), "select public.prune_votes($1, $2)")
        .older_than(|state| retention(state).votes)
        .in_steps_of(STEP),
    Job::sql("ranking.prune_clicks", every(3600), "select public.prune_clicks($1, $2)")
        .older_than(|state| retention(state).clicks)
        .in_steps_of(STEP),
    Job::sql(
        "ranking.prune_copies",
        every(3600),
        "select public.prune_copies(public.site_day($1), $2)",
    )
    .older_than(|_| DAY)
    .in_steps_of(STEP),
    Job::sql(
        "ranking.prune_voter_totals",
        every(3600),
        "select public.prune_voter_totals(public.site_day($1), $2)",
    )
    .older_than(|state| retention(state).voter_totals)
    .in_steps_of(STEP),
    Job::sql("ranking.prune_deliveries", every(3600), "select public.prune_deliveries($1, $2)")
        .older_than(|state| retention(state).deliveries)
        .in_steps_of(STEP),
    Job::sql("ranking.prune_tickets", every(3600), "select public.prune_vote_tickets($1, $2)")
        .older_than(|state| retention(state).deliveries)
        .in_steps_of(STEP),
    Job::sql("ranking.prune_vote_windows", every(3600), "select public.prune_vote_windows($1, $2)")
        .older_than(|_| DAY)
        .in_steps_of(STEP),
    Job::sql("ranking.prune_voided_votes", every(3600), "select public.prune_voided_votes($1, $2)")
        .older_than(|state| retention(state).votes)
        .in_steps_of(STEP),
    Job::new("ranking.send_reminders", every(10), |state| Box::pin(send_reminders(state))),
    Job::sql("ranking.enqueue_digests", every(600), "select public.enqueue_digests($1, $2)")
        .in_steps_of(OWNERS),
    Job::sql("ranking.expire_bans", every(60), "select public.end_bans($1, $2)").in_steps_of(STEP),
    Job::sql("ranking.expire_warnings", every(60), "select public.end_warnings($1, $2)")
        .in_steps_of(STEP),
    Job::sql("ranking.forget_notices", every(3600), "select public.forget_notices($1, $2)")
        .older_than(|_| OBJECTIONS)
        .in_steps_of(STEP),
    Job::new("ranking.check_statuses", every(5), |state| Box::pin(check_statuses(state))),
    Job::new("ranking.check_backlinks", every(30), |state| Box::pin(check_backlinks(state))),
    Job::sql(
        "ranking.prune_status_days",
        every(3600),
        "select public.prune_status_days(public.site_day($1), $2)",
    )
    .older_than(|state| retention(state).statuses)
    .in_steps_of(STEP),
    Job::sql(
        "ranking.prune_subscriptions",
        every(3600),
        "select public.prune_subscriptions($1, $2)",
    )
    .older_than(|_| UNASKED)
    .in_steps_of(STEP),
    Job::sql(
        "ranking.prune_security_events",
        every(3600),
        "select public.prune_security_events($1, $2)",
    )
    .older_than(|state| retention(state).security_events)
    .in_steps_of(STEP),
    Job::sql("ranking.prune_page_errors", every(3600), "select public.prune_page_errors($1, $2)")
        .older_than(|_| PAGE_ERRORS)
        .in_steps_of(STEP),
];

/// Optimises stored pictures. This job also needs storage/v1, from which it reads the pictures.
pub static OPTIMIZE_IMAGES: compat_pg::Job<(State, Pictures)> =
    compat_pg::Job::new("ranking.optimize_images", every(3), |(state, pictures)| {
        Box::pin(optimize_images(state, pictures))
    });

/// Copies pictures from other sites into storage/v1.
pub static COPY_PICTURES: compat_pg::Job<(State, Pictures)> =
    compat_pg::Job::new("ranking.copy_pictures", every(10), |(state, pictures)| {
        Box::pin(copy_pictures(state, pictures))
    });

/// Runs a job until it is cancelled. The rejection counts in memory are stored at the end, because
/// they exist only in this process.
pub async fn run_job(job: &Job, state: State, cancelled: CancellationToken) {
    job.run(state.clone(), cancelled).await;
    if job.name == STORE_REJECTION_COUNTS {
        job.run_once(&state).await;
    }
}

fn row_count(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

/// Sends the reminders that are due; returns how many were sent.
///
/// # Errors
/// When the database fails; reminders that were not sent are sent by a later run.
pub async fn send_reminders(state: &State) -> Result<u64, PgError> {
    remind::send_due(state).await
}

/// Queries the game servers that are due; returns how many were queried.
///
/// # Errors
/// When the database fails; results stored before the failure stay, and the other servers are
/// queried again.
pub async fn check_statuses(state: &State) -> Result<u64, PgError> {
    check_statuses::check_due(state).await
}

/// Checks the partner pages that are due; returns how many were checked.
///
/// # Errors
/// When the database fails; pages whose result was not stored are checked again.
pub async fn check_backlinks(state: &State) -> Result<u64, PgError> {
    check_backlinks::check_due(state).await
}

/// Optimises the pictures that an administrator selected; returns how many were processed.
///
/// # Errors
/// When the database fails; unfinished pictures are tried again.
pub async fn optimize_images(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    optimize_images::optimize_due(state, pictures).await
}

/// Copies pictures that rows name by outside URLs into the site's bucket; returns how many were
/// tried.
///
/// # Errors
/// When the database fails; unfinished pictures are tried again.
pub async fn copy_pictures(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    copy_picture::copy_due(state, pictures).await
}
