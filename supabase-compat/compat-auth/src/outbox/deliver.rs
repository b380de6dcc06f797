//! Delivering one message.

use crate::error::{AuthError, DeliveryFailure, DisabledFeature, Fault};
use crate::hook;
use crate::state::State;

use super::message::OutboxMessage;
use super::sms_provider;

/// Delivers a message; returns the id that the provider gave to a text message.
///
/// # Errors
/// The refusal of the transport, the provider or the hook, in the wording for clients.
pub async fn deliver(state: &State, message: &OutboxMessage) -> Result<Option<String>, AuthError> {
    match message {
        OutboxMessage::Email(email) => {
            let result = state.mailer.send(email.clone()).await;
            let kind = email.kind.clone();
            result.map_err(|source| Fault::Delivery(DeliveryFailure { kind, source }))?;
            Ok(None)
        }
        OutboxMessage::EmailHook { user, email_data } => {
            hook::send_email(state, user, email_data).await.map(|()| None)
        }
        OutboxMessage::TextHook { user, phone, code } => {
            hook::send_sms(state, user, phone, code).await.map(|()| None)
        }
        OutboxMessage::Text { phone, text } => match &state.config.sms.provider {
            Some(provider) => sms_provider::send_text(state, provider, phone, text).await,
            None => Err(DisabledFeature::SmsProvider.into()),
        },
    }
}
