//! Stripe tells of a session or a charge. What it tells is noted and acted on in one transaction, so
//! that a notice counts once however often it comes, and not at all if we die over it.

use compat_pg::{Owner, PgError};

use crate::State;
use crate::again::again;
use crate::flow::settle::settle_in;
use crate::model::stripe_event::{Event, News};
use crate::model::stripe_signature::{self, Disbelief};
use crate::store::{payment, refund};

/// Why a notice is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unheard {
    /// Somebody else sent it.
    #[error(transparent)]
    Disbelieved(#[from] Disbelief),
    /// It is no event, or none of the shape its type says.
    #[error("the event cannot be read")]
    Unreadable(#[from] serde_json::Error),
    /// It is about money we have not heard of: what comes before it is still on its way.
    #[error("what came before is not here yet")]
    TooEarly,
    /// The database failed us.
    #[error("something went wrong on our side")]
    Database(#[from] PgError),
}

/// Hears a notice.
///
/// # Errors
/// When it is not to be believed, or is to come again.
#[tracing::instrument(name = "payments.hear", skip_all, fields(event, kind))]
pub(crate) async fn hear(state: &State, signature: &str, body: &[u8]) -> Result<(), Unheard> {
    let secrets = &state.config().stripe_webhook_secrets;
    stripe_signature::verify(secrets, signature, body, state.environment().clock.unix())?;
    let event = Event::read(body)?;
    let (id, kind) = (event.id.clone(), event.kind.clone());
    let span = tracing::Span::current();
    span.record("event", id.as_str()).record("kind", kind.as_str());
    let news = event.news()?;
    let (id, kind, news) = (&*id, &*kind, &news);
    let is_done = again(|| async move {
        let mut owner = state.pools().calls.begin().await?;
        let is_done = act(&mut owner, id, kind, news).await?;
        if is_done {
            owner.commit().await?
        } else {
            owner.rollback().await?
        }
        Ok(is_done)
    })
    .await?;
    if is_done { Ok(()) } else { Err(Unheard::TooEarly) }
}

/// False: it is to come again.
async fn act(owner: &mut Owner, id: &str, kind: &str, news: &News) -> Result<bool, PgError> {
    if !payment::note_event(owner, "stripe", id, kind, news.session()).await? {
        tracing::debug!("heard before");
        return Ok(true);
    }
    match news {
        News::Session { session, standing } => {
            settle_in(owner, Some(&session.id), session.payment(), standing).await?;
        }
        News::Refunded { charge, payment, total_cents } => {
            let is_news = refund::note_total(owner, charge, *total_cents).await?;
            if let Some(payment) = payment.filter(|_| !is_news) {
                return Ok(!refund::is_unheard_of(owner, payment).await?);
            }
        }
        News::RefundFailed { charge, cents, problem } => {
            if refund::note_failure(owner, charge, *cents, problem).await? {
                tracing::warn!(problem, "a refund did not arrive; a person is to see to it");
            }
        }
        News::Disputed { charge } => {
            if refund::note_dispute(owner, charge).await? {
                tracing::warn!("a payer's bank disputes a payment");
            }
        }
        News::Other => tracing::debug!("nothing of ours"),
    }
    Ok(true)
}
