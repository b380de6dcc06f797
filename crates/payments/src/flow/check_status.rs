//! Somebody waits before the page that says how their payment stands: the provider is asked now.

use std::net::IpAddr;

use crate::flow::settle::settle;
use crate::store::payment;
use crate::{Refusal, State};

/// The state of a session's payment, after a look where it may still be paid. A provider that does
/// not answer changes nothing: the page asks again.
///
/// # Errors
/// When nobody has the session, one address asks too often, or the database cannot be asked.
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
    // The state is read again: a notice may have settled the payment meanwhile.
    let payment_state = payment::state_of(&mut owner, session).await?;
    owner.commit().await?;
    payment_state.ok_or(Refusal::PaymentNotFound)
}

/// Whether a text from a browser may be a session's id at all; no text of a row holds NUL.
pub(crate) fn may_be_session(text: &str) -> bool {
    (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
