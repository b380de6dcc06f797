//! Passkeys: registration, sign-in, and removal.

use serde_json::Value;
use uuid::Uuid;

use super::grant::{self, Grant};
use super::relying_party;
use crate::audit::{self, Action};
use crate::error::{
    AccountRefusal, AuthError, CallerRefusal, DeviceRefusal, DisabledFeature, InvalidRequest,
    on_unique,
};
use crate::guard::authenticate::AuthenticatedUser;
use crate::model::webauthn::{Ceremony, CeremonyError, CredentialOwner, StoredCredential, named};
use crate::model::{Passkey, RequestContext, Session, User};
use crate::state::State;
use crate::store;
use crate::unit_of_work::UnitOfWork;

const REGISTRATION: &str = "registration";
const AUTHENTICATION: &str = "authentication";

/// A started ceremony, as the browser needs it.
pub struct CeremonyStart {
    pub challenge_id: Uuid,
    pub options: Value,
    /// In Unix seconds.
    pub expires_at: i64,
}

/// Checks that passkeys are enabled, before anything else of a request.
///
/// # Errors
/// [`DisabledFeature::Passkeys`].
pub fn check_enabled(state: &State) -> Result<(), AuthError> {
    if state.config.passkey.enabled { Ok(()) } else { Err(DisabledFeature::Passkeys.into()) }
}

/// Checks that the person may manage passkeys. An account with a second factor needs a session of
/// the second level.
fn may_manage(caller: &AuthenticatedUser) -> Result<(), AuthError> {
    if caller.user.is_anonymous {
        return Err(CallerRefusal::AnonymousNotAllowed.into());
    }
    if caller.user.is_sso_user {
        return Err(AccountRefusal::SsoManaged.into());
    }
    let is_aal2 = caller.session.as_ref().is_some_and(Session::is_aal2);
    if caller.user.has_verified_factor() && !is_aal2 {
        return Err(DeviceRefusal::PasskeyNeedsAal2.into());
    }
    Ok(())
}

/// Begins the registration of a passkey for the signed-in person.
///
/// # Errors
/// There are too many passkeys, or a session of a higher level is needed.
#[tracing::instrument(name = "auth.begin_passkey", skip_all)]
pub async fn begin_registration(
    state: &State,
    caller: &AuthenticatedUser,
) -> Result<CeremonyStart, AuthError> {
    may_manage(caller)?;
    let mut tx = state.begin().await?;
    let known = store::passkey::credential_ids(&mut tx, caller.user.id).await?;
    check_room(state, known.len())?;
    let name = Some(caller.user.name()).filter(|name| !name.is_empty());
    let id = caller.user.id.to_string();
    let holder = CredentialOwner { id: caller.user.id, name: name.unwrap_or(&id) };
    let lifetime = state.config.passkey.challenge_expiry;
    let start = relying_party::configured(state)?.create(&holder, known, true, lifetime);
    put(state, tx, Some(caller.user.id), REGISTRATION, start).await
}

fn check_room(state: &State, held: usize) -> Result<(), AuthError> {
    let held = i64::try_from(held).unwrap_or(i64::MAX);
    if held < state.config.passkey.max_per_user {
        Ok(())
    } else {
        Err(DeviceRefusal::TooManyPasskeys.into())
    }
}

async fn put(
    state: &State,
    mut tx: compat_pg::Owner,
    user: Option<Uuid>,
    kind: &str,
    start: Result<(Value, Ceremony), CeremonyError>,
) -> Result<CeremonyStart, AuthError> {
    let (options, ceremony) = start.map_err(AuthError::internal)?;
    let (challenge_id, now) = (state.uuid(), state.now());
    let end = now + state.config.passkey.challenge_expiry;
    let state_json = ceremony.to_json();
    store::passkey::put_ceremony(&mut tx, challenge_id, user, kind, &state_json, now, end).await?;
    tx.commit().await?;
    Ok(CeremonyStart { challenge_id, options, expires_at: end.timestamp() })
}

/// Deletes the ceremony and returns it, before its response is verified, so that it cannot be used
/// twice.
async fn take(
    state: &State,
    challenge: Uuid,
    user: Option<Uuid>,
    kind: &str,
) -> Result<Ceremony, AuthError> {
    let mut tx = state.begin().await?;
    let ceremony = store::passkey::take_ceremony(&mut tx, challenge, user, kind).await?;
    tx.commit().await?;
    let (stored, end) = ceremony.ok_or(DeviceRefusal::ChallengeNotFound)?;
    if state.now() > end {
        return Err(DeviceRefusal::ChallengeExpired.into());
    }
    Ceremony::from_json(stored).map_err(AuthError::internal)
}

/// The refusal of a ceremony; only the log has the cause.
fn refuse(error: &CeremonyError) -> AuthError {
    tracing::info!(%error, "passkey verification failed");
    DeviceRefusal::PasskeyRefused.into()
}

/// Stores the passkey that the browser created.
///
/// # Errors
/// [`AuthError::Device`].
#[tracing::instrument(name = "auth.keep_passkey", skip_all)]
pub async fn finish_registration(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    challenge: Uuid,
    answer: Value,
) -> Result<Passkey, AuthError> {
    may_manage(caller)?;
    let user = caller.user.id;
    let ceremony = take(state, challenge, Some(user), REGISTRATION).await?;
    let credential = ceremony.created(answer).map_err(|error| refuse(&error))?;
    let (id, now) = (state.uuid(), state.now());
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, user).await?;
    check_room(state, store::passkey::credential_ids(&mut tx, user).await?.len())?;
    let inserted = store::passkey::insert(&mut tx, id, user, &credential, now).await;
    inserted.map_err(on_unique(DeviceRefusal::PasskeyExists))?;
    audit::record(state, &mut tx, context, &caller.user, Action::PasskeyCreated, None).await?;
    tx.commit().await?;
    Ok(Passkey { id, friendly_name: String::new(), created_at: now, last_used_at: None })
}

/// Begins a sign-in with any passkey that the person has on the device.
///
/// # Errors
/// The settings or the database.
#[tracing::instrument(name = "auth.ask_for_passkey", skip_all)]
pub async fn begin_sign_in(state: &State) -> Result<CeremonyStart, AuthError> {
    let lifetime = state.config.passkey.challenge_expiry;
    let start = relying_party::configured(state)?.request(&[], lifetime);
    put(state, state.begin().await?, None, AUTHENTICATION, start).await
}

/// Signs in the owner of the passkey.
///
/// # Errors
/// [`AuthError::Device`], or the account is banned.
#[tracing::instrument(name = "auth.passkey_sign_in", skip_all)]
pub async fn finish_sign_in(
    state: &State,
    context: &RequestContext,
    challenge: Uuid,
    answer: Value,
) -> Result<Grant, AuthError> {
    let ceremony = take(state, challenge, None, AUTHENTICATION).await?;
    let unknown = || AuthError::from(DeviceRefusal::PasskeyRefused);
    let (credential, holder) = named(&answer).ok_or_else(unknown)?;
    let mut work = UnitOfWork::begin(state, context).await?;
    let row =
        store::passkey::by_credential(&mut work.tx, &credential).await?.ok_or_else(unknown)?;
    // WebAuthn section 7.2: a user handle in the response must be that of the credential's owner.
    if holder.is_some_and(|holder| !names(&holder, row.user_id)) {
        return Err(unknown());
    }
    let used =
        ceremony.used(answer, &StoredCredential::from(&row)).map_err(|error| refuse(&error))?;
    let user = store::user::load(&mut work.tx, row.user_id).await?;
    let user = user.filter(|user| user.deleted_at.is_none()).ok_or_else(unknown)?;
    if user.is_banned(state.now()) {
        return Err(CallerRefusal::Banned.into());
    }
    let now = state.now();
    store::passkey::touch(&mut work.tx, row.id, used.sign_count, used.backed_up, now).await?;
    let opened = grant::open(&mut work, user.id, "passkey").await?;
    work.record(&user, Action::Login, None).await?;
    opened.issue_grant(work, None).await
}

/// Whether the handle is this user's. It is the id as text; the sixteen bytes of the id are
/// accepted too, because some libraries send these.
fn names(handle: &[u8], user: Uuid) -> bool {
    handle == user.to_string().as_bytes() || handle == user.as_bytes()
}

/// The person's passkeys, oldest first.
///
/// # Errors
/// The settings or the database.
pub async fn list(state: &State, user: Uuid) -> Result<Vec<Passkey>, AuthError> {
    Ok(store::passkey::list(&mut *state.begin().await?, user).await?)
}

/// # Errors
/// The name is empty or too long, or there is no such passkey.
pub async fn rename(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    id: Uuid,
    name: &str,
) -> Result<Passkey, AuthError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 120 {
        return Err(InvalidRequest::PasskeyName.into());
    }
    let mut tx = state.begin().await?;
    let renamed = store::passkey::rename(&mut tx, id, caller.user.id, name, state.now()).await?;
    let renamed = renamed.ok_or(DeviceRefusal::PasskeyNotFound)?;
    audit::record(state, &mut tx, context, &caller.user, Action::PasskeyUpdated, None).await?;
    tx.commit().await?;
    Ok(renamed)
}

/// # Errors
/// A stronger session is needed, or there is no such passkey.
pub async fn delete(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    id: Uuid,
) -> Result<(), AuthError> {
    may_manage(caller)?;
    remove(state, context, &caller.user, id, false).await
}

/// Deletes a passkey of a person on behalf of an administrator.
///
/// # Errors
/// There is no such person, or no such passkey.
pub async fn delete_of(
    state: &State,
    context: &RequestContext,
    user: &User,
    id: Uuid,
) -> Result<(), AuthError> {
    remove(state, context, user, id, true).await
}

async fn remove(
    state: &State,
    context: &RequestContext,
    user: &User,
    id: Uuid,
    by_admin: bool,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    if !store::passkey::delete(&mut tx, id, user.id).await? {
        return Err(DeviceRefusal::PasskeyNotFound.into());
    }
    if by_admin {
        audit::record_by_admin(state, &mut tx, context, user, Action::PasskeyDeleted).await?;
    } else {
        audit::record(state, &mut tx, context, user, Action::PasskeyDeleted, None).await?;
    }
    tx.commit().await?;
    Ok(())
}
