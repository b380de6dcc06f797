//! Accounts with an unproven address. Anybody can create one for another person's address and
//! choose its password, and hope that the owner confirms it one day. So a password counts only if
//! it was chosen in the request whose mail is confirmed.
//!
//! A pending sign-up has the password of its own request: the next sign-up replaces it, and a mail
//! of another kind removes it. If another flow, for instance a recovery, proves the address later,
//! everything of the earlier sign-up is removed.

use compat_pg::Owner;

use crate::error::AuthError;
use crate::model::User;
use crate::state::State;
use crate::store;

/// Replaces the password of an unproven account with that of the latest sign-up.
pub async fn replace_password(
    state: &State,
    tx: &mut Owner,
    user: &User,
    hash: &str,
) -> Result<(), AuthError> {
    if user.is_unproven() {
        store::user::credentials::set_password(tx, user.id, hash, state.now()).await?;
    }
    Ok(())
}

/// Removes the password of an unproven account, because this mail must not confirm it.
pub async fn drop_password(state: &State, tx: &mut Owner, user: &User) -> Result<(), AuthError> {
    if user.is_unproven() && user.has_password() {
        store::user::credentials::clear_password(tx, user.id, state.now()).await?;
    }
    Ok(())
}

/// Removes every earlier means of access, because another flow than the sign-up proved the address.
pub async fn shut_out(state: &State, tx: &mut Owner, user: &User) -> Result<(), AuthError> {
    if !user.is_unproven() {
        return Ok(());
    }
    drop_password(state, tx, user).await?;
    store::session::delete_all(tx, user.id).await?;
    store::factor::delete_of_user(tx, user.id).await?;
    store::passkey::delete_of_user(tx, user.id).await?;
    Ok(())
}
