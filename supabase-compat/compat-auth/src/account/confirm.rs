//! An address counts as its owner's from now on.

use crate::error::AuthError;
use crate::model::{Address, User};
use crate::pending;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Notes it on the account, and that it is verified in what is known of the person; forgets every
/// pending code, since they were drawn for somebody of whom less was known.
///
/// # Errors
/// A trigger's.
pub async fn confirm(
    work: &mut UnitOfWork<'_>,
    user: &User,
    address: &Address,
) -> Result<(), AuthError> {
    note(work, user, address).await?;
    pending::void(&mut work.tx, user.id).await
}

/// The same for an account that was made a moment ago, for which nothing is pending.
///
/// # Errors
/// A trigger's.
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
