//! After the commit: by the request that wrote, or by whoever finds what a lost one left.

use std::error::Error;

use chrono::TimeDelta;
use compat_pg::{ClaimedJob, JobOutcome, QueueRules};
use tokio_util::sync::CancellationToken;

use super::Posted;
use super::carry::carry;
use super::parcel::{Held, LEASE, Parcel};
use crate::error::AuthError;
use crate::state::State;

/// The queue's table.
pub const QUEUE: &str = "auth.mail_queue";

/// When a notice that did not leave is tried again.
const LATER: TimeDelta = TimeDelta::seconds(30);

/// Hands over what was posted, one after the other.
///
/// # Errors
/// The first refusal. What was committed stays, and the person, who hears of it, may ask again: so
/// nothing of it is tried later.
pub async fn send(
    state: &State,
    posted: impl IntoIterator<Item = Posted>,
) -> Result<(), AuthError> {
    hand_over(state, posted).await.map(drop)
}

/// The same, with the id under which a provider of texts took the last.
pub(super) async fn hand_over(
    state: &State,
    posted: impl IntoIterator<Item = Posted>,
) -> Result<Option<String>, AuthError> {
    let (mut id, mut refused) = (None, None);
    for Held { job, parcel } in posted.into_iter().flat_map(|posted| posted.0) {
        if refused.is_none() {
            match carry(state, &parcel).await {
                Ok(taken) => id = taken.or(id),
                Err(error) => refused = Some(error),
            }
        }
        strike_off(state, &job).await;
    }
    refused.map_or(Ok(id), Err)
}

/// Hands notices over. What they tell of has happened, so one that does not leave is for the queue.
pub async fn send_notices(state: &State, notices: impl IntoIterator<Item = Posted>) {
    for Held { job, parcel } in notices.into_iter().flat_map(|posted| posted.0) {
        match carry(state, &parcel).await {
            Ok(_) => strike_off(state, &job).await,
            Err(error) => {
                tracing::warn!(id = job.id, %error, "a notice is tried again later");
                if let Err(error) =
                    state.queue.retry(&job, state.now() + LATER, &told(&error)).await
                {
                    tracing::warn!(id = job.id, %error, "a parcel waits for its lease to end");
                }
            }
        }
    }
}

/// A parcel that cannot be forgotten is handed over once more: late and twice rather than never.
async fn strike_off(state: &State, job: &ClaimedJob) {
    if let Err(error) = state.queue.done(job).await {
        tracing::warn!(id = job.id, %error, "a parcel that left is still in the queue");
    }
}

/// Hands over what nobody holds, again and again until `stop` is cancelled, and then waits for what
/// is under way.
pub async fn run(state: State, stop: CancellationToken) {
    let rules = QueueRules { lease: LEASE, ..QueueRules::default() };
    let attempt = |job| attempt(state.clone(), job);
    state.queue.work(&rules, || state.now(), attempt, stop.cancelled()).await;
}

async fn attempt(state: State, job: ClaimedJob) -> JobOutcome {
    let Ok(parcel) = job.payload::<Parcel>() else {
        return JobOutcome::GiveUp("it cannot be read".to_owned());
    };
    if state.now() > job.put_at + parcel.lifetime(&state) {
        return JobOutcome::GiveUp("its code is worth nothing any more".to_owned());
    }
    match carry(&state, &parcel).await {
        Ok(_) => JobOutcome::Done,
        Err(error) => JobOutcome::Retry(told(&error)),
    }
}

/// The refusal with its causes, for the operator.
fn told(error: &AuthError) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        told = format!("{told}: {source}");
        cause = source.source();
    }
    told
}
