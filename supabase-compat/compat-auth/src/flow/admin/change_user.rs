//! An administrator changes an account; everything takes effect at once.

use uuid::Uuid;

use super::create_user::Fields;
use crate::account::{confirm, identity};
use crate::audit::{Action, record_by_admin};
use crate::error::{AccountRefusal, AuthError};
use crate::model::metadata::merge;
use crate::model::{Address, Email, Phone, User, Visit};
use crate::pending;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// Finds an account.
///
/// # Errors
/// [`AccountRefusal::UserNotFound`].
pub async fn find(state: &State, id: Uuid) -> Result<User, AuthError> {
    let mut tx = state.begin().await?;
    store::user::load(&mut tx, id).await?.ok_or(AuthError::Account(AccountRefusal::UserNotFound))
}

/// Applies the given fields. A new password logs its owner out everywhere.
///
/// # Errors
/// Malformed fields; a taken address is the database's refusal, told as the original tells it.
#[tracing::instrument(name = "auth.admin_change_user", skip_all)]
pub async fn change_user(
    state: &State,
    visit: &Visit,
    id: Uuid,
    fields: Fields<'_>,
) -> Result<User, AuthError> {
    find(state, id).await?;
    let (email, phone) = fields.addresses()?;
    let ban = fields.ban(state)?;
    let hash = fields.hash(state).await?;
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock(&mut turn.tx, id).await?;
    let user = store::user::load(&mut turn.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    let now = state.now();
    let addresses = email.map(Address::Email).into_iter().chain(phone.map(Address::Phone));
    for address in addresses {
        change_address(&mut turn, id, &address).await?;
    }
    if let Some(role) = fields.role.filter(|role| !role.is_empty()) {
        store::user::set_role(&mut turn.tx, id, role, now).await?;
    }
    if let Some(hash) = hash {
        store::user::set_password(&mut turn.tx, id, &hash, now).await?;
        pending::void(&mut turn.tx, id).await?;
        store::session::delete_all(&mut turn.tx, id).await?;
    }
    if let Some(changes) = fields.user_metadata {
        let mut metadata = user.user_metadata();
        merge(&mut metadata, changes);
        store::user::set_user_metadata(&mut turn.tx, id, &metadata, now).await?;
    }
    if let Some(changes) = fields.app_metadata {
        let fresh =
            store::user::load(&mut turn.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
        let mut metadata = fresh.app_metadata();
        merge(&mut metadata, changes);
        store::user::set_app_metadata(&mut turn.tx, id, &metadata, now).await?;
    }
    if let Some(until) = ban {
        store::user::set_banned_until(&mut turn.tx, id, until, now).await?;
    }
    confirm_addresses(&mut turn, id, fields.email_confirm, fields.phone_confirm).await?;
    let user = store::user::load(&mut turn.tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    record_by_admin(state, &mut turn.tx, visit, &user, Action::UserModified).await?;
    turn.commit().await?;
    Ok(user)
}

async fn change_address(turn: &mut Turn<'_>, id: Uuid, address: &Address) -> Result<(), AuthError> {
    let updating = |error: sqlx::Error| AuthError::database("Error updating user", error);
    let (now, text) = (turn.now(), Some(address.as_str()));
    match address {
        Address::Email(_) => store::user::set_email(&mut turn.tx, id, text, now).await,
        Address::Phone(_) => store::user::set_phone(&mut turn.tx, id, text, now).await,
    }
    .map_err(updating)?;
    let user = turn.user(id).await?;
    identity::put(turn, &user, address, false).await
}

async fn confirm_addresses(
    turn: &mut Turn<'_>,
    id: Uuid,
    email: bool,
    phone: bool,
) -> Result<(), AuthError> {
    if !email && !phone {
        return Ok(());
    }
    let user = turn.user(id).await?;
    if email {
        confirm::note(turn, &user, &Address::Email(Email::stored(user.email()))).await?;
    }
    if phone {
        confirm::note(turn, &user, &Address::Phone(Phone::stored(user.phone()))).await?;
    }
    store::pending::clear_all(&mut turn.tx, id).await?;
    Ok(())
}
