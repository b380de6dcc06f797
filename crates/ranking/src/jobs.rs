//! What time alone brings about.
//!
//! Each job is one transaction, or several of bounded size, that may be repeated, skipped, or run by
//! several processes at once: what it does depends on what the rows say and on the clock, never on
//! having run before. Each runs for itself and in its own rhythm, so that none waits for another.

mod ending;
mod figures;
mod forgetting;

use std::time::Duration;

use compat_pg::PgError;
use tokio_util::sync::CancellationToken;

use crate::flow::{check_backlinks, check_statuses, copy_picture, optimize_images, remind};
use crate::store::digest;
use crate::{Pictures, State};

pub use ending::{
    close_ended_events, close_vote_periods, end_bans, end_warnings, hide_bonus_servers,
    keep_promotion,
};
pub use figures::{
    count_games, count_ranks, count_refusals, count_tags, keep_event_places, keep_rises,
    keep_site_figures,
};
pub use forgetting::{
    forget_notices, forget_spent_captchas, forget_voters, thin_clicks, thin_copies,
    thin_deliveries, thin_security_events, thin_status_days, thin_subscriptions, thin_tickets,
    thin_voided_votes, thin_vote_windows, thin_voter_totals, thin_votes,
};

/// What writes down votes that this process refused.
const COUNT_REFUSALS: &str = "ranking.count_refusals";

/// Rows a transaction takes at most: as long may a vote for one of them wait.
const STEP: i32 = 1_000;

/// Owners whose weekly email a transaction enqueues.
const OWNERS: i32 = 100;

/// Something that time brings about again and again.
pub type Job = compat_pg::Job<State>;

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// All of them.
pub static JOBS: [Job; 31] = [
    Job {
        name: "ranking.close_vote_periods",
        every: every(30),
        work: |state| Box::pin(async move { close_vote_periods(state).await.map(u64::from) }),
    },
    Job {
        name: "ranking.count_ranks",
        every: every(5),
        work: |state| Box::pin(async move { count_ranks(state).await.map(counted) }),
    },
    Job {
        name: COUNT_REFUSALS,
        every: every(5),
        work: |state| Box::pin(async move { count_refusals(state).await.map(counted) }),
    },
    Job {
        name: "ranking.keep_rises",
        every: every(60),
        work: |state| Box::pin(async move { keep_rises(state).await.map(|()| 0) }),
    },
    Job {
        name: "ranking.keep_promotion",
        every: every(15),
        work: |state| Box::pin(async move { keep_promotion(state).await.map(counted) }),
    },
    Job {
        name: "ranking.count_games",
        every: every(15),
        work: |state| Box::pin(async move { count_games(state).await.map(counted) }),
    },
    Job {
        name: "ranking.count_tags",
        every: every(30),
        work: |state| Box::pin(async move { count_tags(state).await.map(counted) }),
    },
    Job {
        name: "ranking.keep_site_figures",
        every: every(300),
        work: |state| Box::pin(async move { keep_site_figures(state).await.map(counted) }),
    },
    Job {
        name: "ranking.hide_bonus_servers",
        every: every(60),
        work: |state| Box::pin(async move { hide_bonus_servers(state).await.map(counted) }),
    },
    Job {
        name: "ranking.close_ended_events",
        every: every(60),
        work: |state| Box::pin(async move { close_ended_events(state).await.map(counted) }),
    },
    Job {
        name: "ranking.keep_event_places",
        every: every(300),
        work: |state| Box::pin(async move { keep_event_places(state).await.map(counted) }),
    },
    Job {
        name: "ranking.forget_spent_captchas",
        every: every(300),
        work: |state| Box::pin(async move { forget_spent_captchas(state).await.map(counted) }),
    },
    Job {
        name: "ranking.forget_voters",
        every: every(3600),
        work: |state| Box::pin(async move { forget_voters(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_votes",
        every: every(3600),
        work: |state| Box::pin(async move { thin_votes(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_clicks",
        every: every(3600),
        work: |state| Box::pin(async move { thin_clicks(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_copies",
        every: every(3600),
        work: |state| Box::pin(async move { thin_copies(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_voter_totals",
        every: every(3600),
        work: |state| Box::pin(async move { thin_voter_totals(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_deliveries",
        every: every(3600),
        work: |state| Box::pin(async move { thin_deliveries(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_tickets",
        every: every(3600),
        work: |state| Box::pin(async move { thin_tickets(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_vote_windows",
        every: every(3600),
        work: |state| Box::pin(async move { thin_vote_windows(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_voided_votes",
        every: every(3600),
        work: |state| Box::pin(async move { thin_voided_votes(state).await.map(counted) }),
    },
    Job {
        name: "ranking.send_reminders",
        every: every(10),
        work: |state| Box::pin(async move { send_reminders(state).await }),
    },
    Job {
        name: "ranking.enqueue_digests",
        every: every(600),
        work: |state| Box::pin(async move { enqueue_digests(state).await.map(counted) }),
    },
    Job {
        name: "ranking.end_bans",
        every: every(60),
        work: |state| Box::pin(async move { end_bans(state).await.map(counted) }),
    },
    Job {
        name: "ranking.end_warnings",
        every: every(60),
        work: |state| Box::pin(async move { end_warnings(state).await.map(counted) }),
    },
    Job {
        name: "ranking.forget_notices",
        every: every(3600),
        work: |state| Box::pin(async move { forget_notices(state).await.map(counted) }),
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
        name: "ranking.thin_status_days",
        every: every(3600),
        work: |state| Box::pin(async move { thin_status_days(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_subscriptions",
        every: every(3600),
        work: |state| Box::pin(async move { thin_subscriptions(state).await.map(counted) }),
    },
    Job {
        name: "ranking.thin_security_events",
        every: every(3600),
        work: |state| Box::pin(async move { thin_security_events(state).await.map(counted) }),
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
    if job.name == COUNT_REFUSALS {
        job.turn(&state).await;
    }
}

fn counted(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

/// Tells browsers that asked for it that a vote is possible again; how many were told.
///
/// # Errors
/// When the database refuses or cannot be asked; what was not sent is tried again.
pub async fn send_reminders(state: &State) -> Result<u64, PgError> {
    remind::send_due(state).await
}

/// Enqueues what owners are told of the week that has ended, once to each; how many emails.
///
/// # Errors
/// When the database refuses or cannot be asked; what was enqueued before stays.
pub async fn enqueue_digests(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.pools().jobs.begin().await?;
        let enqueued = digest::enqueue(&mut owner, now, OWNERS).await?;
        owner.commit().await?;
        all += enqueued;
        if enqueued < OWNERS {
            return Ok(all);
        }
    }
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
