//! An account made by an administrator: no mail, no strength rules, no closed door.

use chrono::{DateTime, Utc};
use compat_pg::Owner;
use serde_json::json;
use uuid::Uuid;

use crate::error::{AccountRefusal, AuthError, Invalid};
use crate::flow::audit::{Action, record_by_admin};
use crate::flow::sign_up::{identity_data, object};
use crate::flow::{Visit, providers};
use crate::hashing::is_known;
use crate::model::metadata::{Metadata, merge};
use crate::model::{Email, Phone, User, duration};
use crate::state::State;
use crate::store;

/// The fields of an account as an administrator gives them, for making and for changing one.
#[derive(Debug, Default)]
pub struct Fields<'a> {
    pub id: Option<Uuid>,
    pub aud: Option<&'a str>,
    pub role: Option<&'a str>,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub password: Option<&'a str>,
    pub password_hash: Option<&'a str>,
    pub email_confirm: bool,
    pub phone_confirm: bool,
    pub user_metadata: Option<Metadata>,
    pub app_metadata: Option<Metadata>,
    pub ban_duration: Option<&'a str>,
}

/// The end of a ban: lifted, or a moment.
pub type Ban = Option<DateTime<Utc>>;

impl Fields<'_> {
    /// The addresses, parsed; empty ones count as absent.
    pub fn addresses(&self) -> Result<(Option<Email>, Option<Phone>), Invalid> {
        let given = |text: &&str| !text.is_empty();
        let email = self.email.filter(given).map(Email::parse).transpose()?;
        let phone = self.phone.filter(given).map(Phone::parse).transpose()?;
        Ok((email, phone))
    }

    /// What becomes of a ban, if anything.
    pub fn ban(&self, state: &State) -> Result<Option<Ban>, Invalid> {
        match self.ban_duration {
            None | Some("") => Ok(None),
            Some("none") => Ok(Some(None)),
            Some(text) => {
                let length = duration::parse(text);
                let end = length.and_then(|length| state.now().checked_add_signed(length));
                end.map(|end| Some(Some(end))).ok_or(Invalid::BanDuration(text.to_owned()))
            }
        }
    }

    /// The hash to store, of whichever form was given.
    pub async fn hash(&self, state: &State) -> Result<Option<String>, AuthError> {
        match (self.password.filter(|text| !text.is_empty()), self.password_hash) {
            (Some(_), Some(hash)) if !hash.is_empty() => Err(Invalid::PasswordAndHash.into()),
            (Some(password), _) if password.len() > 72 => Err(Invalid::PasswordTooLong.into()),
            (Some(password), _) => Ok(Some(state.hash(password).await?)),
            (None, Some(hash)) if is_known(hash) => Ok(Some(hash.to_owned())),
            (None, Some(hash)) if !hash.is_empty() => Err(Invalid::PasswordHash.into()),
            _ => Ok(None),
        }
    }
}

/// Makes the account.
///
/// # Errors
/// Malformed fields, or [`AccountRefusal::EmailExists`] and [`AccountRefusal::PhoneExists`].
#[tracing::instrument(name = "auth.admin_create_user", skip_all)]
pub async fn create_user(
    state: &State,
    visit: &Visit,
    fields: Fields<'_>,
) -> Result<User, AuthError> {
    let (email, phone) = fields.addresses()?;
    if email.is_none() && phone.is_none() {
        return Err(Invalid::AdminAddressMissing.into());
    }
    let ban = fields.ban(state)?;
    let hash = fields.hash(state).await?;
    let mut tx = state.begin().await?;
    let aud = fields.aud.filter(|aud| !aud.is_empty()).unwrap_or(&visit.aud);
    let email = email.as_ref().map(Email::as_str);
    let phone = phone.as_ref().map(Phone::as_str);
    check_free(&mut tx, email, phone, aud).await?;
    let id = fields.id.unwrap_or_else(|| state.uuid());
    insert(state, &mut tx, id, aud, email, phone, hash.as_deref(), &fields).await?;
    let now = state.now();
    if let Some(until) = ban {
        store::user::set_banned_until(&mut tx, id, until, now).await?;
    }
    confirm(state, &mut tx, id, fields.email_confirm, fields.phone_confirm).await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    record_by_admin(state, &mut tx, visit, &user, Action::UserSignedUp).await?;
    tx.commit().await?;
    Ok(user)
}

async fn check_free(
    tx: &mut Owner,
    email: Option<&str>,
    phone: Option<&str>,
    aud: &str,
) -> Result<(), AuthError> {
    if let Some(email) = email {
        store::user::lock_address(tx, email).await?;
        if store::user::id_by_email(tx, email, aud).await?.is_some() {
            return Err(AccountRefusal::EmailExists.into());
        }
    }
    if let Some(phone) = phone {
        store::user::lock_address(tx, phone).await?;
        if store::user::id_by_phone(tx, phone, aud).await?.is_some() {
            return Err(AccountRefusal::PhoneExists.into());
        }
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "they are the row's columns, already checked")]
async fn insert(
    state: &State,
    tx: &mut Owner,
    id: Uuid,
    aud: &str,
    email: Option<&str>,
    phone: Option<&str>,
    hash: Option<&str>,
    fields: &Fields<'_>,
) -> Result<(), AuthError> {
    let saving =
        |error: sqlx::Error| AuthError::database("Database error creating new user", error);
    let now = state.now();
    let names: Vec<&str> =
        [email.map(|_| "email"), phone.map(|_| "phone")].into_iter().flatten().collect();
    let mut app_metadata = object(json!({"provider": names.first(), "providers": names}));
    merge(&mut app_metadata, fields.app_metadata.clone().unwrap_or_default());
    let row = store::user::NewRow {
        id,
        aud,
        email,
        phone,
        encrypted_password: hash,
        app_metadata: &app_metadata,
        user_metadata: &fields.user_metadata.clone().unwrap_or_default(),
        is_anonymous: false,
        now,
    };
    store::user::insert(tx, &row).await.map_err(saving)?;
    let role = fields.role.filter(|role| !role.is_empty());
    let role = role.unwrap_or(&state.config.jwt_default_group_name);
    store::user::set_role(tx, id, role, now).await.map_err(saving)?;
    for provider in names {
        put_identity(state, tx, id, provider, email, phone).await?;
    }
    Ok(())
}

/// Makes the identity of an address, or writes the address into the one there is.
pub async fn put_identity(
    state: &State,
    tx: &mut Owner,
    id: Uuid,
    provider: &str,
    email: Option<&str>,
    phone: Option<&str>,
) -> Result<(), AuthError> {
    let user = store::user::load(tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    let (email, phone) = match provider {
        "email" => (email, None),
        _ => (None, phone),
    };
    let data = identity_data(id, email, phone, Metadata::new());
    if let Some(identity) = user.identity(provider) {
        let mut merged = identity.identity_data.clone();
        merge(&mut merged, data);
        store::identity::set_data(tx, identity.id, &merged, state.now()).await?;
        return Ok(());
    }
    let row = store::identity::NewRow {
        id: state.uuid(),
        user_id: id,
        provider,
        provider_id: &id.to_string(),
        data: &data,
        now: state.now(),
    };
    store::identity::insert(tx, &row).await?;
    providers::recompute(state, tx, id).await
}

/// Marks addresses as confirmed where that is wanted.
pub async fn confirm(
    state: &State,
    tx: &mut Owner,
    id: Uuid,
    email: bool,
    phone: bool,
) -> Result<(), AuthError> {
    let now = state.now();
    let user = store::user::load(tx, id).await?.ok_or(AccountRefusal::UserNotFound)?;
    let mut metadata = user.user_metadata();
    if email {
        store::user::confirm_email(tx, id, now).await?;
        metadata.insert("email_verified".to_owned(), json!(true));
    }
    if phone {
        store::user::confirm_phone(tx, id, now).await?;
        metadata.insert("phone_verified".to_owned(), json!(true));
    }
    if email || phone {
        store::user::set_user_metadata(tx, id, &metadata, now).await?;
        store::one_time_token::clear_all(tx, id).await?;
    }
    Ok(())
}
