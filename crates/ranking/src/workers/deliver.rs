//! The delivery of votes to their receivers.
//!
//! A delivery is a row written in its vote's transaction, so it exists exactly when the vote does.
//! A worker claims receivers (lanes), not deliveries: one process at a time visits a receiver, for
//! a bounded time, and after failures with growing pauses, so that a slow, dead or hostile receiver
//! delays no other. Delivery is at least once: a vote is sent again under the same id when its
//! outcome could not be recorded.
//!
//! There is no polling between visits: a vote sends a notification when it wakes a lane, and each
//! lane has a due time.

mod hook;
mod listener;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_fair_semaphore::KeyedLimiter;
use compat_pg::PgError;
use futures_util::future::join_all;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::State;
use crate::model::delivery::{
    Attempt, AttemptRecord, DeliveryError, PendingDelivery, Receiver, record_of,
};
use crate::store::delivery::{self, Lane, LaneStatus, VisitOutcome};

/// The notification channel that wakes the worker.
const CHANNEL: &str = "public.delivery_lanes";

/// The concurrent visits of one process.
const AT_ONCE: usize = 32;

/// How long a visit sends further deliveries …
const VISIT: Duration = Duration::from_secs(15);

/// … and its time limit, with the longest attempt at its end.
const LEASE: Duration = Duration::from_secs(60);

/// The concurrent visits to one host …
const AT_ONE_HOST: usize = 2;

/// … and to a host that many owners use and that has its own rate limits.
const AT_A_COMMON_HOST: usize = 8;
const COMMON: [&str; 2] = ["discord.com", "discordapp.com"];

/// The deliveries whose outcomes are recorded together; at most this many are sent again after a
/// crash.
const CHUNK: i64 = 16;

/// The concurrent requests to one webhook; a listener gets one.
const TO_ONE_HOOK: usize = 2;

/// The longest wait without a notification from the database.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// The pauses between attempts while the database is unavailable.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A receiver is switched off when all its visits failed for this long, and at least this many.
const ABANDONED_AFTER: Duration = Duration::from_secs(3 * 24 * 60 * 60);
const ABANDONED_VISITS: i32 = 20;

/// The concurrent visits to a host, however many servers name it.
fn visits_at(host: &String) -> usize {
    if COMMON.contains(&&**host) { AT_A_COMMON_HOST } else { AT_ONE_HOST }
}

/// Delivers votes until `stop` is cancelled, and then finishes the running visits.
pub async fn run_deliveries(state: State, stop: CancellationToken) {
    let hosts = KeyedLimiter::new(visits_at);
    let mut woken = state.pools().deliveries.listener().subscribe(CHANNEL);
    // Visits are tasks, because they hold connections and must continue while the loop waits for
    // others.
    let mut running = JoinSet::new();
    let (mut next_look, mut pause) = (Instant::now(), FIRST_PAUSE);
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            // A notification only means that a delivery may be due.
            Some(_) = woken.next() => next_look = Instant::now(),
            Some(due) = running.join_next() => {
                next_look = next_look.min(due.ok().flatten().unwrap_or(next_look));
            }
            () = sleep_until(next_look), if running.len() < AT_ONCE => {
                match claim_lanes(&state, AT_ONCE - running.len()).await {
                    Ok((lanes, next)) => {
                        for lane in lanes {
                            let (state, hosts) = (state.clone(), hosts.clone());
                            running.spawn(async move { run_visit(&state, &hosts, lane).await });
                        }
                        (next_look, pause) = (next, FIRST_PAUSE);
                    }
                    Err(error) => {
                        tracing::warn!(%error, ?pause, "delivery lanes not claimed: database error");
                        next_look = Instant::now() + pause;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                }
            }
        }
    }
    while running.join_next().await.is_some() {}
}

/// Claims lanes that are due; also returns when to look again.
async fn claim_lanes(state: &State, limit: usize) -> Result<(Vec<Lane>, Instant), PgError> {
    let now = state.environment().clock.now();
    let mut owner = state.pools().deliveries.begin().await?;
    let lanes = delivery::claim(&mut owner, now, LEASE, limit).await?;
    let wait = if lanes.len() == limit {
        Duration::ZERO
    } else {
        let due = delivery::next_due(&mut owner).await?;
        due.map_or(LONGEST_SLEEP, |due| (due - now).to_std().unwrap_or_default())
    };
    owner.commit().await?;
    Ok((lanes, Instant::now() + wait.min(LONGEST_SLEEP)))
}

/// Visits a lane; returns when it is due again. A lost visit is repeated when its lease ends.
async fn run_visit(state: &State, hosts: &KeyedLimiter<String>, lane: Lane) -> Option<Instant> {
    let visit = AssertUnwindSafe(visit(state, hosts, &lane)).catch_unwind();
    let status = match timeout(LEASE, visit).await {
        Ok(Ok(Ok(status))) => status?,
        Ok(Ok(Err(error))) => {
            tracing::warn!(server = %lane.server_id, %error, "delivery visit not recorded: database error");
            return None;
        }
        Ok(Err(_)) | Err(_) => {
            tracing::error!(server = %lane.server_id, "delivery visit lost: timeout or panic");
            return None;
        }
    };
    let wait = (status.due_at? - state.environment().clock.now()).to_std().unwrap_or_default();
    Some(Instant::now() + wait)
}

async fn visit(
    state: &State,
    hosts: &KeyedLimiter<String>,
    lane: &Lane,
) -> Result<Option<LaneStatus>, PgError> {
    let start = Instant::now();
    let now = || state.environment().clock.now();
    let (receiver, mut pending) = open(state, lane, now()).await?;
    let Some(receiver) = receiver.filter(Receiver::is_active) else {
        let mut owner = state.pools().deliveries.begin().await?;
        delivery::drop_pending(&mut owner, lane).await?;
        let status = delivery::end_visit(&mut owner, lane, VisitOutcome::Ok, now()).await?;
        owner.commit().await?;
        return Ok(status);
    };
    // A visit that waited for its host would keep other lanes from one of the `AT_ONCE` places.
    let Some(_permit) = hosts.try_acquire(receiver.host()) else {
        return end_visit(state, lane, VisitOutcome::Busy, &[], now()).await;
    };
    loop {
        let (records, failed) = send_all(state, &receiver, &pending).await;
        let outcome = if failed.is_some() { VisitOutcome::Failed } else { VisitOutcome::Ok };
        let is_over = failed.is_some() || start.elapsed() > VISIT || pending.is_empty();
        // A chunk that is not full contained all that was due.
        if is_over || (pending.len() as i64) < CHUNK {
            let status = end_visit(state, lane, outcome, &records, now()).await?;
            if let (Some(fault), Some(status)) = (failed, &status) {
                disable_if_failing(state, lane, fault, status).await?;
            }
            return Ok(status);
        }
        let mut owner = state.pools().deliveries.begin().await?;
        delivery::record(&mut owner, &records, now()).await?;
        pending = delivery::pending(&mut owner, lane, now(), CHUNK).await?;
        owner.commit().await?;
        state.server_changes().record_delivery(lane.server_id);
    }
}

async fn open(
    state: &State,
    lane: &Lane,
    now: DateTime<Utc>,
) -> Result<(Option<Receiver>, Vec<PendingDelivery>), PgError> {
    let Some(channel) = lane.channel() else { return Ok((None, Vec::new())) };
    let mut owner = state.pools().deliveries.begin().await?;
    let receiver = delivery::receiver(&mut owner, lane.server_id, channel, now).await?;
    let pending = delivery::pending(&mut owner, lane, now, CHUNK).await?;
    owner.commit().await?;
    Ok((receiver, pending))
}

async fn end_visit(
    state: &State,
    lane: &Lane,
    outcome: VisitOutcome,
    records: &[AttemptRecord],
    now: DateTime<Utc>,
) -> Result<Option<LaneStatus>, PgError> {
    let mut owner = state.pools().deliveries.begin().await?;
    if !records.is_empty() {
        delivery::record(&mut owner, records, now).await?;
    }
    let status = delivery::end_visit(&mut owner, lane, outcome, now).await?;
    owner.commit().await?;
    if !records.is_empty() {
        state.server_changes().record_delivery(lane.server_id);
    }
    Ok(status)
}

/// Sends deliveries until one fails through the receiver's fault; returns the results.
async fn send_all(
    state: &State,
    receiver: &Receiver,
    pending: &[PendingDelivery],
) -> (Vec<AttemptRecord>, Option<DeliveryError>) {
    let width = match receiver {
        Receiver::Hook(_) => TO_ONE_HOOK,
        Receiver::Listener(_) => 1,
    };
    let mut all = Vec::with_capacity(pending.len());
    for some in pending.chunks(width) {
        let attempts = join_all(some.iter().map(|one| attempt(state, receiver, one))).await;
        let fault = attempts.iter().find_map(|attempt| attempt.outcome.err());
        let now = state.environment().clock.now();
        all.extend(some.iter().zip(attempts).map(|(one, attempt)| record_of(one, attempt, now)));
        if let Some(fault) = fault.filter(|fault| fault.is_receivers_fault()) {
            return (all, Some(fault));
        }
    }
    (all, None)
}

/// Sends one delivery to a receiver.
pub(crate) async fn attempt(
    state: &State,
    receiver: &Receiver,
    pending: &PendingDelivery,
) -> Attempt {
    match receiver {
        Receiver::Hook(hook) => {
            let receipt = state.receipts().sign_delivery(&state.environment().public_url, pending);
            hook::call(state.environment(), hook, pending, receipt.as_deref()).await
        }
        Receiver::Listener(listener) => {
            listener::call(state.environment(), listener, pending).await
        }
    }
}

/// Switches off a receiver that answers that it is gone, or that failed for too long.
async fn disable_if_failing(
    state: &State,
    lane: &Lane,
    fault: DeliveryError,
    status: &LaneStatus,
) -> Result<(), PgError> {
    let now = state.environment().clock.now();
    let since = status.failing_since.unwrap_or(now);
    let is_abandoned = status.failures >= ABANDONED_VISITS && now - since >= abandoned_after();
    if fault != DeliveryError::Gone && !is_abandoned {
        return Ok(());
    }
    let mut owner = state.pools().deliveries.begin().await?;
    delivery::disable(&mut owner, lane, fault.code(), now).await?;
    owner.commit().await
}

fn abandoned_after() -> chrono::TimeDelta {
    chrono::TimeDelta::from_std(ABANDONED_AFTER).unwrap_or_default()
}
