//! Vote reminders: a browser asks for a push message when it can vote again, and receives it.
//!
//! Reminders are not part of a vote's transaction. The browser requests one afterwards, and its
//! time is computed from the stored vote.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::PgError;
use futures_util::StreamExt as _;
use futures_util::stream;
use page_registry::Language;
use uuid::Uuid;

use crate::model::reminder::{Browser, RemindedServer, message};
use crate::store::reminder::{self, DueReminder};
use crate::workers::push::{self, PushOutcome, Recipient};
use crate::{Refusal, State};

/// The reminders claimed at once.
const BATCH: i32 = 200;

/// The messages sent at once; a slow push service blocks at most this many.
const AT_ONCE: usize = 16;

/// The lease on claimed reminders; longer than sending a whole batch to slow push services takes.
const LEASE: Duration = Duration::from_secs(180);

/// The most attempts to send a reminder; after these it is out of date.
const TRIES: i32 = 4;

/// Stores a reminder; returns when it is due.
///
/// # Errors
/// When one address asks too often, the subscription's keys are invalid, there is no vote within
/// the cooldown, or the database fails.
#[tracing::instrument(name = "ranking.ask_reminder", skip_all, fields(%server))]
pub(crate) async fn ask(
    state: &State,
    browser: Browser,
    server: Uuid,
    ip: IpAddr,
) -> Result<DateTime<Utc>, Refusal> {
    let voter = state.voter(ip);
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().reminders.take(&voter, now).map_err(too_often)?;
    if Recipient::new(&browser.p256dh, &browser.auth).is_err() {
        return Err(Refusal::BadRequest("The keys of the subscription cannot be used"));
    }
    let mut owner = state.pools().jobs.begin().await?;
    let due = reminder::ask(&mut owner, &browser, server, &voter, now).await?;
    owner.commit().await?;
    due.ok_or(Refusal::NoVoteToWaitFor)
}

/// Deletes all reminders of a browser, or the one for a server; returns how many.
///
/// # Errors
/// When one address asks too often, or the database fails.
#[tracing::instrument(name = "ranking.end_reminders", skip_all)]
pub(crate) async fn end(
    state: &State,
    endpoint: &str,
    server: Option<Uuid>,
    ip: IpAddr,
) -> Result<i32, Refusal> {
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    let now = state.environment().clock.now();
    state.limits().reminders.take(&state.voter(ip), now).map_err(too_often)?;
    let mut owner = state.pools().jobs.begin().await?;
    let cancelled = reminder::cancel(&mut owner, endpoint, server).await?;
    owner.commit().await?;
    Ok(cancelled)
}

/// Sends the reminders that are due, one message per browser; returns how many messages were
/// claimed.
///
/// # Errors
/// When the database fails; reminders that were not sent are tried again.
pub(crate) async fn send_due(state: &State) -> Result<u64, PgError> {
    let mut count = 0;
    loop {
        let now = state.environment().clock.now();
        let mut owner = state.pools().jobs.begin().await?;
        let due = reminder::claim(&mut owner, now, LEASE, BATCH).await?;
        owner.commit().await?;
        let is_last = due.len() < usize::try_from(BATCH).unwrap_or_default();
        let mut by_browser: BTreeMap<Uuid, Vec<DueReminder>> = BTreeMap::new();
        for one in due {
            by_browser.entry(one.subscription_id).or_default().push(one);
        }
        let mut under_way = stream::iter(by_browser.into_values())
            .map(|due| async { (attempt(state, &due).await, due) })
            .buffer_unordered(AT_ONCE);
        while let Some((outcome, due)) = under_way.next().await {
            count += u64::from(outcome == PushOutcome::Accepted);
            record(state, &outcome, &due).await?;
        }
        if is_last {
            return Ok(count);
        }
    }
}

/// Sends one browser its reminders, of which there is at least one.
async fn attempt(state: &State, due: &[DueReminder]) -> PushOutcome {
    let Some(first) = due.first() else { return PushOutcome::Accepted };
    let Ok(to) = Recipient::new(&first.p256dh, &first.auth) else { return PushOutcome::Gone };
    let language = Language::parse(&first.language).unwrap_or(Language::Fr);
    let servers: Vec<_> = due
        .iter()
        .map(|due| RemindedServer { name: due.server_name.clone(), slug: due.server_slug.clone() })
        .collect();
    let message = message(language, &servers).to_string();
    push::send(state.environment(), state.vapid(), &first.endpoint, &to, message.as_bytes()).await
}

async fn record(state: &State, outcome: &PushOutcome, due: &[DueReminder]) -> Result<(), PgError> {
    let Some(first) = due.first() else { return Ok(()) };
    let mut owner = state.pools().jobs.begin().await?;
    match outcome {
        PushOutcome::Gone => reminder::drop_subscription(&mut owner, first.subscription_id).await?,
        PushOutcome::Failed(reason) if due.iter().all(|due| due.attempts < TRIES) => {
            tracing::info!(%reason, "reminder not sent; tried again later");
        }
        PushOutcome::Accepted | PushOutcome::Refused(_) | PushOutcome::Failed(_) => {
            if let PushOutcome::Refused(reason) | PushOutcome::Failed(reason) = outcome {
                tracing::warn!(%reason, "reminder abandoned");
            }
            let servers: Vec<Uuid> = due.iter().map(|due| due.server_id).collect();
            reminder::remove(&mut owner, first.subscription_id, &servers).await?;
        }
    }
    owner.commit().await
}
