//! Handing one parcel to whoever takes it.

use crate::error::{AuthError, DeliveryFailure, DisabledFeature, Fault};
use crate::hook;
use crate::post::{Parcel, text};
use crate::state::State;

/// Hands a parcel over; a provider of texts says under which id it took one.
///
/// # Errors
/// Whoever should take it does not, in the words that the person hears.
pub async fn carry(state: &State, parcel: &Parcel) -> Result<Option<String>, AuthError> {
    match parcel {
        Parcel::Mail(mail) => {
            let sent = state.mailer.send(mail.clone()).await;
            let kind = mail.kind.name();
            sent.map_err(|source| Fault::Delivery(DeliveryFailure { kind, source }))?;
            Ok(None)
        }
        Parcel::MailHook { user, email_data } => {
            hook::send_email(state, user, email_data).await.map(|()| None)
        }
        Parcel::TextHook { user, phone, code } => {
            hook::send_sms(state, user, phone, code).await.map(|()| None)
        }
        Parcel::Text { phone, text } => match &state.config.sms.provider {
            Some(provider) => text::by_provider(state, provider, phone, text).await,
            None => Err(DisabledFeature::SmsProvider.into()),
        },
    }
}
