//! Changing one's own account.

use super::{change_email, password, reauthenticate};
use crate::audit::Action;
use crate::error::{AccountRefusal, AuthError, CallerRefusal, on_unique};
use crate::guard::attempt_limit::{self, AttemptKind};
use crate::guard::authenticate::AuthenticatedUser;
use crate::hashing::PasswordMatch;
use crate::mail::MailKind;
use crate::model::metadata::{self, Metadata, merge};
use crate::model::{Challenge, Email, Phone, RequestContext, User};
use crate::outbox::text::{self, PendingText};
use crate::outbox::{self, PendingMessages, email};
use crate::pending;
use crate::pending::Purpose;
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

/// The requested changes.
#[derive(Debug, Default)]
pub struct UserChanges<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    pub password: Option<&'a str>,
    pub current_password: &'a str,
    pub nonce: &'a str,
    pub data: Option<Metadata>,
    pub has_app_metadata: bool,
    pub challenge: Option<Challenge>,
}

/// Applies `changes`; a new address takes effect only once it is confirmed.
///
/// # Errors
/// Nothing changes when any part is refused.
#[tracing::instrument(name = "auth.update_user", skip_all)]
pub async fn update_user(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    changes: UserChanges<'_>,
) -> Result<User, AuthError> {
    let (email, phone) = addresses(&changes, &caller.user)?;
    may(caller, &changes, email.is_some() || phone.is_some())?;
    // No connection is held while passwords are checked and hashed.
    let hash = match changes.password {
        Some(new) => Some(check_password(state, context, caller, &changes, new).await?),
        None => None,
    };
    let mut work = UnitOfWork::begin(state, context).await?;
    store::user::lock(&mut work.tx, caller.user.id).await?;
    let user =
        store::user::load(&mut work.tx, caller.user.id).await?.ok_or(CallerRefusal::SubjectGone)?;
    if let Some(hash) = &hash {
        set_password(&mut work, caller, &user, hash).await?;
    }
    if let Some(data) = changes.data {
        let mut metadata = user.user_metadata();
        merge(&mut metadata, data);
        metadata::check_size(&metadata)?;
        store::user::set_user_metadata(&mut work.tx, user.id, &metadata, state.now()).await?;
    }
    let text = match &phone {
        Some(phone) => change_phone(&mut work, &user, phone).await?,
        None => None,
    };
    let mail = match &email {
        Some(email) => change_address(&mut work, &user, email, changes.challenge.as_ref()).await?,
        None => None,
    };
    work.record(&user, Action::UserModified, None).await?;
    let user = store::user::load(&mut work.tx, user.id).await?.ok_or(CallerRefusal::SubjectGone)?;
    let notices = notices(&mut work, &caller.user, &user, hash.is_some()).await?;
    work.commit().await?;
    // The request fails if these mails cannot be sent; notices are retried later.
    outbox::send(state, mail).await?;
    outbox::send_notifications(state, notices).await;
    if let Some(text) = text {
        text::send(state, text).await?;
    }
    Ok(user)
}

/// The notices about changes that took effect at once.
async fn notices(
    work: &mut UnitOfWork<'_>,
    before: &User,
    after: &User,
    new_password: bool,
) -> Result<Vec<PendingMessages>, AuthError> {
    let (state, tx) = (work.state, &mut work.tx);
    let (to, mut notices) = (after.email(), Vec::new());
    if new_password {
        let kind = MailKind::PasswordChanged;
        notices.push(email::notice(state, tx, after, kind, to, &[]).await?);
    }
    if before.phone() != after.phone() {
        let facts = [("Phone", after.phone()), ("OldPhone", before.phone())];
        let kind = MailKind::PhoneChanged;
        notices.push(email::notice(state, tx, after, kind, to, &facts).await?);
    }
    Ok(notices)
}

/// The addresses that differ from the current ones.
fn addresses(
    changes: &UserChanges<'_>,
    user: &User,
) -> Result<(Option<Email>, Option<Phone>), AuthError> {
    let email = match changes.email {
        "" => None,
        text => Some(Email::parse(text)?).filter(|email| email.as_str() != user.email()),
    };
    let phone = match changes.phone {
        "" => None,
        text => Some(Phone::parse(text)?).filter(|phone| phone.as_str() != user.phone()),
    };
    Ok((email, phone))
}

fn may(
    caller: &AuthenticatedUser,
    changes: &UserChanges<'_>,
    has_address: bool,
) -> Result<(), AuthError> {
    let user = &caller.user;
    if changes.has_app_metadata {
        return Err(CallerRefusal::AppMetadataNeedsAdmin.into());
    }
    let sensitive = has_address || changes.password.is_some();
    if user.is_anonymous
        && changes.password.is_some()
        && user.email().is_empty()
        && user.phone().is_empty()
        && !has_address
    {
        return Err(AccountRefusal::AnonymousPassword.into());
    }
    if user.is_sso_user && sensitive {
        return Err(AccountRefusal::SsoManaged.into());
    }
    let is_aal2 = caller.session.as_ref().is_some_and(crate::model::Session::is_aal2);
    if sensitive && user.has_verified_factor() && !is_aal2 {
        return Err(AccountRefusal::UpdateNeedsAal2.into());
    }
    Ok(())
}

/// Checks the new password against every rule and returns its hash.
async fn check_password(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    changes: &UserChanges<'_>,
    new: &str,
) -> Result<String, AuthError> {
    let user = &caller.user;
    password::check(state, new).await?;
    if reauthenticate::is_needed(state, caller) {
        if changes.nonce.is_empty() {
            return Err(AccountRefusal::ReauthenticationNeeded.into());
        }
        reauthenticate::check(state, context, user, changes.nonce).await?;
    }
    let stored = user.encrypted_password.as_deref().unwrap_or_default();
    if user.has_password() {
        check_current(state, context, caller, changes).await?;
        if state.passwords.verify(new, stored).await? != PasswordMatch::Wrong {
            return Err(AccountRefusal::SamePassword.into());
        }
    }
    state.hash(new).await
}

/// Checks the current password, except after sign-in by a link: that person may not know it.
async fn check_current(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    changes: &UserChanges<'_>,
) -> Result<(), AuthError> {
    if !state.config.password.update_requires_current || came_by_link(caller) {
        return Ok(());
    }
    if changes.current_password.is_empty() {
        return Err(AccountRefusal::CurrentPasswordRequired.into());
    }
    let attempt =
        attempt_limit::reserve_alone(state, AttemptKind::Password, caller.user.name(), context.ip)
            .await?;
    let stored = caller.user.encrypted_password.as_deref().unwrap_or_default();
    if state.passwords.verify(changes.current_password, stored).await? == PasswordMatch::Wrong {
        return Err(AccountRefusal::CurrentPasswordInvalid.into());
    }
    attempt.refund(state).await;
    Ok(())
}

fn came_by_link(caller: &AuthenticatedUser) -> bool {
    let methods = caller.claims.get("amr").and_then(|amr| amr.as_array());
    let is_link = |entry: &serde_json::Value| {
        matches!(
            entry.get("method").and_then(|m| m.as_str()),
            Some("otp" | "magiclink" | "recovery")
        )
    };
    methods.is_some_and(|methods| methods.iter().any(is_link))
}

/// Stores the password, ends the other sessions and deletes all pending codes.
async fn set_password(
    work: &mut UnitOfWork<'_>,
    caller: &AuthenticatedUser,
    user: &User,
    hash: &str,
) -> Result<(), AuthError> {
    let now = work.now();
    store::user::credentials::set_password(&mut work.tx, user.id, hash, now).await?;
    pending::void(&mut work.tx, user.id).await?;
    match &caller.session {
        Some(session) => store::session::delete_others(&mut work.tx, user.id, session.id).await?,
        None => store::session::delete_all(&mut work.tx, user.id).await?,
    }
    work.record(user, Action::UpdatedPassword, None).await
}

async fn change_address(
    work: &mut UnitOfWork<'_>,
    user: &User,
    email: &Email,
    challenge: Option<&Challenge>,
) -> Result<Option<PendingMessages>, AuthError> {
    let (state, context) = (work.state, work.context);
    let aud = user.aud.as_deref().unwrap_or_default();
    if store::user::contact::id_by_email(&mut work.tx, email.as_str(), aud).await?.is_some() {
        return Err(AccountRefusal::EmailExists.into());
    }
    if user.is_anonymous && state.config.email.autoconfirm {
        change_email::apply(work, user, email.as_str()).await?;
        return Ok(None);
    }
    let tx = &mut work.tx;
    change_email::ask(state, tx, context, user, email.as_str(), challenge).await.map(Some)
}

/// Changes the number once its code is entered, or at once where the settings allow that.
async fn change_phone(
    work: &mut UnitOfWork<'_>,
    user: &User,
    phone: &Phone,
) -> Result<Option<PendingText>, AuthError> {
    let (state, context, now) = (work.state, work.context, work.now());
    let tx = &mut work.tx;
    if store::user::contact::id_by_phone(tx, phone.as_str(), &context.aud).await?.is_some() {
        return Err(AccountRefusal::PhoneExists.into());
    }
    if !state.config.sms_autoconfirm {
        let purpose = Purpose::PhoneChange;
        return text::code(state, tx, user, phone.as_str(), purpose).await.map(Some);
    }
    store::user::contact::set_phone(tx, user.id, Some(phone.as_str()), now)
        .await
        .map_err(on_unique(AccountRefusal::PhoneExists))?;
    store::user::contact::confirm_phone(tx, user.id, now).await?;
    Ok(None)
}
