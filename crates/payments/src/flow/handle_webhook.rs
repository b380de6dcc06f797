//! Stripe reports an event about a session or a charge. The event is recorded and applied in one
//! transaction, so it counts once however often Stripe sends it, and not at all if the process dies
//! meanwhile.

use compat_pg::{Owner, PgError};

use crate::State;
use crate::flow::settle::settle_in;
use crate::model::stripe_event::{Event, EventKind};
use crate::model::stripe_signature::{self, SignatureError};
use crate::retry::retry_on_conflict;
use crate::store::{payment, refund};

/// Why an event is rejected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WebhookError {
    /// The event is not signed by Stripe.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The body is not an event, or its object does not fit its type.
    #[error("event unreadable")]
    Unreadable(#[from] serde_json::Error),
    /// The event is about money that was not reported yet: an earlier event has not arrived.
    #[error("event out of order: an earlier one is missing")]
    OutOfOrder,
    /// The database failed.
    #[error("internal error")]
    Database(#[from] PgError),
}

/// Handles a webhook event.
///
/// # Errors
/// When the event is not authentic, or Stripe has to send it again.
#[tracing::instrument(name = "payments.handle_webhook", skip_all, fields(event, kind))]
pub(crate) async fn handle_webhook(
    state: &State,
    signature: &str,
    body: &[u8],
) -> Result<(), WebhookError> {
    let secrets = &state.config().stripe_webhook_secrets;
    // The signature covers the raw body, so the body is not parsed before the signature is
    // verified.
    stripe_signature::verify(secrets, signature, body, state.environment().clock.unix())?;
    let event = Event::read(body)?;
    let (id, type_name) = (event.id.clone(), event.type_name.clone());
    let span = tracing::Span::current();
    span.record("event", id.as_str()).record("kind", type_name.as_str());
    let event_kind = event.into_kind()?;
    let (id, type_name, event_kind) = (&*id, &*type_name, &event_kind);
    let is_applied = retry_on_conflict(|| async move {
        let mut owner = state.pools().calls.begin().await?;
        let is_applied = apply(&mut owner, id, type_name, event_kind).await?;
        if is_applied {
            owner.commit().await?
        } else {
            // This removes the record of the event too, or the repeated event would be ignored.
            owner.rollback().await?
        }
        Ok(is_applied)
    })
    .await?;
    if is_applied { Ok(()) } else { Err(WebhookError::OutOfOrder) }
}

/// Records the event and applies it. Returns false when Stripe has to send it again.
async fn apply(
    owner: &mut Owner,
    id: &str,
    type_name: &str,
    kind: &EventKind,
) -> Result<bool, PgError> {
    // Stripe may send an event more than once (https://docs.stripe.com/webhooks).
    if !payment::record_event(owner, "stripe", id, type_name, kind.session()).await? {
        tracing::debug!("stripe event ignored: already processed");
        return Ok(true);
    }
    match kind {
        EventKind::Session { session, status } => {
            settle_in(owner, Some(&session.id), session.payment(), status).await?;
        }
        EventKind::Refunded { charge, payment, total_cents } => {
            let is_new = refund::record_total(owner, charge, *total_cents).await?;
            // Stripe keeps no order: a refund may arrive before the event that reports its payment.
            if let Some(payment) = payment.filter(|_| !is_new) {
                return Ok(!refund::is_unpaid(owner, payment).await?);
            }
        }
        EventKind::RefundFailed { charge, cents, problem } => {
            if refund::record_failure(owner, charge, *cents, problem).await? {
                tracing::warn!(problem, "refund failed at the bank: an administrator has to act");
            }
        }
        EventKind::Disputed { charge } => {
            if refund::record_dispute(owner, charge).await? {
                tracing::warn!("payment disputed by the payer's bank");
            }
        }
        EventKind::Other => tracing::debug!("stripe event ignored: no payment of this site"),
    }
    Ok(true)
}
