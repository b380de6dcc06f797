//! The end of a flow with proof key: a code and its verifier for a session, once.

use super::grant::{self, Grant};
use crate::audit::Action;
use crate::error::{AccountRefusal, AskerRefusal, AuthError, Invalid, OneTimeRefusal};
use crate::model::Visit;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// Exchanges `code`, which the browser brought, with `verifier`, which only the starter knows.
///
/// # Errors
/// [`OneTimeRefusal::FlowStateNotFound`], [`OneTimeRefusal::FlowStateExpired`] or
/// [`OneTimeRefusal::BadCodeVerifier`].
#[tracing::instrument(name = "auth.exchange_code", skip_all)]
pub async fn exchange_code(
    state: &State,
    visit: &Visit,
    code: &str,
    verifier: &str,
) -> Result<Grant, AuthError> {
    if code.is_empty() || verifier.is_empty() {
        return Err(Invalid::ExchangeIncomplete.into());
    }
    let mut turn = Turn::begin(state, visit).await?;
    let flow = store::flow_state::by_code(&mut turn.tx, code)
        .await?
        .ok_or(OneTimeRefusal::FlowStateNotFound)?;
    // The clock starts when the code is handed out: who opens a mail late is not late with the
    // code.
    let started = flow.auth_code_issued_at.or(flow.created_at);
    if started.is_none_or(|from| state.now() > from + state.config.flow_state_expiry) {
        return Err(OneTimeRefusal::FlowStateExpired.into());
    }
    flow.challenge().ok_or(OneTimeRefusal::BadCodeVerifier)?.verify(verifier)?;
    let user = flow.user_id.ok_or(OneTimeRefusal::FlowStateNotFound)?;
    let user = store::user::load(&mut turn.tx, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    if user.is_banned(state.now()) {
        return Err(AskerRefusal::Banned.into());
    }
    turn.record(&user, Action::Login, None).await?;
    let opened = grant::open(&mut turn, user.id, &flow.authentication_method).await?;
    store::flow_state::delete(&mut turn.tx, flow.id).await?;
    let grant = opened.hand_out(turn, None).await?;
    Ok(Grant {
        provider_token: flow.provider_access_token,
        provider_refresh_token: flow.provider_refresh_token,
        ..grant
    })
}
