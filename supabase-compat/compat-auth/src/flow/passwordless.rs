//! Links and codes by mail instead of a password.

use super::recover::known;
use super::unproven;
use crate::account::{self, Made, Maker, NewAccount};
use crate::audit::Action;
use crate::error::{AuthError, Closed, Disabled, Invalid};
use crate::mail::MailKind;
use crate::model::metadata::{self, Metadata};
use crate::model::{Address, Challenge, Email, Phone, User, Visit};
use crate::outbox::{self, email, text};
use crate::pending::Purpose;
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// What was asked.
#[derive(Debug)]
pub struct Passwordless<'a> {
    pub email: &'a str,
    pub data: Metadata,
    pub create_user: bool,
    pub challenge: Option<Challenge>,
}

/// Mails a link and a code that sign in; an unknown person is signed up first, when that is wanted
/// and open.
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
    metadata::check_size(&asked.data)?;
    let address = Address::Email(Email::parse(asked.email)?);
    let challenge = asked.challenge.as_ref();
    let (mut turn, user, made) =
        account(state, visit, &address, asked.data, asked.create_user).await?;
    let mail = if user.is_confirmed() || state.config.email.autoconfirm {
        turn.record(&user, Action::RecoveryRequested, None).await?;
        email::way_in(state, &mut turn.tx, visit, &user, MailKind::MagicLink, challenge).await?
    } else {
        turn.record(&user, Action::ConfirmationRequested, None).await?;
        // Where passwords count before the address is confirmed, anybody could take one away so.
        if !state.config.email.allow_unverified_sign_ins {
            unproven::drop_password(state, &mut turn.tx, &user).await?;
        }
        email::confirmation(state, &mut turn.tx, visit, &user, challenge).await?
    };
    turn.commit().await?;
    account::tell(state, visit, made).await?;
    outbox::send(state, [mail]).await
}

/// Texts a code that signs in; an unknown person is signed up first, when that is wanted and open.
/// Gives the provider's id of the message.
///
/// # Errors
/// [`Closed::PhoneOtp`], [`Closed::OtpSignup`], or the number is malformed.
#[tracing::instrument(name = "auth.passwordless_by_phone", skip_all)]
pub async fn by_text(
    state: &State,
    visit: &Visit,
    phone: &str,
    data: Metadata,
    create_user: bool,
) -> Result<Option<String>, AuthError> {
    if !state.config.phone_enabled {
        return Err(Closed::PhoneOtp.into());
    }
    let address = Address::Phone(Phone::parse(phone)?);
    metadata::check_size(&data)?;
    text::check_reachable(state, address.as_str())?;
    let (mut turn, user, made) = account(state, visit, &address, data, create_user).await?;
    let purpose = Purpose::Confirmation;
    let code = text::code(state, &mut turn.tx, &user, address.as_str(), purpose).await?;
    unproven::drop_password(state, &mut turn.tx, &user).await?;
    turn.commit().await?;
    account::tell(state, visit, made).await?;
    text::send(state, code).await
}

/// The account of the address, locked, or a new one.
async fn account<'a>(
    state: &'a State,
    visit: &'a Visit,
    address: &Address,
    data: Metadata,
    create_user: bool,
) -> Result<(Turn<'a>, User, Option<Made>), AuthError> {
    let new = NewAccount {
        user_metadata: data,
        ..NewAccount::of(&visit.aud, std::slice::from_ref(address), Maker::Person)
    };
    let may_create = may_create(state, create_user);
    let announced = match &may_create {
        Ok(()) => account::announce_address(state, visit, &new).await?,
        Err(_) => account::announce(state, visit, &new, true).await?,
    };
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock_address(&mut turn.tx, address.as_str()).await?;
    if let Some(user) = known(&mut turn.tx, visit, address).await? {
        return Ok((turn, user, None));
    }
    may_create?;
    let made = account::make(&mut turn, new, announced).await?;
    Ok((turn, made.user.clone(), Some(made)))
}

fn may_create(state: &State, wanted: bool) -> Result<(), AuthError> {
    if !wanted {
        return Err(Closed::OtpSignup.into());
    }
    if state.config.disable_signup { Err(Closed::Signup.into()) } else { Ok(()) }
}
