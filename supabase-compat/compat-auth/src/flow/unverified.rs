//! Accounts whose address nobody proved yet. Anybody can make one for an address of somebody else
//! and choose its password, in the hope that the owner confirms it one day; so a password is worth
//! no more than the mail it was chosen with.
//!
//! A pending sign-up carries the password of its own request: the next sign-up replaces it, and a
//! mail of another kind takes it away. What proves the address later, a recovery for instance,
//! leaves nothing of whoever was there before.

use compat_pg::Owner;

use crate::error::AuthError;
use crate::model::User;
use crate::state::State;
use crate::store;

/// The latest sign-up is the one that its mail confirms.
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

/// A mail that lets in without a password confirms none.
pub async fn drop_password(state: &State, tx: &mut Owner, user: &User) -> Result<(), AuthError> {
    if user.is_unproven() && user.has_password() {
        store::user::credentials::clear_password(tx, user.id, state.now()).await?;
    }
    Ok(())
}

/// The address is proven by another way than the sign-up itself: every way in that was there before
/// ends.
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
