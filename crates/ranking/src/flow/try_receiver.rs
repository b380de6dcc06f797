//! Tests a receiver for its owner: one immediate attempt, and its result.

use compat_functions::Caller;
use serde_json::json;
use uuid::Uuid;

use crate::model::delivery::{Attempt, AttemptRecord, Channel, DeliveryError, PendingDelivery};
use crate::store::delivery;
use crate::workers::deliver;
use crate::{Refusal, State};

/// The nickname in a test delivery, which is valid in every game.
const NICKNAME: &str = "PalmaresTest";

/// Sends a test vote to a receiver and logs the delivery. A test also works while the receiver is
/// switched off, and is never retried.
///
/// # Errors
/// When the caller requests too many, does not own the server, or has set up no receiver, or the
/// database fails.
#[tracing::instrument(name = "ranking.try_receiver", skip_all, fields(%server))]
pub(crate) async fn try_receiver(
    state: &State,
    server: Uuid,
    channel: Channel,
    caller: &Caller,
    ip: std::net::IpAddr,
) -> Result<Attempt, Refusal> {
    let now = state.environment().clock.now();
    let too_often = |retry_after| Refusal::TooManyRequests { retry_after };
    state.limits().trials.take(&state.voter(ip), now).map_err(too_often)?;
    let claims = caller.claims().ok_or(Refusal::Unauthenticated)?;
    let mut owner = state.pools().deliveries.begin().await?;
    if !delivery::may_try(&mut owner, server, claims.json()).await? {
        return Err(Refusal::NotOwner);
    }
    let receiver = delivery::receiver(&mut owner, server, channel, now).await?;
    let receiver = receiver.ok_or(Refusal::NoReceiver)?;
    let facts = delivery::server_facts(&mut owner, server).await?;
    // No transaction stays open while the receiver is called, which may take seconds.
    owner.commit().await?;
    let trial = PendingDelivery {
        id: state.environment().entropy.uuid(),
        event: format!("{}.test", channel.name()),
        payload: json!({
            "event": format!("{}.test", channel.name()),
            "vote": { "id": Uuid::nil(), "nickname": NICKNAME, "voted_at": now },
            "server": facts,
        }),
        attempts: 0,
        queued_at: now,
    };
    let attempt = deliver::attempt(state, &receiver, &trial).await;
    let mut owner = state.pools().deliveries.begin().await?;
    // One transaction writes the row and its outcome. A pending row would be delivered once more.
    delivery::put_trial(&mut owner, server, channel, &trial).await?;
    delivery::record(
        &mut owner,
        &[trial_record(&trial, &attempt)],
        state.environment().clock.now(),
    )
    .await?;
    owner.commit().await?;
    Ok(attempt)
}

fn trial_record(trial: &PendingDelivery, attempt: &Attempt) -> AttemptRecord {
    let fault = attempt.outcome.err().map(DeliveryError::code);
    AttemptRecord {
        id: trial.id,
        status: if fault.is_none() { "delivered" } else { "failed" },
        attempts: 1,
        next_attempt_at: None,
        fault,
        error: fault,
        request: attempt.request.clone(),
        answer_status: attempt.answer_status,
        answer: attempt.answer.clone(),
        is_confirmed: attempt.outcome.ok(),
    }
}
