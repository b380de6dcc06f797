//! Sending a pending message again. The response does not reveal whether one is pending.

use super::change_email;
use super::decoy::{self, DecoyMessage};
use super::recover::known;
use crate::audit::{self, Action};
use crate::error::{AuthError, DisabledAction, DisabledFeature, InvalidRequest};
use crate::model::{Address, Challenge, Email, Phone, RequestContext};
use crate::outbox::{self, email, text};
use crate::pending::Purpose;
use crate::state::State;

/// The request to send a message again.
#[derive(Debug)]
pub struct Resend<'a> {
    pub kind: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
    pub challenge: Option<Challenge>,
}

/// Sends a pending confirmation again.
///
/// # Errors
/// Only malformed and too frequent requests are refused.
#[tracing::instrument(name = "auth.resend", skip_all)]
pub async fn resend(
    state: &State,
    context: &RequestContext,
    request: Resend<'_>,
) -> Result<Option<String>, AuthError> {
    let address = check(state, &request)?;
    match address {
        Address::Email(_) => {
            resend_mail(state, context, request, &address).await?;
            Ok(None)
        }
        Address::Phone(_) => resend_text(state, context, request.kind, &address).await,
    }
}

async fn resend_mail(
    state: &State,
    context: &RequestContext,
    request: Resend<'_>,
    address: &Address,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    let user = known(&mut tx, context, address).await?;
    let challenge = request.challenge.as_ref();
    let mail = match (request.kind, user) {
        ("signup", Some(user)) if !user.is_confirmed() => {
            audit::record(state, &mut tx, context, &user, Action::ConfirmationRequested, None)
                .await?;
            email::confirmation(state, &mut tx, context, &user, challenge).await?
        }
        ("email_change", Some(user)) if !user.pending_email().is_empty() => {
            change_email::ask(state, &mut tx, context, &user, user.pending_email(), challenge)
                .await?
        }
        // A decoy counts like a mail, so that the response does not reveal who has an account.
        (kind, _) => {
            return decoy::note(state, tx, decoy_message(kind), address).await;
        }
    };
    tx.commit().await?;
    outbox::send(state, [mail]).await
}

async fn resend_text(
    state: &State,
    context: &RequestContext,
    kind: &str,
    address: &Address,
) -> Result<Option<String>, AuthError> {
    let mut tx = state.begin().await?;
    let user = known(&mut tx, context, address).await?;
    let (user, to, kind) = match (kind, user) {
        ("sms", Some(user)) if user.phone_confirmed_at.is_none() => {
            let to = user.phone().to_owned();
            (user, to, Purpose::Confirmation)
        }
        ("phone_change", Some(user)) if !user.pending_phone().is_empty() => {
            let to = user.pending_phone().to_owned();
            (user, to, Purpose::PhoneChange)
        }
        (kind, _) => {
            // Without a reachable provider there is no decoy.
            if text::check_reachable(state, address.as_str()).is_ok() {
                decoy::note(state, tx, decoy_message(kind), address).await?;
            }
            return Ok(None);
        }
    };
    let code = text::code(state, &mut tx, &user, &to, kind).await?;
    tx.commit().await?;
    text::send(state, code).await
}

/// The decoy for a message that is not pending.
fn decoy_message(kind: &str) -> DecoyMessage {
    match kind {
        "signup" | "sms" => DecoyMessage::Confirmation,
        _ => DecoyMessage::Change,
    }
}

/// The address to send to, of the kind that the type requires.
fn check(state: &State, request: &Resend<'_>) -> Result<Address, AuthError> {
    let by_mail = match request.kind {
        "signup" | "email_change" => true,
        "sms" | "phone_change" => false,
        _ => return Err(InvalidRequest::ResendType.into()),
    };
    match (request.email, request.phone) {
        ("", phone) if !by_mail && !phone.is_empty() => {
            if !state.config.phone_enabled {
                return Err(DisabledFeature::Phone(DisabledAction::Recovery).into());
            }
            Ok(Address::Phone(Phone::parse(phone)?))
        }
        (email, "") if by_mail && !email.is_empty() => {
            if !state.config.email.enabled {
                return Err(DisabledFeature::Email(DisabledAction::Recovery).into());
            }
            Ok(Address::Email(Email::parse(email)?))
        }
        (email, phone) if !email.is_empty() && !phone.is_empty() => {
            Err(InvalidRequest::EmailAndPhone.into())
        }
        _ if by_mail => Err(InvalidRequest::ResendEmail.into()),
        _ => Err(InvalidRequest::ResendPhone.into()),
    }
}
