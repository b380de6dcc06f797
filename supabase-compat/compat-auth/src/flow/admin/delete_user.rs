//! Deleting an account, or keeping its id in a row without personal data.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError};
use crate::model::RequestContext;
use crate::state::State;
use crate::store;

/// Deletes the account; with `soft` a row without personal data remains.
///
/// # Errors
/// [`AccountRefusal::UserNotFound`].
#[tracing::instrument(name = "auth.admin_delete_user", skip_all)]
pub async fn delete_user(
    state: &State,
    context: &RequestContext,
    id: Uuid,
    soft: bool,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, id).await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    record_by_admin(state, &mut tx, context, &user, Action::UserDeleted).await?;
    if soft {
        let email = user.email.as_deref().map(|email| blurred(id, email));
        // Truncated to the 15 characters of the longest telephone number.
        let phone = user.phone.as_deref().map(|phone| blurred(id, phone)[..15].to_owned());
        store::session::delete_all(&mut tx, id).await?;
        store::identity::delete_of_user(&mut tx, id).await?;
        store::pending::clear_all(&mut tx, id).await?;
        store::factor::delete_of_user(&mut tx, id).await?;
        store::passkey::delete_of_user(&mut tx, id).await?;
        store::user::admin::soft_delete(
            &mut tx,
            id,
            email.as_deref(),
            phone.as_deref(),
            state.now(),
        )
        .await?;
    } else {
        let deleting =
            |error: sqlx::Error| AuthError::database("Database error deleting user", error);
        store::user::admin::delete(&mut tx, id).await.map_err(deleting)?;
    }
    tx.commit().await?;
    Ok(())
}

/// A hash that replaces an address. It depends on the account's id, so that it differs between
/// accounts with the same address.
fn blurred(id: Uuid, address: &str) -> String {
    let digest = Sha256::new().chain_update(id.to_string()).chain_update(address).finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
