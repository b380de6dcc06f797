//! Signing in with a password: one text for every failure, and one amount of work.

use compat_pg::Owner;
use serde_json::json;

use super::grant::{self, Grant};
use crate::audit::Action;
use crate::error::{AuthError, Closed, Disabled, Invalid, SignInRefusal};
use crate::guard::guess::{self, Guess, Paid};
use crate::hashing::Verdict;
use crate::hook::{self, Decision};
use crate::model::{Address, Email, Phone, User, Visit, password};
use crate::state::State;
use crate::store;
use crate::turn::Turn;

/// What was typed.
#[derive(Debug)]
pub struct SignIn<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    pub password: &'a str,
}

/// Signs in by e-mail address or telephone number.
///
/// # Errors
/// That the account is banned or its address unconfirmed is said only to who knows the password.
#[tracing::instrument(name = "auth.sign_in", skip_all)]
pub async fn sign_in(state: &State, visit: &Visit, asked: SignIn<'_>) -> Result<Grant, AuthError> {
    // An address that cannot exist is unknown, not malformed: the answer is the same.
    let Some(address) = address(state, &asked)? else {
        state.passwords.pretend(asked.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    };
    let mut tx = state.begin().await?;
    let paid = guess::pay(state, &mut tx, Guess::Password, address.as_str(), visit.ip).await?;
    let found = find(&mut tx, visit, &address).await?;
    // No connection is held while passwords are hashed, and the guess counts from here on.
    tx.commit().await?;
    let hash = found.as_ref().and_then(|user| user.encrypted_password.clone()).unwrap_or_default();
    let Some(user) = found.filter(|_| !hash.is_empty()) else {
        state.passwords.pretend(asked.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    };
    let verdict = state.passwords.verify(asked.password, &hash).await?;
    if verdict == Verdict::Wrong {
        consult_hook(state, visit, &user, false).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    let known = Known { address, hash, outdated: verdict == Verdict::RightButOutdated };
    let opened = let_in(state, visit, asked.password, &user, known, &paid).await;
    if opened.is_err() {
        paid.refund(state).await;
    }
    opened
}

/// What a right password was checked against.
struct Known {
    address: Address,
    hash: String,
    outdated: bool,
}

/// The password was right: whether that is enough.
async fn let_in(
    state: &State,
    visit: &Visit,
    password: &str,
    user: &User,
    known: Known,
    paid: &Paid,
) -> Result<Grant, AuthError> {
    consult_hook(state, visit, user, true).await?;
    if user.is_banned(state.now()) {
        return Err(SignInRefusal::Banned.into());
    }
    check_confirmed(state, user, &known.address)?;
    let upgraded = match known.outdated {
        true => Some(state.hash(password).await?),
        false => None,
    };
    let mut turn = Turn::begin(state, visit).await?;
    store::user::lock(&mut turn.tx, user.id).await?;
    // It was looked at without a lock: another password may have been set meanwhile.
    let user = store::user::load(&mut turn.tx, user.id).await?;
    let user = user.ok_or(SignInRefusal::InvalidCredentials)?;
    if user.encrypted_password.as_deref() != Some(known.hash.as_str()) {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    if let Some(upgraded) = &upgraded {
        store::user::upgrade_password(&mut turn.tx, user.id, &known.hash, upgraded).await?;
    }
    let provider = Some(json!({"provider": known.address.provider()}));
    turn.record(&user, Action::Login, provider).await?;
    let opened = grant::open(&mut turn, user.id, "password").await?;
    paid.give_back(&mut turn.tx).await?;
    let grant = opened.hand_out(turn, None).await?;
    let weak_password = password::weakness(password, &state.config.password);
    Ok(Grant { weak_password, ..grant })
}

/// An operator's hook may reject an attempt, and end the person's sessions with it.
async fn consult_hook(
    state: &State,
    visit: &Visit,
    user: &User,
    valid: bool,
) -> Result<(), AuthError> {
    let decision = hook::password_attempt(state, visit, user, valid).await?;
    let Decision::Reject { message, sign_out } = decision else { return Ok(()) };
    if sign_out {
        let mut tx = state.begin().await?;
        store::session::delete_all(&mut tx, user.id).await?;
        tx.commit().await?;
    }
    Err(AuthError::Hook { status: 400, message })
}

fn address(state: &State, asked: &SignIn<'_>) -> Result<Option<Address>, AuthError> {
    match (asked.email, asked.phone) {
        ("", "") => Err(Invalid::LoginAddressMissing.into()),
        (email, "") => {
            if !state.config.email.enabled {
                return Err(Closed::Email(Disabled::Login).into());
            }
            Ok(Email::parse(email).ok().map(Address::Email))
        }
        ("", phone) => {
            if !state.config.phone_enabled {
                return Err(Closed::Phone(Disabled::Login).into());
            }
            Ok(Phone::parse(phone).ok().map(Address::Phone))
        }
        _ => Err(Invalid::LoginEmailAndPhone.into()),
    }
}

async fn find(tx: &mut Owner, visit: &Visit, address: &Address) -> Result<Option<User>, AuthError> {
    match store::user::id_by_address(tx, address, &visit.aud).await? {
        Some(id) => Ok(store::user::load(tx, id).await?),
        None => Ok(None),
    }
}

fn check_confirmed(state: &State, user: &User, address: &Address) -> Result<(), AuthError> {
    match address {
        Address::Email(_) => {
            let waived = state.config.email.allow_unverified_sign_ins;
            if user.email_confirmed_at.is_none() && !waived {
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
