//! Ending sessions. Their rows are deleted together with their refresh tokens, which also
//! invalidates their access tokens.

use crate::audit::{self, Action};
use crate::error::{AuthError, InvalidRequest};
use crate::guard::authenticate::AuthenticatedUser;
use crate::model::RequestContext;
use crate::state::State;
use crate::store;

/// Which sessions end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Global,
    Local,
    Others,
}

impl Scope {
    /// # Errors
    /// [`InvalidRequest::LogoutScope`].
    pub fn parse(text: Option<&str>) -> Result<Self, InvalidRequest> {
        match text {
            None | Some("" | "global") => Ok(Self::Global),
            Some("local") => Ok(Self::Local),
            Some("others") => Ok(Self::Others),
            Some(other) => Err(InvalidRequest::LogoutScope(other.to_owned())),
        }
    }
}

/// Ends the sessions of `scope`.
#[tracing::instrument(name = "auth.sign_out", skip_all)]
pub async fn sign_out(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    scope: Scope,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    audit::record(state, &mut tx, context, &caller.user, Action::Logout, None).await?;
    match (&caller.session, scope) {
        (Some(session), Scope::Local) => store::session::delete(&mut tx, session.id).await?,
        (Some(session), Scope::Others) => {
            store::session::delete_others(&mut tx, caller.user.id, session.id).await?;
        }
        // A token without a session identifies none to keep or to end, so all sessions end.
        _ => store::session::delete_all(&mut tx, caller.user.id).await?,
    }
    tx.commit().await?;
    Ok(())
}
