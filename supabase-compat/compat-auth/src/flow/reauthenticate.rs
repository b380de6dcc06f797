//! Reauthentication of a signed-in person with a code by mail or text message.

use chrono::TimeDelta;

use crate::audit::{self, Action};
use crate::error::{AccountRefusal, AuthError, CallerRefusal, InvalidRequest, SignInRefusal};
use crate::guard::attempt_limit::{self, AttemptKind};
use crate::guard::authenticate::AuthenticatedUser;
use crate::model::{RequestContext, TokenHash, User};
use crate::outbox::{self, email, text};
use crate::pending::Purpose;
use crate::state::State;
use crate::store;

/// Sends the code to the account's e-mail address, or to its number if it has none. Returns the id
/// of the text message, if one was sent.
///
/// # Errors
/// The account has no confirmed address, or a code was sent a moment ago.
#[tracing::instrument(name = "auth.reauthenticate", skip_all)]
pub async fn reauthenticate(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
) -> Result<Option<String>, AuthError> {
    let by_mail = !caller.user.email().is_empty();
    match (by_mail, caller.user.phone().is_empty()) {
        (false, true) => return Err(InvalidRequest::ReauthenticationAddress.into()),
        (true, _) if !caller.user.is_confirmed() => {
            return Err(SignInRefusal::ReauthenticateUnconfirmed.into());
        }
        (false, _) if caller.user.phone_confirmed_at.is_none() => {
            return Err(SignInRefusal::ReauthenticatePhoneUnconfirmed.into());
        }
        _ => {}
    }
    let mut tx = state.begin().await?;
    // Loaded again under the lock, because the time of the last code limits the next one.
    store::user::lock(&mut tx, caller.user.id).await?;
    let user =
        store::user::load(&mut tx, caller.user.id).await?.ok_or(CallerRefusal::SubjectGone)?;
    audit::record(state, &mut tx, context, &user, Action::ReauthenticateRequested, None).await?;
    if by_mail {
        let mail = email::reauthentication(state, &mut tx, context, &user).await?;
        tx.commit().await?;
        outbox::send(state, [mail]).await?;
        return Ok(None);
    }
    let purpose = Purpose::Reauthentication;
    let text = text::code(state, &mut tx, &user, user.phone(), purpose).await?;
    tx.commit().await?;
    text::send(state, text).await
}

/// Whether a password change in this session needs a code: it does once the session is a day old.
pub fn is_needed(state: &State, caller: &AuthenticatedUser) -> bool {
    let opened = caller.session.as_ref().and_then(|session| session.created_at);
    let fresh = opened.is_some_and(|at| state.now() < at + TimeDelta::hours(24));
    state.config.password.update_requires_reauthentication && !fresh
}

/// Checks a code against the pending one; attempts are limited as for codes that sign in.
///
/// # Errors
/// [`AccountRefusal::ReauthenticationNotValid`], or
/// [`RateLimitRefusal::TooManyRequests`](crate::error::RateLimitRefusal::TooManyRequests).
pub async fn check(
    state: &State,
    context: &RequestContext,
    user: &User,
    nonce: &str,
) -> Result<(), AuthError> {
    let attempt =
        attempt_limit::reserve_alone(state, AttemptKind::Code, &user.id.to_string(), context.ip)
            .await?;
    let by_mail = !user.email().is_empty();
    let lifetime =
        if by_mail { state.config.email.otp_expiry } else { state.config.sms.otp_expiry };
    let stored = user.reauthentication_token.as_deref().unwrap_or_default();
    let expired =
        user.reauthentication_sent_at.is_none_or(|sent_at| state.now() > sent_at + lifetime);
    if expired || !TokenHash::of(user.name(), nonce).is(stored) {
        return Err(AccountRefusal::ReauthenticationNotValid.into());
    }
    attempt.refund(state).await;
    Ok(())
}
