//! Codes by text message.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_pg::Owner;

use crate::error::{AuthError, DisabledFeature, RateLimitRefusal};
use crate::guard::limit;
use crate::model::user_body::UserBody;
use crate::model::{TokenHash, User};
use crate::pending::{self, Purpose};
use crate::state::State;

use super::dispatch::deliver_all;
use super::message::{OutboxMessage, PendingMessages};

/// The message id in responses for test numbers.
const TEST_ID: &str = "test-otp";

/// A code and its message, to be enqueued.
pub struct Message {
    phone: String,
    digits: String,
    text: String,
}

/// A message in the outbox.
#[must_use = "what is claimed leaves by `send`"]
pub struct PendingText {
    messages: PendingMessages,
    /// Set for test numbers only.
    id: Option<&'static str>,
}

/// The code of a test number, while test numbers are valid.
fn test_code<'a>(state: &'a State, phone: &str) -> Option<&'a str> {
    let sms = &state.config.sms;
    let valid = sms.test_otp_valid_until.is_none_or(|until| state.now() < until);
    sms.test_otp.get(phone).filter(|_| valid).map(String::as_str)
}

/// # Errors
/// [`DisabledFeature::SmsProvider`] when no provider or hook can send to this number.
pub fn check_reachable(state: &State, phone: &str) -> Result<(), AuthError> {
    let someone = state.config.sms.provider.is_some() || state.config.hooks.send_sms.is_some();
    if someone || test_code(state, phone).is_some() {
        Ok(())
    } else {
        Err(AuthError::Disabled(DisabledFeature::SmsProvider))
    }
}

/// Generates a code for `phone` and stores it for `purpose`.
///
/// # Errors
/// [`RateLimitRefusal::TextTooSoon`], or [`DisabledFeature::SmsProvider`].
pub async fn code(
    state: &State,
    tx: &mut Owner,
    user: &User,
    phone: &str,
    purpose: Purpose,
) -> Result<PendingText, AuthError> {
    let sent_at = match purpose {
        Purpose::PhoneChange => user.phone_change_sent_at,
        Purpose::Reauthentication => user.reauthentication_sent_at,
        _ => user.confirmation_sent_at,
    };
    let sms = &state.config.sms;
    check_frequency(state, sent_at, sms.max_frequency)?;
    let (hash, message) = draw(state, phone, sms.otp_length, &sms.template)?;
    if test_code(state, phone).is_none() {
        limit::take_text(state, tx).await?;
    }
    pending::note(state, tx, (user.id, purpose), phone, &hash).await?;
    message.enqueue(state, tx, user).await
}

/// Generates a code for `phone` and its message.
///
/// # Errors
/// [`DisabledFeature::SmsProvider`].
pub fn draw(
    state: &State,
    phone: &str,
    length: usize,
    template: &str,
) -> Result<(TokenHash, Message), AuthError> {
    check_reachable(state, phone)?;
    let digits = match test_code(state, phone) {
        Some(code) => code.to_owned(),
        None => state.environment.entropy.digits(length.clamp(6, 10)),
    };
    let text = template.replace("{{ .Code }}", &digits).replace("{{.Code}}", &digits);
    let hash = TokenHash::of(phone, &digits);
    Ok((hash, Message { phone: phone.to_owned(), digits, text }))
}

/// # Errors
/// [`RateLimitRefusal::TextTooSoon`] with the seconds to wait.
pub fn check_frequency(
    state: &State,
    sent_at: Option<DateTime<Utc>>,
    frequency: Duration,
) -> Result<(), AuthError> {
    let wait = sent_at.map(|sent_at| sent_at + frequency - state.now());
    match wait.filter(|wait| wait.num_milliseconds() > 0) {
        Some(wait) => {
            Err(RateLimitRefusal::TextTooSoon((wait.num_milliseconds() + 999) / 1000).into())
        }
        None => Ok(()),
    }
}

impl Message {
    /// Enqueues the message; nothing is sent to test numbers.
    pub async fn enqueue(
        self,
        state: &State,
        tx: &mut Owner,
        user: &User,
    ) -> Result<PendingText, AuthError> {
        let Self { phone, digits: code, text } = self;
        if test_code(state, &phone).is_some() {
            return Ok(PendingText { messages: PendingMessages::default(), id: Some(TEST_ID) });
        }
        let message = if state.config.hooks.send_sms.is_some() {
            let user = serde_json::to_value(UserBody::from(user)).map_err(AuthError::internal)?;
            OutboxMessage::TextHook { user, phone, code }
        } else {
            OutboxMessage::Text { phone, text }
        };
        Ok(PendingText {
            messages: PendingMessages::enqueue(state, tx, [message]).await?,
            id: None,
        })
    }
}

/// Delivers the message after the commit; returns the provider's id of it.
///
/// # Errors
/// [`Fault::TextNotSent`]; the commit stays, and the person may repeat the request.
pub async fn send(state: &State, pending: PendingText) -> Result<Option<String>, AuthError> {
    let result = deliver_all(state, [pending.messages]).await?;
    Ok(pending.id.map(str::to_owned).or(result))
}
