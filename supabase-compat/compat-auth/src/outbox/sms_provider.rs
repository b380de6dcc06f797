//! Providers of text messages.

use compat_http::{EgressPolicy, OutgoingResponse};
use secrecy::ExposeSecret as _;
use serde_json::Value;

use crate::config::{SmsProvider, TwilioConfig};
use crate::error::{AuthError, Fault};
use crate::state::State;

/// Sends a text message through a provider; returns the provider's id of the message.
///
/// # Errors
/// [`Fault::TextNotSent`].
pub(super) async fn send_text(
    state: &State,
    provider: &SmsProvider,
    phone: &str,
    text: &str,
) -> Result<Option<String>, AuthError> {
    match provider {
        SmsProvider::Twilio(twilio) => by_twilio(state, twilio, phone, text).await,
    }
}

async fn by_twilio(
    state: &State,
    twilio: &TwilioConfig,
    phone: &str,
    text: &str,
) -> Result<Option<String>, AuthError> {
    let base = twilio.base_url.as_deref().unwrap_or("https://api.twilio.com");
    let url = format!("{base}/2010-04-01/Accounts/{}/Messages.json", twilio.account_sid);
    let to = format!("+{phone}");
    let sender = if twilio.sender.starts_with("MG") { "MessagingServiceSid" } else { "From" };
    let form = [("To", to.as_str()), (sender, twilio.sender.as_str()), ("Body", text)];
    let (user, password) = (&twilio.account_sid, twilio.auth_token.expose_secret());
    let request = state
        .environment
        .outgoing
        .post(EgressPolicy::Trusted, &url)
        .basic(user, password)
        .form(&form);
    let answer = request.send().await.and_then(OutgoingResponse::success);
    let answer = answer.and_then(|answer| answer.json::<Value>());
    let answer = answer.map_err(|error| Fault::TextNotSent(error.into()))?;
    Ok(answer.get("sid").and_then(|sid| sid.as_str()).map(str::to_owned))
}
