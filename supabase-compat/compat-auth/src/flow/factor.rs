//! Second factors: enrolment, challenge, verification and removal.

use compat_pg::Owner;
use uuid::Uuid;

use crate::audit::{self, Action};
use crate::error::{
    AccountRefusal, AuthError, CallerRefusal, DeviceRefusal, FactorRefusal, InvalidRequest,
};
use crate::guard::authenticate::AuthenticatedUser;
use crate::mail::MailKind;
use crate::model::totp::{self, Enrolment};
use crate::model::{Phone, RequestContext, Session, User};
use crate::outbox::{self, PendingMessages, email};
use crate::state::State;
use crate::store;

mod challenge;
mod verify;

pub use challenge::{PartyRequest, challenge};
pub use verify::{Proof, verify};

/// The request of an enrolment.
#[derive(Debug)]
pub struct EnrolmentRequest<'a> {
    pub factor_type: &'a str,
    pub friendly_name: &'a str,
    pub issuer: &'a str,
    pub phone: &'a str,
}

/// The data that the client needs to finish an enrolment.
pub enum EnrolmentResponse {
    Totp(Enrolment),
    Phone(Phone),
    Webauthn,
}

/// Begins an enrolment; the first correct code finishes it.
///
/// # Errors
/// The kind is disabled, the name is taken, there are too many factors, or a session of a higher
/// level is needed.
#[tracing::instrument(name = "auth.enrol_factor", skip_all)]
pub async fn enrol(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    request: EnrolmentRequest<'_>,
) -> Result<(Uuid, EnrolmentResponse), AuthError> {
    may_have_factors(caller)?;
    let new = begin(state, caller, &request)?;
    let mut tx = state.begin().await?;
    // The lock makes the later of two concurrent enrolments count the earlier one's factor.
    store::user::lock(&mut tx, caller.user.id).await?;
    let now = state.now();
    let abandoned = now - state.config.mfa.factor_expiry;
    // Deleted before the account is loaded, so that abandoned enrolments take no name and do not
    // count.
    store::factor::delete_abandoned(&mut tx, caller.user.id, abandoned).await?;
    if let EnrolmentResponse::Phone(phone) = &new {
        make_room_for_phone(&mut tx, caller.user.id, phone).await?;
    }
    let user =
        store::user::load(&mut tx, caller.user.id).await?.ok_or(CallerRefusal::SubjectGone)?;
    check_room(state, &user, caller.session.as_ref(), request.friendly_name)?;
    let row = store::factor::NewRow {
        id: state.uuid(),
        user_id: user.id,
        friendly_name: request.friendly_name,
        factor_type: request.factor_type,
        secret: match &new {
            EnrolmentResponse::Totp(enrolment) => Some(&enrolment.secret),
            _ => None,
        },
        phone: match &new {
            EnrolmentResponse::Phone(phone) => Some(phone.as_str()),
            _ => None,
        },
        now,
    };
    store::factor::insert(&mut tx, &row).await?;
    audit::record(state, &mut tx, context, &user, Action::FactorInProgress, None).await?;
    tx.commit().await?;
    Ok((row.id, new))
}

fn begin(
    state: &State,
    caller: &AuthenticatedUser,
    request: &EnrolmentRequest<'_>,
) -> Result<EnrolmentResponse, AuthError> {
    let mfa = &state.config.mfa;
    match request.factor_type {
        "totp" if mfa.totp_enroll_enabled => {
            let issuer = if request.issuer.is_empty() {
                site_host(state)
            } else {
                request.issuer.to_owned()
            };
            let secret = state.environment.entropy.bytes();
            Ok(EnrolmentResponse::Totp(totp::enrol(secret, caller.user.name(), &issuer)?))
        }
        "phone" if mfa.phone_enroll_enabled => {
            Ok(EnrolmentResponse::Phone(Phone::parse(request.phone)?))
        }
        "webauthn" if mfa.webauthn_enroll_enabled => Ok(EnrolmentResponse::Webauthn),
        "totp" => Err(FactorRefusal::EnrollDisabled("MFA").into()),
        "phone" => Err(FactorRefusal::EnrollDisabled("Phone").into()),
        "webauthn" => Err(FactorRefusal::EnrollDisabled("WebAuthn").into()),
        _ => Err(InvalidRequest::FactorType.into()),
    }
}

/// Deletes an unfinished enrolment of the same number; refuses if a finished one exists.
async fn make_room_for_phone(tx: &mut Owner, user: Uuid, phone: &Phone) -> Result<(), AuthError> {
    if store::factor::has_verified_phone(tx, user, phone.as_str()).await? {
        return Err(DeviceRefusal::PhoneFactorExists.into());
    }
    store::factor::delete_phone(tx, user, phone.as_str()).await?;
    Ok(())
}

pub(super) fn may_have_factors(caller: &AuthenticatedUser) -> Result<(), AuthError> {
    if caller.user.is_anonymous { Err(CallerRefusal::AnonymousNotAllowed.into()) } else { Ok(()) }
}

/// Checks the number of factors and their names. Two factors without a name conflict too.
fn check_room(
    state: &State,
    user: &User,
    session: Option<&Session>,
    name: &str,
) -> Result<(), AuthError> {
    let is_same = |other: &Option<String>| other.as_deref().unwrap_or_default() == name;
    if user.factors.iter().any(|factor| is_same(&factor.friendly_name)) {
        return Err(FactorRefusal::NameConflict(name.to_owned()).into());
    }
    if user.factors.len() >= state.config.mfa.max_enrolled_factors {
        return Err(FactorRefusal::TooMany.into());
    }
    if user.has_verified_factor() && !session.is_some_and(Session::is_aal2) {
        return Err(FactorRefusal::EnrollNeedsAal2.into());
    }
    Ok(())
}

fn site_host(state: &State) -> String {
    let Ok(url) = url::Url::parse(state.redirects.site()) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Removes a factor; sessions that used it fall back to the first level.
///
/// # Errors
/// [`FactorRefusal::UnenrollNeedsAal2`] for a verified factor.
#[tracing::instrument(name = "auth.unenrol_factor", skip_all)]
pub async fn unenrol(
    state: &State,
    context: &RequestContext,
    caller: &AuthenticatedUser,
    factor: Uuid,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    let row = store::factor::load(&mut tx, factor, caller.user.id).await?;
    let row = row.ok_or(FactorRefusal::NotFound)?;
    if row.status == "verified" && !caller.session.as_ref().is_some_and(Session::is_aal2) {
        return Err(FactorRefusal::UnenrollNeedsAal2.into());
    }
    drop_factor(state, &mut tx, &row).await?;
    audit::record(state, &mut tx, context, &caller.user, Action::FactorUnenrolled, None).await?;
    let messages = if row.status == "verified" {
        notice(state, &mut tx, caller, MailKind::FactorUnenrolled, &row.factor_type).await?
    } else {
        PendingMessages::default()
    };
    tx.commit().await?;
    outbox::send_notifications(state, [messages]).await;
    Ok(())
}

async fn notice(
    state: &State,
    tx: &mut Owner,
    caller: &AuthenticatedUser,
    kind: MailKind,
    factor_type: &str,
) -> Result<PendingMessages, AuthError> {
    let facts = [("FactorType", factor_type)];
    email::notice(state, tx, &caller.user, kind, caller.user.email(), &facts).await
}

/// The name of this type of factor in the `amr` claim.
fn method_of(factor_type: &str) -> &'static str {
    match factor_type {
        "phone" => "mfa/phone",
        "webauthn" => "mfa/webauthn",
        _ => "totp",
    }
}

async fn drop_factor(
    state: &State,
    tx: &mut Owner,
    factor: &store::factor::FactorSecret,
) -> Result<(), AuthError> {
    let method = method_of(&factor.factor_type);
    store::session::downgrade(tx, factor.id, method, state.now()).await?;
    store::factor::delete(tx, factor.id).await?;
    Ok(())
}

/// An administrator's change to a person's factor.
pub enum FactorUpdate<'a> {
    Change { name: Option<&'a str>, phone: Option<&'a str> },
    Remove,
}

/// Changes or removes a person's factor on behalf of an administrator; returns the account.
pub async fn administer(
    state: &State,
    context: &RequestContext,
    user: Uuid,
    factor: Uuid,
    update: FactorUpdate<'_>,
) -> Result<User, AuthError> {
    let mut tx = state.begin().await?;
    let before = store::user::load(&mut tx, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    let row = store::factor::load(&mut tx, factor, user).await?.ok_or(FactorRefusal::NotFound)?;
    let FactorUpdate::Change { name, phone } = update else {
        drop_factor(state, &mut tx, &row).await?;
        audit::record_by_admin(state, &mut tx, context, &before, Action::FactorDeleted).await?;
        tx.commit().await?;
        return Ok(before);
    };
    if let Some(name) = name {
        store::factor::set_name(&mut tx, factor, name, state.now()).await?;
    }
    if let Some(phone) = phone.filter(|_| row.factor_type == "phone") {
        let phone = Phone::parse(phone)?;
        store::factor::set_phone(&mut tx, factor, phone.as_str(), state.now()).await?;
    }
    audit::record_by_admin(state, &mut tx, context, &before, Action::FactorUpdated).await?;
    let after = store::user::load(&mut tx, user).await?.ok_or(AccountRefusal::UserNotFound)?;
    tx.commit().await?;
    Ok(after)
}
