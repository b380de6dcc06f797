//! Signing in with a password. Every failure has the same message and takes the same amount of
//! work.

use compat_pg::Owner;
use serde_json::json;

use super::grant::{self, Grant};
use crate::audit::Action;
use crate::error::{AuthError, DisabledAction, DisabledFeature, InvalidRequest, SignInRefusal};
use crate::guard::attempt_limit::{self, AttemptKind, PendingAttempt};
use crate::hashing::PasswordMatch;
use crate::hook::{self, Decision};
use crate::model::{Address, Email, Phone, RequestContext, User, password};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The credentials of a sign-in.
#[derive(Debug)]
pub struct SignIn<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    pub password: &'a str,
}

/// Signs in by e-mail address or telephone number.
///
/// # Errors
/// A ban or an unconfirmed address is reported only when the password is correct.
#[tracing::instrument(name = "auth.sign_in", skip_all)]
pub async fn sign_in(
    state: &State,
    context: &RequestContext,
    request: SignIn<'_>,
) -> Result<Grant, AuthError> {
    // An invalid address is treated as unknown, so that the response is the same.
    let Some(address) = address(state, &request)? else {
        state.passwords.hash_decoy(request.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    };
    let mut tx = state.begin().await?;
    let attempt =
        attempt_limit::reserve(state, &mut tx, AttemptKind::Password, address.as_str(), context.ip)
            .await?;
    let row = find(&mut tx, context, &address).await?;
    // No connection is held while passwords are hashed. From this commit on the attempt counts.
    tx.commit().await?;
    let hash = row.as_ref().and_then(|user| user.encrypted_password.clone()).unwrap_or_default();
    let Some(user) = row.filter(|_| !hash.is_empty()) else {
        state.passwords.hash_decoy(request.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    };
    let password_match = state.passwords.verify(request.password, &hash).await?;
    if password_match == PasswordMatch::Wrong {
        consult_hook(state, context, &user, false).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    let known = PasswordCheck {
        address,
        hash,
        outdated: password_match == PasswordMatch::RightButOutdated,
    };
    let opened = complete_sign_in(state, context, request.password, &user, known, &attempt).await;
    if opened.is_err() {
        attempt.refund(state).await;
    }
    opened
}

/// The values that a correct password was checked against.
struct PasswordCheck {
    address: Address,
    hash: String,
    outdated: bool,
}

/// Signs the person in after a correct password, unless something else prevents it.
async fn complete_sign_in(
    state: &State,
    context: &RequestContext,
    password: &str,
    user: &User,
    known: PasswordCheck,
    attempt: &PendingAttempt,
) -> Result<Grant, AuthError> {
    consult_hook(state, context, user, true).await?;
    if user.is_banned(state.now()) {
        return Err(SignInRefusal::Banned.into());
    }
    check_confirmed(state, user, &known.address)?;
    let upgraded = match known.outdated {
        true => Some(state.hash(password).await?),
        false => None,
    };
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, user.id).await?;
    // The account was loaded without a lock: the password may have changed since.
    let user = store::user::load(&mut work.tx, user.id).await?;
    let user = user.ok_or(SignInRefusal::InvalidCredentials)?;
    if user.encrypted_password.as_deref() != Some(known.hash.as_str()) {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    if let Some(upgraded) = &upgraded {
        store::user::credentials::upgrade_password(&mut work.tx, user.id, &known.hash, upgraded)
            .await?;
    }
    let provider = Some(json!({"provider": known.address.provider()}));
    work.record(&user, Action::Login, provider).await?;
    let opened = grant::open(&mut work, user.id, "password").await?;
    attempt.release(&mut work.tx).await?;
    let grant = opened.issue_grant(work, None).await?;
    let weak_password = password::weakness(password, &state.config.password);
    Ok(Grant { weak_password, ..grant })
}

/// Calls the operator's hook, which may reject the attempt and end the person's sessions.
async fn consult_hook(
    state: &State,
    context: &RequestContext,
    user: &User,
    valid: bool,
) -> Result<(), AuthError> {
    let decision = hook::password_attempt(state, context, user, valid).await?;
    let Decision::Reject { message, sign_out } = decision else { return Ok(()) };
    if sign_out {
        let mut tx = state.begin().await?;
        store::session::delete_all(&mut tx, user.id).await?;
        tx.commit().await?;
    }
    Err(AuthError::Hook { status: 400, message })
}

fn address(state: &State, request: &SignIn<'_>) -> Result<Option<Address>, AuthError> {
    match (request.email, request.phone) {
        ("", "") => Err(InvalidRequest::LoginAddressMissing.into()),
        (email, "") => {
            if !state.config.email.enabled {
                return Err(DisabledFeature::Email(DisabledAction::Login).into());
            }
            Ok(Email::parse(email).ok().map(Address::Email))
        }
        ("", phone) => {
            if !state.config.phone_enabled {
                return Err(DisabledFeature::Phone(DisabledAction::Login).into());
            }
            Ok(Phone::parse(phone).ok().map(Address::Phone))
        }
        _ => Err(InvalidRequest::LoginEmailAndPhone.into()),
    }
}

async fn find(
    tx: &mut Owner,
    context: &RequestContext,
    address: &Address,
) -> Result<Option<User>, AuthError> {
    match store::user::contact::id_by_address(tx, address, &context.aud).await? {
        Some(id) => Ok(store::user::load(tx, id).await?),
        None => Ok(None),
    }
}

fn check_confirmed(state: &State, user: &User, address: &Address) -> Result<(), AuthError> {
    match address {
        Address::Email(_) => {
            let allows_unverified = state.config.email.allow_unverified_sign_ins;
            if user.email_confirmed_at.is_none() && !allows_unverified {
                return Err(SignInRefusal::EmailNotConfirmed.into());
            }
        }
        Address::Phone(_) if user.phone_confirmed_at.is_none() => {
            return Err(SignInRefusal::PhoneNotConfirmed.into());
        }
        Address::Phone(_) => {}
    }
    Ok(())
}
