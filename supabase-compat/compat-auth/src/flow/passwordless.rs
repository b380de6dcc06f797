//! Links and codes instead of a password, by mail or by text message.

use compat_pg::Owner;

use super::audit::{self, Action};
use super::recover::known;
use super::sign_up::{NewAccount, create_account};
use super::{Visit, unproven};
use crate::error::{AuthError, Closed, Disabled, Invalid};
use crate::mail::MailKind;
use crate::model::metadata::{self, Metadata};
use crate::model::{Challenge, Email, OneTime, Phone, User};
use crate::post::{self, letter, text};
use crate::state::State;
use crate::store;

/// What was asked.
#[derive(Debug)]
pub struct Passwordless<'a> {
    pub email: &'a str,
    pub data: Metadata,
    pub create_user: bool,
    pub challenge: Option<Challenge>,
}

/// Mails a link and a code that sign in; an unknown person is signed up first, when that is wanted and open.
///
/// # Errors
/// [`Closed::OtpSignup`] for unknown addresses that may not be signed up.
#[tracing::instrument(name = "auth.passwordless", skip_all)]
pub async fn passwordless(
    state: &State,
    visit: &Visit,
    asked: Passwordless<'_>,
) -> Result<(), AuthError> {
    if !state.config.email.enabled || !state.config.email.magic_link_enabled {
        return Err(Closed::Email(Disabled::Login).into());
    }
    if asked.email.is_empty() {
        return Err(Invalid::EmailMissing.into());
    }
    let email = Email::parse(asked.email)?;
    metadata::check_size(&asked.data)?;
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, email.as_str()).await?;
    let challenge = asked.challenge.as_ref();
    let user = match known(&mut tx, visit, &email).await? {
        Some(user) => user,
        None => {
            may_create(state, asked.create_user)?;
            let new = NewAccount {
                email: Some(email.as_str()),
                phone: None,
                hash: None,
                data: asked.data,
                provider: Some("email"),
                by_admin: false,
            };
            create_account(state, &mut tx, &visit.aud, new).await?
        }
    };
    let mail = if user.is_confirmed() || state.config.email.autoconfirm {
        audit::record(state, &mut tx, visit, &user, Action::RecoveryRequested, None).await?;
        letter::way_in(state, &mut tx, visit, &user, MailKind::MagicLink, challenge).await?
    } else {
        audit::record(state, &mut tx, visit, &user, Action::ConfirmationRequested, None).await?;
        // Where passwords count before the address is confirmed, anybody could take one away so.
        if !state.config.email.allow_unverified_sign_ins {
            unproven::drop_password(state, &mut tx, &user).await?;
        }
        letter::confirmation(state, &mut tx, visit, &user, challenge).await?
    };
    tx.commit().await?;
    post::send(state, [mail]).await
}

fn may_create(state: &State, wanted: bool) -> Result<(), AuthError> {
    if !wanted {
        return Err(Closed::OtpSignup.into());
    }
    if state.config.disable_signup { Err(AuthError::Closed(Closed::Signup)) } else { Ok(()) }
}

/// The account of a number, locked.
pub async fn known_by_phone(
    tx: &mut Owner,
    visit: &Visit,
    phone: &Phone,
) -> Result<Option<User>, AuthError> {
    match store::user::id_by_phone(tx, phone.as_str(), &visit.aud).await? {
        Some(id) => {
            store::user::lock(tx, id).await?;
            Ok(store::user::load(tx, id).await?)
        }
        None => Ok(None),
    }
}

/// Sends a code that signs in; an unknown person is signed up first, when that is wanted and open.
///
/// # Errors
/// [`Closed::PhoneOtp`], [`Closed::OtpSignup`], or the number is malformed.
#[tracing::instrument(name = "auth.passwordless_by_phone", skip_all)]
pub async fn by_phone(
    state: &State,
    visit: &Visit,
    phone: &str,
    data: Metadata,
    create_user: bool,
) -> Result<Option<String>, AuthError> {
    if !state.config.phone_enabled {
        return Err(Closed::PhoneOtp.into());
    }
    let phone = Phone::parse(phone)?;
    metadata::check_size(&data)?;
    text::check_reachable(state, phone.as_str())?;
    let mut tx = state.begin().await?;
    store::user::lock_address(&mut tx, phone.as_str()).await?;
    let user = match known_by_phone(&mut tx, visit, &phone).await? {
        Some(user) => user,
        None if !create_user => return Err(Closed::OtpSignup.into()),
        None if state.config.disable_signup => return Err(Closed::Signup.into()),
        None => {
            let new = NewAccount {
                email: None,
                phone: Some(phone.as_str()),
                hash: None,
                data,
                provider: Some("phone"),
                by_admin: false,
            };
            create_account(state, &mut tx, &visit.aud, new).await?
        }
    };
    let pending = text::code(state, &mut tx, &user, phone.as_str(), OneTime::Confirmation).await?;
    unproven::drop_password(state, &mut tx, &user).await?;
    tx.commit().await?;
    text::send(state, pending).await
}
