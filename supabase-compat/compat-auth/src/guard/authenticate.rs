//! Authentication: from a bearer token to an account, with the refusals in the original's order.

use std::sync::Arc;

use compat_token::Claims;
use sqlx::PgConnection;

use crate::error::{AuthError, CallerRefusal};
use crate::model::{Session, User};
use crate::state::State;
use crate::store;

/// A person whose token, account and session were checked.
pub struct AuthenticatedUser {
    pub claims: Arc<Claims>,
    pub user: User,
    pub session: Option<Session>,
}

/// Verifies the token.
///
/// # Errors
/// [`CallerRefusal::NoAuthorization`] or [`CallerRefusal::BadJwt`].
pub fn claims(state: &State, bearer: Option<&str>) -> Result<Arc<Claims>, AuthError> {
    let token = bearer.ok_or(CallerRefusal::NoAuthorization)?;
    state
        .keys
        .verify(token, state.environment.clock.unix())
        .map_err(|refusal| CallerRefusal::BadJwt(refusal).into())
}

/// Loads the token's account and session; the token is invalid once either is deleted.
///
/// # Errors
/// The first refusal of: no subject, no account, no session, banned.
pub async fn user(state: &State, claims: Arc<Claims>) -> Result<AuthenticatedUser, AuthError> {
    let id = subject(&claims)?;
    let mut tx = state.begin().await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(CallerRefusal::SubjectGone)?;
    let session = session(&mut tx, &claims).await?;
    if session.as_ref().is_some_and(|session| session.user_id != user.id) {
        return Err(CallerRefusal::SessionGone.into());
    }
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    Ok(AuthenticatedUser { claims, user, session })
}

/// Checks that the token is an administrator's.
///
/// # Errors
/// [`CallerRefusal::NotAdmin`], or [`CallerRefusal::SessionGone`] when it belongs to a session that
/// ended.
pub async fn admin(state: &State, claims: &Claims) -> Result<(), AuthError> {
    let role = claims.role().unwrap_or_default();
    if !state.config.jwt_admin_roles.iter().any(|admin| admin == role) {
        return Err(CallerRefusal::NotAdmin.into());
    }
    if claims.get("session_id").is_some() {
        session(&mut *state.begin().await?, claims).await?;
    }
    Ok(())
}

fn subject(claims: &Claims) -> Result<uuid::Uuid, AuthError> {
    match claims.sub_text() {
        None | Some("") => Err(CallerRefusal::MissingSubject.into()),
        Some(text) => text.parse().map_err(|_| AuthError::Caller(CallerRefusal::SubjectNotUuid)),
    }
}

/// Loads the token's session; tokens without a session claim (of API keys, or of other issuers)
/// have none.
async fn session(conn: &mut PgConnection, claims: &Claims) -> Result<Option<Session>, AuthError> {
    match claims.get("session_id").and_then(|id| id.as_str()).filter(|id| !id.is_empty()) {
        None => Ok(None),
        Some(_) => {
            let id = claims.session_id().ok_or(CallerRefusal::SessionGone)?;
            store::session::load(conn, id)
                .await?
                .ok_or(AuthError::Caller(CallerRefusal::SessionGone))
                .map(Some)
        }
    }
}
