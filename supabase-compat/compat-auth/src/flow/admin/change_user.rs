//! An administrator changes an account; everything takes effect at once.

use compat_pg::Owner;
use uuid::Uuid;

use super::create_user::{Fields, confirm, put_identity};
use crate::error::{AccountRefusal, AuthError};
use crate::flow::Visit;
use crate::flow::audit::{Action, record_by_admin};
use crate::model::metadata::merge;
use crate::model::{Email, Phone, User};
use crate::state::State;
use crate::store;

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
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, id).await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    let now = state.now();
    change_addresses(state, &mut tx, id, email, phone).await?;
    if let Some(role) = fields.role.filter(|role| !role.is_empty()) {
        store::user::set_role(&mut tx, id, role, now).await?;
    }
    if let Some(hash) = hash {
        store::user::set_password(&mut tx, id, &hash, now).await?;
        store::user::clear_tokens(&mut tx, id).await?;
        store::one_time_token::clear_all(&mut tx, id).await?;
        store::session::delete_all(&mut tx, id).await?;
    }
    if let Some(changes) = fields.user_metadata {
        let mut metadata = user.user_metadata();
        merge(&mut metadata, changes);
        store::user::set_user_metadata(&mut tx, id, &metadata, now).await?;
    }
    if let Some(changes) = fields.app_metadata {
        let fresh = store::user::load(&mut tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
        let mut metadata = fresh.app_metadata();
        merge(&mut metadata, changes);
        store::user::set_app_metadata(&mut tx, id, &metadata, now).await?;
    }
    if let Some(until) = ban {
        store::user::set_banned_until(&mut tx, id, until, now).await?;
    }
    confirm(state, &mut tx, id, fields.email_confirm, fields.phone_confirm).await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    record_by_admin(state, &mut tx, visit, &user, Action::UserModified).await?;
    tx.commit().await?;
    Ok(user)
}

async fn change_addresses(
    state: &State,
    tx: &mut Owner,
    id: Uuid,
    email: Option<Email>,
    phone: Option<Phone>,
) -> Result<(), AuthError> {
    let updating = |error: sqlx::Error| AuthError::database("Error updating user", error);
    if let Some(email) = &email {
        store::user::set_email(tx, id, Some(email.as_str()), state.now())
            .await
            .map_err(updating)?;
        put_identity(state, tx, id, "email", Some(email.as_str()), None).await?;
    }
    if let Some(phone) = &phone {
        store::user::set_phone(tx, id, Some(phone.as_str()), state.now())
            .await
            .map_err(updating)?;
        put_identity(state, tx, id, "phone", None, Some(phone.as_str())).await?;
    }
    Ok(())
}
