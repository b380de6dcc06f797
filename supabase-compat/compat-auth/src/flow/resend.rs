//! Sending a pending mail once more. Whether something is pending is told to nobody.

use super::audit::{self, Action};
use super::recover::known;
use super::{Visit, change_email, notify, text_message};
use crate::error::{AuthError, Closed, Disabled, Invalid};
use crate::model::{Challenge, Email, OneTime, Phone};
use crate::state::State;

/// What to send again.
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
/// Malformed requests and too frequent ones only.
#[tracing::instrument(name = "auth.resend", skip_all)]
pub async fn resend(
    state: &State,
    visit: &Visit,
    asked: Resend<'_>,
) -> Result<Option<String>, AuthError> {
    match check(state, &asked)? {
        Address::Email(email) => {
            resend_mail(state, visit, asked, email).await?;
            Ok(None)
        }
        Address::Phone(phone) => resend_text(state, visit, asked.kind, phone).await,
    }
}

enum Address {
    Email(Email),
    Phone(Phone),
}

async fn resend_mail(
    state: &State,
    visit: &Visit,
    asked: Resend<'_>,
    email: Email,
) -> Result<(), AuthError> {
    let mut tx = state.begin().await?;
    let Some(user) = known(&mut tx, visit, &email).await? else { return Ok(()) };
    let challenge = asked.challenge.as_ref();
    let mails = match asked.kind {
        "signup" if !user.is_confirmed() => {
            audit::record(state, &mut tx, visit, &user, Action::ConfirmationRequested, None)
                .await?;
            vec![notify::confirmation(state, &mut tx, visit, &user, challenge).await?]
        }
        "email_change" => match user.email_change.clone().filter(|pending| !pending.is_empty()) {
            Some(pending) => {
                vec![change_email::ask(state, &mut tx, visit, &user, &pending, challenge).await?]
            }
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    tx.commit().await?;
    notify::send(state, mails).await
}

async fn resend_text(
    state: &State,
    visit: &Visit,
    kind: &str,
    phone: Phone,
) -> Result<Option<String>, AuthError> {
    let mut tx = state.begin().await?;
    let Some(user) = text_message::known(&mut tx, visit, &phone).await? else { return Ok(None) };
    let change = user.phone_change.clone().filter(|pending| !pending.is_empty());
    let (to, kind) = match (kind, change) {
        ("sms", _) if user.phone_confirmed_at.is_none() => {
            (user.phone().to_owned(), OneTime::Confirmation)
        }
        ("phone_change", Some(pending)) => (pending, OneTime::PhoneChange),
        _ => return Ok(None),
    };
    let code = text_message::code(state, &mut tx, &user, &to, kind).await?;
    tx.commit().await?;
    text_message::send(state, &user, code).await
}

/// The address to send to, of the kind that the type wants.
fn check(state: &State, asked: &Resend<'_>) -> Result<Address, AuthError> {
    let by_mail = match asked.kind {
        "signup" | "email_change" => true,
        "sms" | "phone_change" => false,
        _ => return Err(Invalid::ResendType.into()),
    };
    match (asked.email, asked.phone) {
        ("", phone) if !by_mail && !phone.is_empty() => {
            if !state.config.phone_enabled {
                return Err(Closed::Phone(Disabled::Recovery).into());
            }
            Ok(Address::Phone(Phone::parse(phone)?))
        }
        (email, "") if by_mail && !email.is_empty() => {
            if !state.config.email.enabled {
                return Err(Closed::Email(Disabled::Recovery).into());
            }
            Ok(Address::Email(Email::parse(email)?))
        }
        (email, phone) if !email.is_empty() && !phone.is_empty() => {
            Err(Invalid::EmailAndPhone.into())
        }
        _ if by_mail => Err(Invalid::ResendEmail.into()),
        _ => Err(Invalid::ResendPhone.into()),
    }
}
