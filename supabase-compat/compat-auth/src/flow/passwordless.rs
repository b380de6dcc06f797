//! Signing in with a link or a code instead of a password.

use super::recover::known;
use super::unverified;
use crate::account::{self, AccountOrigin, CreatedAccount, NewAccount};
use crate::audit::Action;
use crate::error::{AuthError, DisabledAction, DisabledFeature, InvalidRequest};
use crate::mail::MailKind;
use crate::model::metadata::{self, Metadata};
use crate::model::{Address, Challenge, Email, Phone, RequestContext, User};
use crate::outbox::{self, email, text};
use crate::pending::Purpose;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The request for a link.
#[derive(Debug)]
pub struct PasswordlessRequest<'a> {
    pub email: &'a str,
    pub data: Metadata,
    pub create_user: bool,
    pub challenge: Option<Challenge>,
}

/// Mails a link and a code for signing in. An unknown person is signed up first, if requested and
/// allowed.
///
/// # Errors
/// [`DisabledFeature::OtpSignup`] for unknown addresses that may not be signed up.
#[tracing::instrument(name = "auth.passwordless", skip_all)]
pub async fn passwordless(
    state: &State,
    context: &RequestContext,
    request: PasswordlessRequest<'_>,
) -> Result<(), AuthError> {
    if !state.config.email.enabled || !state.config.email.magic_link_enabled {
        return Err(DisabledFeature::Email(DisabledAction::Login).into());
    }
    if request.email.is_empty() {
        return Err(InvalidRequest::EmailMissing.into());
    }
    metadata::check_size(&request.data)?;
    let address = Address::Email(Email::parse(request.email)?);
    let challenge = request.challenge.as_ref();
    let (mut work, user, new_account) =
        account(state, context, &address, request.data, request.create_user).await?;
    let mail = if user.is_confirmed() || state.config.email.autoconfirm {
        work.record(&user, Action::RecoveryRequested, None).await?;
        email::enqueue_sign_in_link(
            state,
            &mut work.tx,
            context,
            &user,
            MailKind::MagicLink,
            challenge,
        )
        .await?
    } else {
        work.record(&user, Action::ConfirmationRequested, None).await?;
        // Not where unverified sign-ins are allowed: anybody could delete the password of such an
        // account.
        if !state.config.email.allow_unverified_sign_ins {
            unverified::drop_password(state, &mut work.tx, &user).await?;
        }
        email::confirmation(state, &mut work.tx, context, &user, challenge).await?
    };
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    outbox::send(state, [mail]).await
}

/// Sends a code for signing in as a text message. An unknown person is signed up first, if
/// requested and allowed. Returns the provider's id of the message.
///
/// # Errors
/// [`DisabledFeature::PhoneOtp`], [`DisabledFeature::OtpSignup`], or the number is malformed.
#[tracing::instrument(name = "auth.passwordless_by_phone", skip_all)]
pub async fn by_text(
    state: &State,
    context: &RequestContext,
    phone: &str,
    data: Metadata,
    create_user: bool,
) -> Result<Option<String>, AuthError> {
    if !state.config.phone_enabled {
        return Err(DisabledFeature::PhoneOtp.into());
    }
    let address = Address::Phone(Phone::parse(phone)?);
    metadata::check_size(&data)?;
    text::check_reachable(state, address.as_str())?;
    let (mut work, user, new_account) =
        account(state, context, &address, data, create_user).await?;
    let purpose = Purpose::Confirmation;
    let code = text::code(state, &mut work.tx, &user, address.as_str(), purpose).await?;
    unverified::drop_password(state, &mut work.tx, &user).await?;
    work.commit().await?;
    account::notify_hooks(state, context, new_account).await?;
    text::send(state, code).await
}

/// The account of the address, locked, or a new account.
async fn account<'a>(
    state: &'a State,
    context: &'a RequestContext,
    address: &Address,
    data: Metadata,
    create_user: bool,
) -> Result<(UnitOfWork<'a>, User, Option<CreatedAccount>), AuthError> {
    let new = NewAccount {
        user_metadata: data,
        ..NewAccount::of(&context.aud, std::slice::from_ref(address), AccountOrigin::Person)
    };
    // The refusal takes effect only if the address is unknown, and no hook is called in that case.
    let may_create = may_create(state, create_user);
    let announced = match &may_create {
        Ok(()) => account::announce_address(state, context, &new).await?,
        Err(_) => account::announce(state, context, &new, true).await?,
    };
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::contact::lock_address(&mut work.tx, address.as_str()).await?;
    if let Some(user) = known(&mut work.tx, context, address).await? {
        return Ok((work, user, None));
    }
    may_create?;
    let new_account = account::create(&mut work, new, announced).await?;
    Ok((work, new_account.user.clone(), Some(new_account)))
}

fn may_create(state: &State, is_requested: bool) -> Result<(), AuthError> {
    if !is_requested {
        return Err(DisabledFeature::OtpSignup.into());
    }
    if state.config.disable_signup { Err(DisabledFeature::Signup.into()) } else { Ok(()) }
}
