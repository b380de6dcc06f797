//! Staying signed in: one refresh token for the next, with the three cases of reuse.

use compat_pg::Owner;
use uuid::Uuid;

use super::Visit;
use super::audit::{self, Action};
use super::grant::{self, Grant};
use crate::error::{AuthError, Invalid, RefreshRefusal};
use crate::model::refresh::{Decision, check_shape, decide};
use crate::model::{Session, User};
use crate::state::State;
use crate::store;

/// A lock was not granted within `lock_timeout`.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Exchanges a refresh token. Parallel exchanges of one token wait for each other on the session's row, and the
/// later one finds its token to be the parent of the active one: both succeed with the same child.
///
/// # Errors
/// All 400; a detected theft commits its revocation although the request fails.
#[tracing::instrument(name = "auth.refresh", skip_all)]
pub async fn refresh(state: &State, visit: &Visit, token: &str) -> Result<Grant, AuthError> {
    refresh_of(state, visit, token, None).await
}

/// The same for an application's session; a session of another, or of none, is unknown to it.
///
/// # Errors
/// As [`refresh`].
pub async fn refresh_of(
    state: &State,
    visit: &Visit,
    token: &str,
    client: Option<Uuid>,
) -> Result<Grant, AuthError> {
    if token.is_empty() {
        return Err(Invalid::RefreshTokenMissing.into());
    }
    check_shape(token)?;
    let mut tx = state.begin().await?;
    let session = lock_session(&mut tx, token).await?;
    if session.oauth_client_id != client {
        return Err(RefreshRefusal::TokenNotFound.into());
    }
    let user = check(state, &mut tx, &session).await?;
    let presented = store::refresh_token::presented(&mut tx, token)
        .await?
        .ok_or(RefreshRefusal::TokenNotFound)?;
    let active = store::refresh_token::active(&mut tx, session.id).await?;
    let rules = &state.config.session;
    let decision = decide(
        &presented,
        active.as_ref(),
        state.now(),
        rules.reuse_interval,
        rules.rotation_enabled,
    );
    let next = match decision {
        Decision::Rotate => rotate(state, &mut tx, visit, &user, &session, token).await?,
        Decision::Repeat(active) => active,
        Decision::Refuse { revoke_family } => {
            return refuse(state, tx, session.id, revoke_family).await;
        }
    };
    let now = state.now();
    store::session::set_refreshed(&mut tx, session.id, &visit.user_agent, visit.ip, now).await?;
    audit::record(state, &mut tx, visit, &user, Action::TokenRefreshed, None).await?;
    let grant = grant::with_refresh_token(state, &mut tx, user.id, session.id, next).await?;
    tx.commit().await?;
    Ok(grant)
}

async fn lock_session(tx: &mut Owner, token: &str) -> Result<Session, AuthError> {
    let found = store::refresh_token::session_of(tx, token).await?;
    let id = found.ok_or(RefreshRefusal::TokenNotFound)?.ok_or(RefreshRefusal::WithoutSession)?;
    store::session::limit_lock_wait(tx).await?;
    match store::session::load_locked(tx, id).await {
        Ok(session) => session.ok_or(AuthError::Refresh(RefreshRefusal::TokenNotFound)),
        Err(error) => {
            let code = error.as_database_error().and_then(|error| error.code());
            if code.as_deref() == Some(LOCK_NOT_AVAILABLE) {
                Err(RefreshRefusal::Conflict.into())
            } else {
                Err(error.into())
            }
        }
    }
}

/// Whether person and session may go on.
async fn check(state: &State, tx: &mut Owner, session: &Session) -> Result<User, AuthError> {
    let user = store::user::load(tx, session.user_id).await?;
    let user = user.ok_or(RefreshRefusal::WithoutSession)?;
    let now = state.now();
    if user.is_banned(now) {
        return Err(RefreshRefusal::Banned.into());
    }
    let rules = &state.config.session;
    let timeboxed = rules.timebox.zip(session.created_at).map(|(life, from)| from + life);
    if timeboxed.is_some_and(|end| now > end) || session.not_after.is_some_and(|end| now > end) {
        return Err(RefreshRefusal::SessionExpired("").into());
    }
    let idle = rules.inactivity_timeout.zip(session.last_used_at()).map(|(life, from)| from + life);
    if idle.is_some_and(|end| now > end) {
        return Err(RefreshRefusal::SessionExpired(" (Inactivity)").into());
    }
    let lonely = rules.allow_low_aal.zip(session.created_at).map(|(life, from)| from + life);
    if lonely.is_some_and(|end| now > end) && user.has_verified_factor() && !session.is_aal2() {
        return Err(
            RefreshRefusal::SessionExpired(" (Low AAL: User Needs MFA Verification)").into()
        );
    }
    if rules.single_per_user
        && store::session::newest_like(tx, session.id, &rules.tags).await? != Some(session.id)
    {
        return Err(RefreshRefusal::SessionExpired(" (Revoked by Newer Login)").into());
    }
    Ok(user)
}

async fn rotate(
    state: &State,
    tx: &mut Owner,
    visit: &Visit,
    user: &User,
    session: &Session,
    token: &str,
) -> Result<String, AuthError> {
    let now = state.now();
    let child = state.edge.entropy.alphanumeric_lower(12);
    audit::record(state, tx, visit, user, Action::TokenRevoked, None).await?;
    store::refresh_token::revoke(tx, token, now).await?;
    store::refresh_token::insert(tx, &child, user.id, session.id, Some(token), now).await?;
    Ok(child)
}

async fn refuse(
    state: &State,
    mut tx: Owner,
    session: Uuid,
    revoke_family: bool,
) -> Result<Grant, AuthError> {
    if revoke_family {
        store::refresh_token::revoke_family(&mut tx, session, state.now()).await?;
        tracing::warn!(%session, "a used refresh token came back; its session's tokens are revoked");
    }
    tx.commit().await?;
    Err(RefreshRefusal::TokenUsed.into())
}
