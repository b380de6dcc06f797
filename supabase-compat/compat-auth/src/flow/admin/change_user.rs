//! Changing an account as an administrator; every change takes effect at once.

use uuid::Uuid;

use super::create_user::UserAttributes;
use crate::account::{confirm, identity};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError};
use crate::model::metadata::merge;
use crate::model::{Address, Email, Phone, RequestContext, User};
use crate::pending;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// Loads an account.
///
/// # Errors
/// [`AccountRefusal::UserNotFound`].
pub async fn find(state: &State, id: Uuid) -> Result<User, AuthError> {
    let mut tx = state.begin().await?;
    store::user::load(&mut tx, id).await?.ok_or(AuthError::Account(AccountRefusal::UserNotFound))
}

/// Applies the given fields. A new password ends all sessions of the account.
///
/// # Errors
/// Malformed fields. An address that another account has is reported as a database error, as in the
/// original.
#[tracing::instrument(name = "auth.admin_change_user", skip_all)]
pub async fn change_user(
    state: &State,
    context: &RequestContext,
    id: Uuid,
    fields: UserAttributes<'_>,
) -> Result<User, AuthError> {
    find(state, id).await?;
    let (email, phone) = fields.addresses()?;
    let ban = fields.ban(state)?;
    let hash = fields.hash(state).await?;
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, id).await?;
    let user = store::user::load(&mut work.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    let now = state.now();
    let addresses = email.map(Address::Email).into_iter().chain(phone.map(Address::Phone));
    for address in addresses {
        change_address(&mut work, id, &address).await?;
    }
    if let Some(role) = fields.role.filter(|role| !role.is_empty()) {
        store::user::admin::set_role(&mut work.tx, id, role, now).await?;
    }
    if let Some(hash) = hash {
        store::user::credentials::set_password(&mut work.tx, id, &hash, now).await?;
        pending::void(&mut work.tx, id).await?;
        store::session::delete_all(&mut work.tx, id).await?;
    }
    if let Some(changes) = fields.user_metadata {
        let mut metadata = user.user_metadata();
        merge(&mut metadata, changes);
        store::user::set_user_metadata(&mut work.tx, id, &metadata, now).await?;
    }
    if let Some(changes) = fields.app_metadata {
        // A new address may have added an identity, which changes `providers` in the metadata.
        let fresh =
            store::user::load(&mut work.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
        let mut metadata = fresh.app_metadata();
        merge(&mut metadata, changes);
        store::user::set_app_metadata(&mut work.tx, id, &metadata, now).await?;
    }
    if let Some(until) = ban {
        store::user::admin::set_banned_until(&mut work.tx, id, until, now).await?;
    }
    confirm_addresses(&mut work, id, fields.email_confirm, fields.phone_confirm).await?;
    let user = store::user::load(&mut work.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    record_by_admin(state, &mut work.tx, context, &user, Action::UserModified).await?;
    work.commit().await?;
    Ok(user)
}

async fn change_address(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    address: &Address,
) -> Result<(), AuthError> {
    let updating = |error: sqlx::Error| AuthError::database("Error updating user", error);
    let (now, text) = (work.now(), Some(address.as_str()));
    match address {
        Address::Email(_) => store::user::contact::set_email(&mut work.tx, id, text, now).await,
        Address::Phone(_) => store::user::contact::set_phone(&mut work.tx, id, text, now).await,
    }
    .map_err(updating)?;
    let user = work.user(id).await?;
    identity::put(work, &user, address, false).await
}

async fn confirm_addresses(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    email: bool,
    phone: bool,
) -> Result<(), AuthError> {
    if !email && !phone {
        return Ok(());
    }
    let user = work.user(id).await?;
    if email {
        confirm::note(work, &user, &Address::Email(Email::stored(user.email()))).await?;
    }
    if phone {
        confirm::note(work, &user, &Address::Phone(Phone::stored(user.phone()))).await?;
    }
    store::pending::clear_all(&mut work.tx, id).await?;
    Ok(())
}
