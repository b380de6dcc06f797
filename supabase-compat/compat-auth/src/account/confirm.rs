//! Confirming an address of an account.

use crate::error::AuthError;
use crate::model::{Address, User};
use crate::pending;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Marks the address as confirmed on the account and in its metadata, and deletes every pending
/// code, because these were issued while the account was unconfirmed.
///
/// # Errors
/// The error that a trigger raises.
pub async fn confirm(
    work: &mut UnitOfWork<'_>,
    user: &User,
    address: &Address,
) -> Result<(), AuthError> {
    note(work, user, address).await?;
    pending::void(&mut work.tx, user.id).await
}

/// Like [`confirm`], for an account that was created a moment ago and has no pending codes.
///
/// # Errors
/// The error that a trigger raises.
pub async fn note(
    work: &mut UnitOfWork<'_>,
    user: &User,
    address: &Address,
) -> Result<(), AuthError> {
    let saving = |error: sqlx::Error| AuthError::database("Database error updating user", error);
    let now = work.now();
    match address {
        Address::Email(_) => store::user::contact::confirm_email(&mut work.tx, user.id, now).await,
        Address::Phone(_) => store::user::contact::confirm_phone(&mut work.tx, user.id, now).await,
    }
    .map_err(saving)
}
