//! A payer waits on the page that shows the state of their payment, so the provider is asked at
//! once.

use std::net::IpAddr;

use crate::flow::settle::settle;
use crate::store::payment;
use crate::{Refusal, State};

/// The state of a session's payment. The provider is asked first if the payment is still open; if
/// it does not answer, the state stays as it is, and the page asks again.
///
/// # Errors
/// When no payment has the session, one address asks too often, or the database fails.
#[tracing::instrument(name = "payments.check_status", skip_all)]
pub(crate) async fn check_status(
    state: &State,
    session: &str,
    ip: IpAddr,
) -> Result<String, Refusal> {
    state.count(|limits| &limits.status_checks, ip)?;
    if !may_be_session(session) {
        return Err(Refusal::PaymentNotFound);
    }
    let db = &state.pools().calls;
    let mut owner = db.begin().await?;
    let open = payment::find_open(&mut owner, session).await?;
    // The provider is asked outside of a transaction, so that no connection waits for its answer.
    owner.commit().await?;
    let provider = open.as_ref().and_then(|open| state.provider_named(open.provider.as_deref()));
    if let Some(provider) = provider {
        match provider.status(session).await {
            Ok(status) => drop(settle(db, Some(session), None, &status).await?),
            Err(error) => tracing::warn!(%error, "payment status not checked: provider error"),
        }
    }
    let mut owner = db.begin().await?;
    // The state is read again: a webhook event may have settled the payment meanwhile.
    let payment_state = payment::state_of(&mut owner, session).await?;
    owner.commit().await?;
    payment_state.ok_or(Refusal::PaymentNotFound)
}

/// Whether a text from a browser has the form of a session id; PostgreSQL's texts cannot contain
/// NUL.
pub(crate) fn may_be_session(text: &str) -> bool {
    (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
