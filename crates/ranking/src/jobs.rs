//! What time alone brings about.
//!
//! Each job is one transaction, or several of bounded size, that may be repeated, skipped, or run by
//! several processes at once: what it does depends on what the rows say and on the clock, never on
//! having run before. Each runs for itself and in its own rhythm, so that none waits for another.

use std::time::Duration;

use compat_functions::BoxFuture;
use compat_pg::PgError;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::State;
use crate::flow::{check_statuses, digest, remind};
use crate::store::housekeeping::Old;
use crate::store::{captcha_spent, housekeeping};

/// Spent challenges are kept a little beyond their end, for processes whose clock is behind.
const CLOCK_MARGIN: Duration = Duration::from_secs(300);

/// Rows a transaction takes at most: as long may a vote for one of them wait.
const STEP: i32 = 1_000;

/// The same where no vote waits, and each step looks at all of them.
const LONG_STEP: i32 = 10_000;

/// Browsers that were not heard of for so long have another address by now.
const UNASKED: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Something that time brings about again and again.
#[derive(Debug)]
pub struct Job {
    /// Its name among the background tasks and in the log.
    pub name: &'static str,
    /// How often it runs. Nothing depends on it but how late a change may be seen.
    pub every: Duration,
    work: fn(&State) -> BoxFuture<'_, Result<u64, PgError>>,
}

const fn every(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// All of them.
pub static JOBS: [Job; 23] = [
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
        name: "ranking.hide_bonus_servers",
        every: every(60),
        work: |state| Box::pin(async move { hide_bonus_servers(state).await.map(counted) }),
    },
    Job {
        name: "ranking.free_unpaid_arcade_spots",
        every: every(60),
        work: |state| Box::pin(async move { free_unpaid_arcade_spots(state).await.map(counted) }),
    },
    Job {
        name: "ranking.open_paid_arcade_spots",
        every: every(60),
        work: |state| Box::pin(async move { open_paid_arcade_spots(state).await.map(counted) }),
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
        name: "ranking.check_statuses",
        every: every(5),
        work: |state| Box::pin(async move { check_statuses(state).await }),
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

impl Job {
    /// Runs at once and then in its rhythm, until cancelled. What is under way is finished; what
    /// fails is logged and tried again with the next turn.
    pub async fn run(&self, state: State, cancelled: CancellationToken) {
        let mut turns = tokio::time::interval(self.every);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while cancelled.run_until_cancelled(turns.tick()).await.is_some() {
            self.turn(&state).await;
        }
    }

    #[tracing::instrument(name = "ranking.job", skip_all, fields(job = self.name))]
    async fn turn(&self, state: &State) {
        match (self.work)(state).await {
            Ok(0) => tracing::debug!("nothing to do"),
            Ok(changed) => tracing::info!(changed, "done"),
            Err(error) => tracing::error!(%error, "failed; the next turn tries again"),
        }
    }
}

fn counted(rows: i32) -> u64 {
    u64::try_from(rows).unwrap_or_default()
}

/// Closes the day, the week and the month that are over in the site's time zone, beside running
/// votes, some servers at a time, keeps the first three of a month that was closed and notes the
/// places the day begins with; whether any was, and nobody else did it.
///
/// # Errors
/// When the database refuses or cannot be asked; the next turn closes what is left.
pub async fn close_vote_periods(state: &State) -> Result<bool, PgError> {
    let now = state.edge().clock.now();
    let mut owner = state.rooms().figures.begin().await?;
    let has_ended = housekeeping::has_vote_period_ended(&mut owner, now).await?;
    owner.commit().await?;
    if !has_ended {
        return Ok(false);
    }
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.rooms().figures.begin().await?;
        after = housekeeping::close_vote_periods(&mut owner, now, last, STEP).await?;
        owner.commit().await?;
    }
    let mut placed = LONG_STEP;
    while placed == LONG_STEP {
        let mut owner = state.rooms().figures.begin().await?;
        placed = housekeeping::place_finished_months(&mut owner, LONG_STEP).await?;
        owner.commit().await?;
    }
    let mut kept = true;
    while kept {
        let mut owner = state.rooms().figures.begin().await?;
        kept = housekeeping::keep_month_podiums(&mut owner, now).await?.is_some();
        owner.commit().await?;
    }
    // As they are once everything is closed: no place outlives the month it was won in.
    count_ranks(state).await?;
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.rooms().figures.begin().await?;
        after = housekeeping::note_places(&mut owner, now, last, STEP).await?;
        owner.commit().await?;
    }
    let mut owner = state.rooms().figures.begin().await?;
    let moved = housekeeping::move_vote_clock(&mut owner, now).await?;
    owner.commit().await?;
    Ok(moved)
}

/// Counts how many servers are ahead of each number of votes; how many places there are changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_ranks(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().figures.begin().await?;
    let changed = housekeeping::count_ranks(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Keeps how far servers climbed since the day began, some at a time.
///
/// # Errors
/// When the database refuses or cannot be asked; what was kept before stays.
pub async fn keep_rises(state: &State) -> Result<(), PgError> {
    let mut after = Some(Uuid::nil());
    while let Some(last) = after {
        let mut owner = state.rooms().figures.begin().await?;
        after = housekeeping::keep_rises(&mut owner, last, STEP).await?;
        owner.commit().await?;
    }
    Ok(())
}

/// Ends promotion whose time has passed, for lists, and gives promoted servers the order of the
/// hour; how many servers changed.
///
/// # Errors
/// When the database refuses or cannot be asked; what was changed before stays.
pub async fn keep_promotion(state: &State) -> Result<i32, PgError> {
    let now = state.edge().clock.now();
    let mut all = 0;
    loop {
        let mut owner = state.rooms().figures.begin().await?;
        let kept = housekeeping::keep_promotion(&mut owner, now, STEP).await?;
        owner.commit().await?;
        all += kept;
        if kept < STEP {
            return Ok(all);
        }
    }
}

/// Hides bonus servers whose room has gone with the Prestige that made it; how many. Prestige
/// itself needs no ending: it is over for every reader once its time has passed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn hide_bonus_servers(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().jobs.begin().await?;
    let lapsed = housekeeping::lapse_prestige(&mut owner, state.edge().clock.now()).await?;
    owner.commit().await?;
    Ok(lapsed)
}

/// Counts the listings, players and votes of each game; how many games' figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_games(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().figures.begin().await?;
    let changed = housekeeping::count_games(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Counts how many servers of each game wear each tag; how many of these figures changed.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn count_tags(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().figures.begin().await?;
    let changed = housekeeping::count_tags(&mut owner).await?;
    owner.commit().await?;
    Ok(changed)
}

/// Frees the dates of advertising spots that were booked and never paid; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn free_unpaid_arcade_spots(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().jobs.begin().await?;
    let now = state.edge().clock.now();
    let freed = housekeeping::lapse_pending_arcade_spots(&mut owner, now).await?;
    owner.commit().await?;
    Ok(freed)
}

/// Opens the paid advertising spots whose first day has come; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; nothing is changed then.
pub async fn open_paid_arcade_spots(state: &State) -> Result<i32, PgError> {
    let mut owner = state.rooms().jobs.begin().await?;
    let now = state.edge().clock.now();
    let opened = housekeeping::open_paid_arcade_spots(&mut owner, now).await?;
    owner.commit().await?;
    Ok(opened)
}

/// Forgets spent captcha answers whose challenge has ended; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
pub async fn forget_spent_captchas(state: &State) -> Result<i32, PgError> {
    let ended = state.edge().clock.now() - CLOCK_MARGIN;
    let mut all = 0;
    loop {
        let mut owner = state.rooms().jobs.begin().await?;
        let forgotten = captcha_spent::forget(&mut owner, ended, STEP).await?;
        owner.commit().await?;
        all += forgotten;
        if forgotten < STEP {
            return Ok(all);
        }
    }
}

/// Forgets the address hashes of old votes and clicks; how many. They stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was forgotten before stays so.
pub async fn forget_voters(state: &State) -> Result<i32, PgError> {
    let before = state.edge().clock.now() - state.config().retention.identities;
    let mut all = 0;
    loop {
        let mut owner = state.rooms().jobs.begin().await?;
        let forgotten = housekeeping::purge_vote_identities(&mut owner, before, STEP).await?;
        owner.commit().await?;
        all += forgotten;
        // Of either there are so many at most.
        if forgotten < STEP {
            return Ok(all);
        }
    }
}

/// Takes away the rows of old votes; how many. Their figures stay.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_votes(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Votes, state.config().retention.votes).await
}

/// Takes away the rows of old clicks; how many. They stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_clicks(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Clicks, state.config().retention.clicks).await
}

/// Takes away who copied addresses on days that are over, but for a day in hand; how many rows. The
/// copies stay counted.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_copies(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Copies, Duration::from_secs(24 * 60 * 60)).await
}

/// Takes away what voters gave in days, weeks and months long over; how many rows.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_voter_totals(state: &State) -> Result<i32, PgError> {
    thin(state, Old::VoterTotals, state.config().retention.voter_totals).await
}

/// Takes away old deliveries, made or not; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_deliveries(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Deliveries, state.config().retention.deliveries).await
}

/// Takes away tickets as long after their end as deliveries are kept; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_tickets(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Tickets, state.config().retention.deliveries).await
}

/// Takes away old lines of the security log; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_security_events(state: &State) -> Result<i32, PgError> {
    thin(state, Old::SecurityEvents, state.config().retention.security_events).await
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

/// Asks game servers whose time has come how they are; how many were asked.
///
/// # Errors
/// When the database refuses or cannot be asked; what was found before stays, and who was not
/// written down is asked again.
pub async fn check_statuses(state: &State) -> Result<u64, PgError> {
    check_statuses::check_due(state).await
}

/// Takes away how servers were on days long past; how many rows.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_status_days(state: &State) -> Result<i32, PgError> {
    thin(state, Old::StatusDays, state.config().retention.statuses).await
}

/// Takes away the browsers that asked for nothing in half a year; how many.
///
/// # Errors
/// When the database refuses or cannot be asked; what was taken before stays so.
pub async fn thin_subscriptions(state: &State) -> Result<i32, PgError> {
    thin(state, Old::Subscriptions, UNASKED).await
}

/// In steps, beside everything else: no vote waits for more than one of them.
async fn thin(state: &State, what: Old, kept: Duration) -> Result<i32, PgError> {
    let before = state.edge().clock.now() - kept;
    let mut all = 0;
    loop {
        let mut owner = state.rooms().jobs.begin().await?;
        let thinned = housekeeping::thin(&mut owner, what, before, STEP).await?;
        owner.commit().await?;
        all += thinned;
        if thinned < STEP {
            return Ok(all);
        }
    }
}
