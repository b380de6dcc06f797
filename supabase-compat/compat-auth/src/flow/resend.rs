//! Sending a pending mail once more. Whether something is pending is told to nobody.

use super::audit::{self, Action};
use super::recover::known;
use super::{Visit, change_email, notify};
use crate::error::{AuthError, Disabled, Invalid};
use crate::model::{Challenge, Email, Phone};
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
pub async fn resend(state: &State, visit: &Visit, asked: Resend<'_>) -> Result<(), AuthError> {
    let email = check(state, &asked)?;
    let Some(email) = email else { return Ok(()) };
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
                change_email::ask(state, &mut tx, visit, &user, &pending, challenge).await?
            }
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    tx.commit().await?;
    notify::send(state, mails).await
}

/// The address to mail to; `None` for text messages, which nothing here sends.
fn check(state: &State, asked: &Resend<'_>) -> Result<Option<Email>, AuthError> {
    let by_mail = match asked.kind {
        "signup" | "email_change" => true,
        "sms" | "phone_change" => false,
        _ => return Err(Invalid::ResendType.into()),
    };
    match (asked.email, asked.phone) {
        ("", "") if by_mail => Err(Invalid::ResendEmail.into()),
        ("", "") => Err(Invalid::ResendPhone.into()),
        ("", phone) if !by_mail => {
            if !state.config.phone_enabled {
                return Err(AuthError::PhoneDisabled(Disabled::Recovery));
            }
            Phone::parse(phone)?;
            Ok(None)
        }
        (email, "") if by_mail => {
            if !state.config.email.enabled {
                return Err(AuthError::EmailDisabled(Disabled::Recovery));
            }
            Ok(Some(Email::parse(email)?))
        }
        ("", _) => Err(Invalid::ResendEmail.into()),
        (_, "") => Err(Invalid::ResendPhone.into()),
        _ => Err(Invalid::EmailAndPhone.into()),
    }
}
