//! Delivery after the commit: by the request that enqueued the messages, or by a worker if that
//! request was lost.

use std::error::Error;

use chrono::TimeDelta;
use compat_mail::{ClaimedMessage, JobOutcome};
use tokio_util::sync::CancellationToken;

use super::deliver::deliver;
use super::message::{OutboxMessage, PendingMessages};
use crate::error::AuthError;
use crate::state::State;

/// The pause before a failed notification is retried.
const LATER: TimeDelta = TimeDelta::seconds(30);

/// Delivers the enqueued messages in order.
///
/// # Errors
/// The first failure. The commit stays, and nothing is retried later, because the person sees the
/// failure and may repeat the request.
pub async fn send(
    state: &State,
    pending: impl IntoIterator<Item = PendingMessages>,
) -> Result<(), AuthError> {
    deliver_all(state, pending).await.map(drop)
}

/// Like [`send`]; returns the provider's id of the last text message.
pub(super) async fn deliver_all(
    state: &State,
    pending: impl IntoIterator<Item = PendingMessages>,
) -> Result<Option<String>, AuthError> {
    let (mut id, mut refusal) = (None, None);
    for (claimed, message) in pending.into_iter().flat_map(|pending| pending.0) {
        if refusal.is_none() {
            match deliver(state, &message).await {
                Ok(last_id) => id = last_id.or(id),
                Err(error) => refusal = Some(error),
            }
        }
        state.outbox.remove(&claimed).await;
    }
    refusal.map_or(Ok(id), Err)
}

/// Delivers notifications. Their events have happened, so a worker retries one that fails.
pub async fn send_notifications(state: &State, pending: impl IntoIterator<Item = PendingMessages>) {
    for (claimed, message) in pending.into_iter().flat_map(|pending| pending.0) {
        match deliver(state, &message).await {
            Ok(_) => state.outbox.remove(&claimed).await,
            Err(error) => {
                tracing::warn!(id = claimed.id, %error, "cannot send a notification; it is retried later");
                state.outbox.retry(&claimed, LATER, &reason(&error)).await;
            }
        }
    }
}

/// Delivers unclaimed messages until `stop` is cancelled, and then waits for the deliveries in
/// progress.
pub async fn run(state: State, stop: CancellationToken) {
    let attempt = |claimed| attempt(state.clone(), claimed);
    state.outbox.dispatch(attempt, stop).await;
}

async fn attempt(state: State, claimed: ClaimedMessage) -> JobOutcome {
    let Ok(message) = claimed.payload::<OutboxMessage>() else {
        return JobOutcome::GiveUp("it cannot be read".to_owned());
    };
    if state.now() > claimed.put_at + message.lifetime(&state) {
        return JobOutcome::GiveUp("its code is worth nothing any more".to_owned());
    }
    match deliver(&state, &message).await {
        Ok(_) => JobOutcome::Done,
        Err(error) => JobOutcome::Retry(reason(&error)),
    }
}

/// The error with its causes, for the operator.
fn reason(error: &AuthError) -> String {
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        reason = format!("{reason}: {source}");
        cause = source.source();
    }
    reason
}
