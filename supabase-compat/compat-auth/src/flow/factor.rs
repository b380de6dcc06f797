//! Second factors: enrolling, challenging, verifying and giving one up.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Visit;
use super::admit::Admitted;
use super::audit::{self, Action};
use super::grant::{self, Grant};
use super::hook::{self, Decision};
use super::limit::{self, Guess};
use crate::error::{AuthError, Invalid};
use crate::model::totp::{self, Enrolment};
use crate::model::{Session, User};
use crate::state::State;
use crate::store;

/// What was asked at enrolment.
#[derive(Debug)]
pub struct Enrol<'a> {
    pub factor_type: &'a str,
    pub friendly_name: &'a str,
    pub issuer: &'a str,
}

/// Begins an enrolment; the first right code ends it.
///
/// # Errors
/// The kind is off, the name taken, the number reached, or a stronger session is needed.
#[tracing::instrument(name = "auth.enrol_factor", skip_all)]
pub async fn enrol(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    asked: Enrol<'_>,
) -> Result<(Uuid, Enrolment), AuthError> {
    may_have_factors(who)?;
    match asked.factor_type {
        "totp" if state.config.mfa.totp_enroll_enabled => {}
        "totp" => return Err(AuthError::FactorEnrollDisabled("MFA")),
        "phone" => return Err(AuthError::FactorEnrollDisabled("Phone")),
        "webauthn" => return Err(AuthError::FactorEnrollDisabled("WebAuthn")),
        _ => return Err(Invalid::FactorType.into()),
    }
    let issuer = if asked.issuer.is_empty() { site_host(state) } else { asked.issuer.to_owned() };
    let name = if who.user.email().is_empty() { who.user.phone() } else { who.user.email() };
    let enrolment = totp::enrol(state.edge.entropy.bytes(), name, &issuer)?;
    let mut tx = state.begin().await?;
    store::user::lock(&mut tx, who.user.id).await?;
    let now = state.now();
    let abandoned = now - state.config.mfa.factor_expiry;
    store::factor::delete_abandoned(&mut tx, who.user.id, abandoned).await?;
    let user = store::user::load(&mut tx, who.user.id).await?.ok_or(AuthError::SubjectGone)?;
    check_room(state, &user, who.session.as_ref(), asked.friendly_name)?;
    let id = state.uuid();
    let (name, secret) = (asked.friendly_name, &enrolment.secret);
    store::factor::insert_totp(&mut tx, id, user.id, name, secret, now).await?;
    audit::record(state, &mut tx, visit, &user, Action::FactorInProgress, None).await?;
    tx.commit().await?;
    Ok((id, enrolment))
}

fn may_have_factors(who: &Admitted) -> Result<(), AuthError> {
    if who.user.is_anonymous { Err(AuthError::AnonymousNotAllowed) } else { Ok(()) }
}

/// Two factors without a name conflict like two of one name.
fn check_room(
    state: &State,
    user: &User,
    session: Option<&Session>,
    name: &str,
) -> Result<(), AuthError> {
    let is_same = |other: &Option<String>| other.as_deref().unwrap_or_default() == name;
    if user.factors.iter().any(|factor| is_same(&factor.friendly_name)) {
        return Err(AuthError::FactorNameConflict(name.to_owned()));
    }
    if user.factors.len() >= state.config.mfa.max_enrolled_factors {
        return Err(AuthError::TooManyFactors);
    }
    if user.has_verified_factor() && !session.is_some_and(Session::is_aal2) {
        return Err(AuthError::EnrollNeedsAal2);
    }
    Ok(())
}

fn site_host(state: &State) -> String {
    let Ok(url) = url::Url::parse(state.redirects.site()) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Opens a challenge, bound to the address it was asked from; gives its id and end.
///
/// # Errors
/// [`AuthError::FactorNotFound`].
#[tracing::instrument(name = "auth.challenge_factor", skip_all)]
pub async fn challenge(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
) -> Result<(Uuid, DateTime<Utc>), AuthError> {
    may_have_factors(who)?;
    let mut tx = state.begin().await?;
    find(state, &mut tx, who, factor).await?;
    let (id, now) = (state.uuid(), state.now());
    store::factor::insert_challenge(&mut tx, id, factor, visit.ip, now).await?;
    audit::record(state, &mut tx, visit, &who.user, Action::ChallengeCreated, None).await?;
    tx.commit().await?;
    Ok((id, now + state.config.mfa.challenge_expiry))
}

async fn find(
    state: &State,
    tx: &mut compat_pg::Owner,
    who: &Admitted,
    factor: Uuid,
) -> Result<store::factor::FactorSecret, AuthError> {
    let found = store::factor::load(tx, factor, who.user.id).await?;
    let found = found.ok_or(AuthError::FactorNotFound)?;
    match found.factor_type.as_str() {
        "totp" if state.config.mfa.totp_verify_enabled => Ok(found),
        "totp" => Err(AuthError::FactorVerifyDisabled("MFA")),
        "phone" => Err(AuthError::FactorVerifyDisabled("Phone")),
        _ => Err(AuthError::FactorVerifyDisabled("WebAuthn")),
    }
}

/// Takes a code: the session rises to the second level and every weaker session of the person ends. A wrong code
/// leaves the challenge open; a right one works once within its time step.
///
/// # Errors
/// The challenge is unknown, used, from elsewhere or over, or the code is wrong.
#[tracing::instrument(name = "auth.verify_factor", skip_all)]
pub async fn verify(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
    challenge: Uuid,
    code: &str,
) -> Result<Grant, AuthError> {
    may_have_factors(who)?;
    if code.is_empty() {
        return Err(Invalid::CodeMissing.into());
    }
    let subject = factor.to_string();
    limit::check_guess(state, Guess::Factor, &subject).await?;
    let tried = attempt(state, visit, who, factor, challenge, code).await;
    if let Err(AuthError::WrongTotpCode) = tried {
        limit::count_failure(state, Guess::Factor, &subject).await?;
    }
    tried
}

async fn attempt(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
    challenge: Uuid,
    code: &str,
) -> Result<Grant, AuthError> {
    let session = who.session.as_ref().ok_or(AuthError::SessionGone)?;
    let mut tx = state.begin().await?;
    let found = find(state, &mut tx, who, factor).await?;
    check_challenge(state, &mut tx, visit, factor, challenge).await?;
    let secret = found.secret.as_deref().unwrap_or_default();
    let step = totp::step_of(secret, code, state.edge.clock.unix());
    if let Decision::Reject { message, sign_out } =
        hook::factor_attempt(state, &mut tx, &who.user, factor, step.is_ok()).await?
    {
        if sign_out {
            store::session::delete_all(&mut tx, who.user.id).await?;
        }
        tx.commit().await?;
        return Err(AuthError::Hook { status: 403, message });
    }
    let step = step?;
    let now = state.now();
    if !store::allowance::use_up(&mut tx, "totp", &format!("{factor} {step}"), now).await? {
        return Err(AuthError::WrongTotpCode);
    }
    store::factor::set_challenge_verified(&mut tx, challenge, now).await?;
    if found.status != "verified" {
        store::factor::set_verified(&mut tx, found.id, now).await?;
    }
    store::factor::delete_other_unverified(&mut tx, who.user.id, "totp", found.id).await?;
    audit::record(state, &mut tx, visit, &who.user, Action::VerificationAttempted, None).await?;
    let grant = lift(state, &mut tx, who, session, found.id).await?;
    tx.commit().await?;
    Ok(grant)
}

async fn check_challenge(
    state: &State,
    tx: &mut compat_pg::Owner,
    visit: &Visit,
    factor: Uuid,
    challenge: Uuid,
) -> Result<(), AuthError> {
    let opened = store::factor::challenge(tx, challenge, factor).await?;
    let opened = opened.ok_or(AuthError::ChallengeNotFound)?;
    if opened.verified_at.is_some() || opened.ip_address != visit.ip.to_string() {
        return Err(AuthError::ChallengeIpMismatch);
    }
    if state.now() > opened.created_at + state.config.mfa.challenge_expiry {
        return Err(AuthError::ChallengeExpired(challenge));
    }
    Ok(())
}

async fn lift(
    state: &State,
    tx: &mut compat_pg::Owner,
    who: &Admitted,
    session: &Session,
    factor: Uuid,
) -> Result<Grant, AuthError> {
    let (user, now) = (who.user.id, state.now());
    let held = store::session::load_locked(tx, session.id).await?.ok_or(AuthError::SessionGone)?;
    store::session::set_level(tx, held.id, "aal2", Some(factor), now).await?;
    store::session::add_amr(tx, state.uuid(), held.id, "totp", now).await?;
    let parent = store::refresh_token::active(tx, held.id).await?.map(|active| active.token);
    if let Some(parent) = &parent {
        store::refresh_token::revoke(tx, parent, now).await?;
    }
    let token = state.edge.entropy.alphanumeric_lower(12);
    store::refresh_token::insert(tx, &token, user, held.id, parent.as_deref(), now).await?;
    store::session::delete_weaker(tx, user, held.id).await?;
    grant::with_refresh_token(state, tx, user, held.id, token).await
}

/// Gives a factor up; sessions that used it fall back to the first level.
///
/// # Errors
/// [`AuthError::UnenrollNeedsAal2`] for a verified factor.
#[tracing::instrument(name = "auth.unenrol_factor", skip_all)]
pub async fn unenrol(
    state: &State,
    visit: &Visit,
    who: &Admitted,
    factor: Uuid,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    let found = store::factor::load(&mut tx, factor, who.user.id).await?;
    let found = found.ok_or(AuthError::FactorNotFound)?;
    if found.status == "verified" && !who.session.as_ref().is_some_and(Session::is_aal2) {
        return Err(AuthError::UnenrollNeedsAal2);
    }
    drop_factor(state, &mut tx, &found).await?;
    audit::record(state, &mut tx, visit, &who.user, Action::FactorUnenrolled, None).await?;
    tx.commit().await?;
    Ok(())
}

async fn drop_factor(
    state: &State,
    tx: &mut compat_pg::Owner,
    factor: &store::factor::FactorSecret,
) -> Result<(), AuthError> {
    let method = match factor.factor_type.as_str() {
        "phone" => "mfa/phone",
        "webauthn" => "mfa/webauthn",
        _ => "totp",
    };
    store::session::downgrade(tx, factor.id, method, state.now()).await?;
    store::factor::delete(tx, factor.id).await?;
    Ok(())
}

/// An administrator renames or removes somebody's factor; gives the account as it was or is.
pub async fn administer(
    state: &State,
    visit: &Visit,
    user: Uuid,
    factor: Uuid,
    rename_to: Option<&str>,
    remove: bool,
) -> Result<User, AuthError> {
    let mut tx = state.begin().await?;
    let before = store::user::load(&mut tx, user).await?.ok_or(AuthError::UserNotFound)?;
    let found =
        store::factor::load(&mut tx, factor, user).await?.ok_or(AuthError::FactorNotFound)?;
    if remove {
        drop_factor(state, &mut tx, &found).await?;
        audit::record_by_admin(state, &mut tx, visit, &before, Action::FactorDeleted).await?;
        tx.commit().await?;
        return Ok(before);
    }
    if let Some(name) = rename_to {
        store::factor::set_name(&mut tx, factor, name, state.now()).await?;
    }
    audit::record_by_admin(state, &mut tx, visit, &before, Action::FactorUpdated).await?;
    let after = store::user::load(&mut tx, user).await?.ok_or(AuthError::UserNotFound)?;
    tx.commit().await?;
    Ok(after)
}
