//! Signing in with a password: one text for every failure, and one amount of work.

use serde_json::json;
use uuid::Uuid;

use super::Visit;
use super::audit::{self, Action};
use super::grant::{self, Grant};
use super::hook::{self, Decision};
use crate::error::{AuthError, Closed, Disabled, Invalid, SignInRefusal};
use crate::guard::limit::{self, Guess};
use crate::hashing::Verdict;
use crate::model::{Email, Phone, User, password};
use crate::state::State;
use crate::store;

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
/// That the address is unconfirmed is said only to who knows the password.
#[tracing::instrument(name = "auth.sign_in", skip_all)]
pub async fn sign_in(state: &State, visit: &Visit, asked: SignIn<'_>) -> Result<Grant, AuthError> {
    let address = if asked.phone.is_empty() { asked.email } else { asked.phone };
    limit::check_guess(state, Guess::Password, address).await?;
    let tried = attempt(state, visit, &asked).await;
    if let Err(AuthError::SignIn(SignInRefusal::InvalidCredentials)) = tried {
        limit::count_failure(state, Guess::Password, address).await?;
    }
    tried
}

async fn attempt(state: &State, visit: &Visit, asked: &SignIn<'_>) -> Result<Grant, AuthError> {
    let found = find(state, visit, asked).await?;
    let Some(user) = found else {
        state.passwords.pretend(asked.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    };
    if user.is_banned(state.now()) {
        return Err(SignInRefusal::Banned.into());
    }
    let hash = user.encrypted_password.clone().unwrap_or_default();
    if hash.is_empty() {
        state.passwords.pretend(asked.password).await?;
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    let verdict = state.passwords.verify(asked.password, &hash).await?;
    consult_hook(state, &user, verdict != Verdict::Wrong).await?;
    if verdict == Verdict::Wrong {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    check_confirmed(state, &user, asked)?;
    let upgraded = match verdict {
        Verdict::RightButOutdated => Some(state.hash(asked.password).await?),
        _ => None,
    };
    let weak_password = password::weakness(asked.password, &state.config.password);
    let grant = open(state, visit, asked, &hash, upgraded.as_deref(), user.id).await?;
    Ok(Grant { weak_password, ..grant })
}

/// No connection is held while passwords are hashed, so the account is looked at again under its lock.
async fn open(
    state: &State,
    visit: &Visit,
    asked: &SignIn<'_>,
    hash: &str,
    upgraded: Option<&str>,
    id: Uuid,
) -> Result<Grant, AuthError> {
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, id).await?;
    let user = store::user::load(&mut tx, id).await?.ok_or(SignInRefusal::InvalidCredentials)?;
    if user.encrypted_password.as_deref() != Some(hash) {
        return Err(SignInRefusal::InvalidCredentials.into());
    }
    if let Some(upgraded) = upgraded {
        store::user::upgrade_password(&mut tx, id, hash, upgraded).await?;
    }
    let provider = if asked.phone.is_empty() { "email" } else { "phone" };
    audit::record(state, &mut tx, visit, &user, Action::Login, Some(json!({"provider": provider})))
        .await?;
    let grant = grant::open(state, &mut tx, visit, id, "password").await?;
    tx.commit().await?;
    Ok(grant)
}

/// An operator's hook may reject an attempt, and end the person's sessions with it.
async fn consult_hook(state: &State, user: &User, valid: bool) -> Result<(), AuthError> {
    if state.config.hooks.password_verification_attempt.is_none() {
        return Ok(());
    }
    let mut tx = state.begin().await?;
    let decision = hook::password_attempt(state, &mut tx, user, valid).await?;
    if let Decision::Reject { sign_out: true, .. } = decision {
        store::session::delete_all(&mut tx, user.id).await?;
    }
    tx.commit().await?;
    match decision {
        Decision::Reject { message, .. } => Err(AuthError::Hook { status: 400, message }),
        Decision::Continue => Ok(()),
    }
}

async fn find(state: &State, visit: &Visit, asked: &SignIn<'_>) -> Result<Option<User>, AuthError> {
    let id = match (asked.email, asked.phone) {
        ("", "") => return Err(Invalid::LoginAddressMissing.into()),
        (email, "") => {
            if !state.config.email.enabled {
                return Err(Closed::Email(Disabled::Login).into());
            }
            // An address that cannot exist is unknown, not malformed: the answer is the same.
            let Ok(email) = Email::parse(email) else { return Ok(None) };
            let mut tx = state.begin().await?;
            store::user::id_by_email(&mut tx, email.as_str(), &visit.aud).await?
        }
        ("", phone) => {
            if !state.config.phone_enabled {
                return Err(Closed::Phone(Disabled::Login).into());
            }
            let Ok(phone) = Phone::parse(phone) else { return Ok(None) };
            let mut tx = state.begin().await?;
            store::user::id_by_phone(&mut tx, phone.as_str(), &visit.aud).await?
        }
        _ => return Err(Invalid::LoginEmailAndPhone.into()),
    };
    match id {
        Some(id) => Ok(store::user::load(&mut *state.begin().await?, id).await?),
        None => Ok(None),
    }
}

fn check_confirmed(state: &State, user: &User, asked: &SignIn<'_>) -> Result<(), AuthError> {
    if asked.phone.is_empty() {
        let waived = state.config.email.allow_unverified_sign_ins;
        if user.email_confirmed_at.is_none() && !waived {
            return Err(SignInRefusal::EmailNotConfirmed.into());
        }
    } else if user.phone_confirmed_at.is_none() {
        return Err(SignInRefusal::PhoneNotConfirmed.into());
    }
    Ok(())
}
