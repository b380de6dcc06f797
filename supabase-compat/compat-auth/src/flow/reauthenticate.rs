//! Proving once more that the signed-in person is there, by a mailed code.

use chrono::TimeDelta;

use super::admit::Admitted;
use super::audit::{self, Action};
use super::{Visit, notify};
use crate::error::{AuthError, Invalid};
use crate::model::{TokenHash, User};
use crate::state::State;
use crate::store;

/// Mails the code.
///
/// # Errors
/// The account has no confirmed e-mail address, or asked a moment ago.
#[tracing::instrument(name = "auth.reauthenticate", skip_all)]
pub async fn reauthenticate(state: &State, visit: &Visit, who: &Admitted) -> Result<(), AuthError> {
    if who.user.email().is_empty() {
        return Err(Invalid::ReauthenticationAddress.into());
    }
    if !who.user.is_confirmed() {
        return Err(AuthError::ReauthenticateUnconfirmed);
    }
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, who.user.id).await?;
    let user = store::user::load(&mut tx, who.user.id).await?.ok_or(AuthError::SubjectGone)?;
    audit::record(state, &mut tx, visit, &user, Action::ReauthenticateRequested, None).await?;
    let mail = notify::reauthentication(state, &mut tx, visit, &user).await?;
    tx.commit().await?;
    notify::send(state, [mail]).await
}

/// Whether a password change by this session needs a code: it does once the session is a day old.
pub fn is_needed(state: &State, who: &Admitted) -> bool {
    let opened = who.session.as_ref().and_then(|session| session.created_at);
    let fresh = opened.is_some_and(|at| state.now() < at + TimeDelta::hours(24));
    state.config.password.update_requires_reauthentication && !fresh
}

/// Checks a code against the pending one.
///
/// # Errors
/// [`AuthError::ReauthenticationNotValid`].
pub fn check(state: &State, user: &User, nonce: &str) -> Result<(), AuthError> {
    let stored = user.reauthentication_token.as_deref().unwrap_or_default();
    let expired = user
        .reauthentication_sent_at
        .is_none_or(|sent| state.now() > sent + state.config.email.otp_expiry);
    if expired || !TokenHash::of(user.email(), nonce).is(stored) {
        return Err(AuthError::ReauthenticationNotValid);
    }
    Ok(())
}
