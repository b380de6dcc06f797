//! Reading and revoking the consents that a person gave to applications.

use uuid::Uuid;

use super::check_enabled;
use crate::error::{AuthError, ClientRefusal};
use crate::guard::authenticate::AuthenticatedUser;
use crate::state::State;
use crate::store;
use crate::store::consent::GrantRow;

/// The person's consents.
///
/// # Errors
/// [`DisabledFeature::OauthServer`](crate::error::DisabledFeature::OauthServer).
#[tracing::instrument(name = "auth.list_grants", skip_all)]
pub async fn list(state: &State, caller: &AuthenticatedUser) -> Result<Vec<GrantRow>, AuthError> {
    check_enabled(state)?;
    Ok(store::consent::grants(&mut *state.begin().await?, caller.user.id).await?)
}

/// Revokes the consent to `client` and ends the sessions that it opened.
///
/// # Errors
/// [`ClientRefusal::ConsentNotFound`].
#[tracing::instrument(name = "auth.revoke_grant", skip_all)]
pub async fn revoke(
    state: &State,
    caller: &AuthenticatedUser,
    client: Uuid,
) -> Result<(), AuthError> {
    check_enabled(state)?;
    let mut tx = state.begin().await?;
    if !store::consent::revoke(&mut tx, caller.user.id, client, state.now()).await? {
        return Err(ClientRefusal::ConsentNotFound.into());
    }
    tx.commit().await?;
    Ok(())
}
