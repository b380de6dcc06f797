//! Refreshing a session: exchanging a refresh token for the next one, with the three cases of
//! reuse.

use uuid::Uuid;

use super::grant::{self, Grant};
use crate::audit::Action;
use crate::error::{AuthError, InvalidRequest, RefreshRefusal};
use crate::model::refresh::{RefreshDecision, check_shape, decide};
use crate::model::{RequestContext, Session, User};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// PostgreSQL's code for a lock that was not granted within `lock_timeout`.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Exchanges a refresh token. Concurrent exchanges of one token wait for each other on the
/// session's row. The later one finds that its token is the parent of the active one, and both
/// succeed with the same child.
///
/// # Errors
/// [`RefreshRefusal`] and others, all with status 400. A reuse that shows a theft commits the
/// revocation although the request fails.
#[tracing::instrument(name = "auth.refresh", skip_all)]
pub async fn refresh(
    state: &State,
    context: &RequestContext,
    token: &str,
) -> Result<Grant, AuthError> {
    refresh_of(state, context, token, None).await
}

/// Like [`refresh`], for an application: only tokens of this client's sessions are known to it.
///
/// # Errors
/// As [`refresh`].
pub async fn refresh_of(
    state: &State,
    context: &RequestContext,
    token: &str,
    client: Option<Uuid>,
) -> Result<Grant, AuthError> {
    if token.is_empty() {
        return Err(InvalidRequest::RefreshTokenMissing.into());
    }
    check_shape(token)?;
    let mut work = UnitOfWork::begin(state, context).await?;
    let session = lock_session(&mut work, token).await?;
    if session.oauth_client_id != client {
        return Err(RefreshRefusal::TokenNotFound.into());
    }
    let user = check(&mut work, &session).await?;
    // Read under the lock: its previous holder may have exchanged this token.
    let (presented, active) = store::refresh_token::presented(&mut work.tx, token)
        .await?
        .ok_or(RefreshRefusal::TokenNotFound)?;
    let rules = &state.config.session;
    let decision = decide(
        &presented,
        active.as_ref(),
        state.now(),
        rules.reuse_interval,
        rules.rotation_enabled,
    );
    let used = store::session::SessionUse {
        session: session.id,
        user_agent: &context.user_agent,
        ip: context.ip,
        now: state.now(),
    };
    let (next, amr) = match decision {
        RefreshDecision::Rotate => {
            let child = state.environment.entropy.alphanumeric_lower(12);
            work.record(&user, Action::TokenRevoked, None).await?;
            let amr = store::session::rotate(&mut work.tx, &used, user.id, token, &child).await?;
            (child, amr)
        }
        RefreshDecision::Repeat(active) => {
            (active, store::session::set_refreshed(&mut work.tx, &used).await?)
        }
        RefreshDecision::Refuse { revoke_family } => {
            return refuse(work, session.id, revoke_family).await;
        }
    };
    work.record(&user, Action::TokenRefreshed, None).await?;
    let opened = grant::go_on(&mut work, user, session, &amr, next).await?;
    opened.issue_grant(work, None).await
}

async fn lock_session(work: &mut UnitOfWork<'_>, token: &str) -> Result<Session, AuthError> {
    match store::refresh_token::lock_session(&mut work.tx, token).await {
        Ok(Some(session)) => Ok(session),
        Ok(None) if store::refresh_token::exists(&mut work.tx, token).await? => {
            Err(RefreshRefusal::WithoutSession.into())
        }
        Ok(None) => Err(RefreshRefusal::TokenNotFound.into()),
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

/// Checks that the person is not banned and the session not expired.
async fn check(work: &mut UnitOfWork<'_>, session: &Session) -> Result<User, AuthError> {
    let state = work.state;
    let user = store::user::load(&mut work.tx, session.user_id).await?;
    let user = user.ok_or(RefreshRefusal::WithoutSession)?;
    let now = state.now();
    if user.is_banned(now) {
        return Err(RefreshRefusal::Banned.into());
    }
    let rules = &state.config.session;
    let timebox_end = rules.timebox.zip(session.created_at).map(|(lifetime, from)| from + lifetime);
    if timebox_end.is_some_and(|end| now > end) || session.not_after.is_some_and(|end| now > end) {
        return Err(RefreshRefusal::SessionExpired("").into());
    }
    let idle_end = rules
        .inactivity_timeout
        .zip(session.last_used_at())
        .map(|(lifetime, from)| from + lifetime);
    if idle_end.is_some_and(|end| now > end) {
        return Err(RefreshRefusal::SessionExpired(" (Inactivity)").into());
    }
    let low_aal_end =
        rules.allow_low_aal.zip(session.created_at).map(|(lifetime, from)| from + lifetime);
    if low_aal_end.is_some_and(|end| now > end) && user.has_verified_factor() && !session.is_aal2()
    {
        return Err(
            RefreshRefusal::SessionExpired(" (Low AAL: User Needs MFA Verification)").into()
        );
    }
    // As in the original, a newer sign-in ends the older session at the older session's next
    // refresh.
    if rules.single_per_user
        && store::session::newest_like(&mut work.tx, session.id, &rules.tags).await?
            != Some(session.id)
    {
        return Err(RefreshRefusal::SessionExpired(" (Revoked by Newer Login)").into());
    }
    Ok(user)
}

async fn refuse(
    mut work: UnitOfWork<'_>,
    session: Uuid,
    revoke_family: bool,
) -> Result<Grant, AuthError> {
    if revoke_family {
        let now = work.now();
        store::refresh_token::revoke_family(&mut work.tx, session, now).await?;
        tracing::warn!(%session, "refresh token reused; session tokens revoked");
    }
    work.commit().await?;
    Err(RefreshRefusal::TokenUsed.into())
}
