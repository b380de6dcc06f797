//! Codes on their way to a telephone.

use std::time::Duration;

use chrono::{DateTime, Utc};
use compat_http::{Answer, Reach};
use compat_pg::Owner;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::config::{SmsProvider, TwilioConfig};
use crate::error::{AuthError, Closed, Fault, TooOften};
use crate::flow::hook;
use crate::guard::limit;
use crate::model::{OneTime, TokenHash, User};
use crate::state::State;
use crate::store;

/// What answers of test numbers carry instead of a provider's id.
const TEST_ID: &str = "test-otp";

/// A code that waits for the commit.
pub struct Pending {
    phone: String,
    digits: String,
    text: String,
}

/// The code of a number that is only for tests, while those are valid.
fn test_code<'a>(state: &'a State, phone: &str) -> Option<&'a str> {
    let sms = &state.config.sms;
    let valid = sms.test_otp_valid_until.is_none_or(|until| state.now() < until);
    sms.test_otp.get(phone).filter(|_| valid).map(String::as_str)
}

/// # Errors
/// [`Closed::SmsProvider`] when nothing could take a message to this number.
pub fn check_reachable(state: &State, phone: &str) -> Result<(), AuthError> {
    let someone = state.config.sms.provider.is_some() || state.config.hooks.send_sms.is_some();
    if someone || test_code(state, phone).is_some() {
        Ok(())
    } else {
        Err(AuthError::Closed(Closed::SmsProvider))
    }
}

/// Draws a code for `phone` and notes it as `kind`.
///
/// # Errors
/// [`TooOften::TextTooSoon`], or [`Closed::SmsProvider`].
pub async fn code(
    state: &State,
    tx: &mut Owner,
    user: &User,
    phone: &str,
    kind: OneTime,
) -> Result<Pending, AuthError> {
    let sent = match kind {
        OneTime::PhoneChange => user.phone_change_sent_at,
        OneTime::Reauthentication => user.reauthentication_sent_at,
        _ => user.confirmation_sent_at,
    };
    let sms = &state.config.sms;
    check_frequency(state, sent, sms.max_frequency)?;
    let (hash, pending) = draw(state, phone, sms.otp_length, &sms.template)?;
    if test_code(state, phone).is_none() {
        limit::take_text(state, tx).await?;
    }
    let now = state.now();
    match kind {
        OneTime::PhoneChange => {
            store::user::set_phone_change(tx, user.id, phone, hash.as_str(), now).await?;
        }
        OneTime::Reauthentication => {
            store::user::set_reauthentication(tx, user.id, hash.as_str(), now).await?;
        }
        _ => store::user::set_confirmation(tx, user.id, hash.as_str(), now).await?,
    }
    let hash = hash.as_str();
    store::one_time_token::put(tx, state.uuid(), user.id, kind, hash, phone, now).await?;
    Ok(pending)
}

/// Draws a code for `phone` and writes its message.
///
/// # Errors
/// [`Closed::SmsProvider`].
pub fn draw(
    state: &State,
    phone: &str,
    length: usize,
    template: &str,
) -> Result<(TokenHash, Pending), AuthError> {
    check_reachable(state, phone)?;
    let digits = match test_code(state, phone) {
        Some(code) => code.to_owned(),
        None => state.edge.entropy.digits(length.clamp(6, 10)),
    };
    let text = template.replace("{{ .Code }}", &digits).replace("{{.Code}}", &digits);
    let hash = TokenHash::of(phone, &digits);
    Ok((hash, Pending { phone: phone.to_owned(), digits, text }))
}

/// # Errors
/// [`TooOften::TextTooSoon`] with the seconds to wait.
pub fn check_frequency(
    state: &State,
    sent: Option<DateTime<Utc>>,
    frequency: Duration,
) -> Result<(), AuthError> {
    let wait = sent.map(|sent| sent + frequency - state.now());
    match wait.filter(|wait| wait.num_milliseconds() > 0) {
        Some(wait) => Err(TooOften::TextTooSoon((wait.num_milliseconds() + 999) / 1000).into()),
        None => Ok(()),
    }
}

/// Sends the code after the commit; gives the provider's id of the message.
///
/// # Errors
/// [`Fault::TextNotSent`]: what was committed stays, and the person may ask again.
pub async fn send(
    state: &State,
    user: &User,
    pending: Pending,
) -> Result<Option<String>, AuthError> {
    if test_code(state, &pending.phone).is_some() {
        return Ok(Some(TEST_ID.to_owned()));
    }
    if state.config.hooks.send_sms.is_some() {
        hook::send_sms(state, user, &pending.phone, &pending.digits).await?;
        return Ok(None);
    }
    match &state.config.sms.provider {
        Some(SmsProvider::Twilio(twilio)) => by_twilio(state, twilio, &pending).await,
        None => Err(AuthError::Closed(Closed::SmsProvider)),
    }
}

async fn by_twilio(
    state: &State,
    twilio: &TwilioConfig,
    pending: &Pending,
) -> Result<Option<String>, AuthError> {
    let base = twilio.base_url.as_deref().unwrap_or("https://api.twilio.com");
    let url = format!("{base}/2010-04-01/Accounts/{}/Messages.json", twilio.account_sid);
    let to = format!("+{}", pending.phone);
    let sender = if twilio.sender.starts_with("MG") { "MessagingServiceSid" } else { "From" };
    let text = pending.text.as_str();
    let form = [("To", to.as_str()), (sender, twilio.sender.as_str()), ("Body", text)];
    let (user, password) = (&twilio.account_sid, twilio.auth_token.expose_secret());
    let asking = state.edge.outgoing.post(Reach::Named, &url).basic(user, password).form(&form);
    let answer = asking.send().await.and_then(Answer::success);
    let answer = answer.and_then(|answer| answer.json::<Value>());
    let answer = answer.map_err(|error| Fault::TextNotSent(error.into()))?;
    Ok(answer.get("sid").and_then(|sid| sid.as_str()).map(str::to_owned))
}
