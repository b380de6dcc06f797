//! The end of a PKCE flow: exchanging a code and its verifier for a session, once.

use super::grant::{self, Grant};
use crate::audit::Action;
use crate::error::{AccountRefusal, AuthError, CallerRefusal, InvalidRequest, OneTimeRefusal};
use crate::model::RequestContext;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Exchanges `code`, which the browser received, with `verifier`, which only the client that
/// started the flow knows.
///
/// # Errors
/// [`OneTimeRefusal::FlowStateNotFound`], [`OneTimeRefusal::FlowStateExpired`] or
/// [`OneTimeRefusal::BadCodeVerifier`].
#[tracing::instrument(name = "auth.exchange_code", skip_all)]
pub async fn exchange_code(
    state: &State,
    context: &RequestContext,
    code: &str,
    verifier: &str,
) -> Result<Grant, AuthError> {
    if code.is_empty() || verifier.is_empty() {
        return Err(InvalidRequest::ExchangeIncomplete.into());
    }
    let mut work = UnitOfWork::begin(state, context).await?;
    let flow = store::flow_state::by_code(&mut work.tx, code)
        .await?
        .ok_or(OneTimeRefusal::FlowStateNotFound)?;
    // The code expires counted from its issue, so that a mail opened late does not shorten its
    // lifetime.
    let started = flow.auth_code_issued_at.or(flow.created_at);
    if started.is_none_or(|from| state.now() > from + state.config.flow_state_expiry) {
        return Err(OneTimeRefusal::FlowStateExpired.into());
    }
    flow.challenge().ok_or(OneTimeRefusal::BadCodeVerifier)?.verify(verifier)?;
    let user = flow.user_id.ok_or(OneTimeRefusal::FlowStateNotFound)?;
    let user = store::user::load(&mut work.tx, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    work.record(&user, Action::Login, None).await?;
    let opened = grant::open(&mut work, user.id, &flow.authentication_method).await?;
    store::flow_state::delete(&mut work.tx, flow.id).await?;
    let grant = opened.issue_grant(work, None).await?;
    Ok(Grant {
        provider_token: flow.provider_access_token,
        provider_refresh_token: flow.provider_refresh_token,
        ..grant
    })
}
