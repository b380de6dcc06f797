//! What time alone brings about.
//!
//! Each job is one transaction, or several of bounded size, that may be repeated, skipped, or run by
//! several processes at once: what it does depends on what the rows say and on the clock, never on
//! having run before. Each runs for itself and in its own rhythm, so that none waits for another.

mod aggregates;
mod expiry;
mod retention;

use std::time::Duration;

use compat_pg::PgError;
use tokio_util::sync::CancellationToken;

use crate::flow::{
    check_backlinks, check_statuses, copy_picture, digest, file_notice, optimize_images, remind,
    tell_decisions,
};
use crate::{Pictures, State};

pub use aggregates::{
    refresh_event_places, refresh_game_figures, refresh_ranks, refresh_rises, refresh_site_figures,
    refresh_tag_figures, store_rejection_counts,
};
pub use expiry::{
    close_ended_events, close_vote_periods, expire_bans, expire_warnings, hide_bonus_servers,
    refresh_promotion,
};
pub use retention::{
    forget_notices, prune_clicks, prune_copies, prune_deliveries, prune_security_events,
    prune_status_days, prune_subscriptions, prune_tickets, prune_voided_votes, prune_vote_windows,
    prune_voter_totals, prune_votes, purge_spent_captchas, purge_voters,
};

/// What writes down votes that this process refused.
const STORE_REJECTION_COUNTS: &str = "ranking.store_rejection_counts";

/// Rows a transaction takes at most: as long may a vote for one of them wait.
const STEP: i32 = 1_000;

/// Something that time brings about again and again.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// All of them.
pub static JOBS: [Job; 33] = [
    Job {
        name: "ranking.close_vote_periods",
        every: every(30),
        work: |state| Box::pin(async move { close_vote_periods(state).await.map(u64::from) }),
    },
    Job {
        name: "ranking.refresh_ranks",
        every: every(5),
        work: |state| Box::pin(async move { refresh_ranks(state).await.map(row_count) }),
    },
    Job {
        name: STORE_REJECTION_COUNTS,
        every: every(5),
        work: |state| Box::pin(async move { store_rejection_counts(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.refresh_rises",
        every: every(60),
        work: |state| Box::pin(async move { refresh_rises(state).await.map(|()| 0) }),
    },
    Job {
        name: "ranking.refresh_promotion",
        every: every(15),
        work: |state| Box::pin(async move { refresh_promotion(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.refresh_game_figures",
        every: every(15),
        work: |state| Box::pin(async move { refresh_game_figures(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.refresh_tag_figures",
        every: every(30),
        work: |state| Box::pin(async move { refresh_tag_figures(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.refresh_site_figures",
        every: every(300),
        work: |state| Box::pin(async move { refresh_site_figures(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.hide_bonus_servers",
        every: every(60),
        work: |state| Box::pin(async move { hide_bonus_servers(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.close_ended_events",
        every: every(60),
        work: |state| Box::pin(async move { close_ended_events(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.refresh_event_places",
        every: every(300),
        work: |state| Box::pin(async move { refresh_event_places(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.purge_spent_captchas",
        every: every(300),
        work: |state| Box::pin(async move { purge_spent_captchas(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.purge_voters",
        every: every(3600),
        work: |state| Box::pin(async move { purge_voters(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_votes",
        every: every(3600),
        work: |state| Box::pin(async move { prune_votes(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_clicks",
        every: every(3600),
        work: |state| Box::pin(async move { prune_clicks(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_copies",
        every: every(3600),
        work: |state| Box::pin(async move { prune_copies(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_voter_totals",
        every: every(3600),
        work: |state| Box::pin(async move { prune_voter_totals(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_deliveries",
        every: every(3600),
        work: |state| Box::pin(async move { prune_deliveries(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_tickets",
        every: every(3600),
        work: |state| Box::pin(async move { prune_tickets(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_vote_windows",
        every: every(3600),
        work: |state| Box::pin(async move { prune_vote_windows(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_voided_votes",
        every: every(3600),
        work: |state| Box::pin(async move { prune_voided_votes(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.send_reminders",
        every: every(10),
        work: |state| Box::pin(async move { send_reminders(state).await }),
    },
    Job {
        name: "ranking.write_digests",
        every: every(600),
        work: |state| Box::pin(async move { write_digests(state).await }),
    },
    Job {
        name: "ranking.expire_bans",
        every: every(60),
        work: |state| Box::pin(async move { expire_bans(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.expire_warnings",
        every: every(60),
        work: |state| Box::pin(async move { expire_warnings(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.tell_decisions",
        every: every(30),
        work: |state| Box::pin(async move { tell_decisions(state).await }),
    },
    Job {
        name: "ranking.answer_notices",
        every: every(30),
        work: |state| Box::pin(async move { answer_notices(state).await }),
    },
    Job {
        name: "ranking.forget_notices",
        every: every(3600),
        work: |state| Box::pin(async move { forget_notices(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.check_statuses",
        every: every(5),
        work: |state| Box::pin(async move { check_statuses(state).await }),
    },
    Job {
        name: "ranking.check_backlinks",
        every: every(30),
        work: |state| Box::pin(async move { check_backlinks(state).await }),
    },
    Job {
        name: "ranking.prune_status_days",
        every: every(3600),
        work: |state| Box::pin(async move { prune_status_days(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_subscriptions",
        every: every(3600),
        work: |state| Box::pin(async move { prune_subscriptions(state).await.map(row_count) }),
    },
    Job {
        name: "ranking.prune_security_events",
        every: every(3600),
        work: |state| Box::pin(async move { prune_security_events(state).await.map(row_count) }),
    },
];

/// The one that needs the services too: it asks storage/v1 for the pictures.
pub static OPTIMIZE_IMAGES: compat_pg::Job<(State, Pictures)> = compat_pg::Job {
    name: "ranking.optimize_images",
    every: every(3),
    work: |(state, pictures)| Box::pin(optimize_images(state, pictures)),
};

/// So does this one: it puts copies there.
pub static COPY_PICTURES: compat_pg::Job<(State, Pictures)> = compat_pg::Job {
    name: "ranking.copy_pictures",
    every: every(10),
    work: |(state, pictures)| Box::pin(copy_pictures(state, pictures)),
};

/// Runs one of them, until cancelled. What was counted and not written yet is written at the end,
/// since nobody else knows of it.
pub async fn run_job(job: &Job, state: State, cancelled: CancellationToken) {
    job.run(state.clone(), cancelled).await;
    if job.name == STORE_REJECTION_COUNTS {
        job.turn(&state).await;
    }
}

fn row_count(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

/// Tells browsers that asked for it that a vote is possible again; how many were told.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not sent is tried again.
pub async fn send_reminders(state: &State) -> Result<u64, PgError> {
    remind::send_due(state).await
}

/// Writes to owners what happened to their servers in the week that has ended, once to each; how
/// many mails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub async fn write_digests(state: &State) -> Result<u64, PgError> {
    digest::write_due(state).await
}

/// Writes to people what was decided about them, or taken back; how many mails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub async fn tell_decisions(state: &State) -> Result<u64, PgError> {
    tell_decisions::write_due(state).await
}

/// Writes to those who reported without an account what was decided; how many mails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was written before stays.
pub async fn answer_notices(state: &State) -> Result<u64, PgError> {
    file_notice::answer_due(state).await
}

/// Asks game servers whose time has come how they are; how many were asked.
///
/// # Errors
/// When the database refuses or cannot be asked; what was found before stays, and who was not
/// written down is asked again.
pub async fn check_statuses(state: &State) -> Result<u64, PgError> {
    check_statuses::check_due(state).await
}

/// Looks at the pages of partners that are due; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not kept is looked at again.
pub async fn check_backlinks(state: &State) -> Result<u64, PgError> {
    check_backlinks::check_due(state).await
}

/// Works on pictures that an administrator wants smaller; how many were looked at.
///
/// # Errors
/// When the database refuses or cannot be asked; what is not settled is taken up again.
pub async fn optimize_images(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    optimize_images::optimize_due(state, pictures).await
}

/// Copies pictures that rows name by addresses elsewhere into the site's bucket; how many were tried.
///
/// # Errors
/// When the database refuses or cannot be asked; what is not settled is taken up again.
pub async fn copy_pictures(state: &State, pictures: &Pictures) -> Result<u64, PgError> {
    copy_picture::copy_due(state, pictures).await
}
