//! The messages in the outbox. They are complete, so that a worker needs only the settings to
//! deliver them.

use std::time::Duration;

use compat_mail::{ClaimedMessage, Email};
use compat_pg::Owner;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::AuthError;
use crate::state::State;

/// A finished message with its one-time tokens; never show or log it.
#[derive(Serialize, Deserialize)]
pub enum OutboxMessage {
    /// An email, for the transport.
    Email(Email),
    /// The call of an operator's hook that replaces emails.
    EmailHook { user: Value, email_data: Value },
    /// A text message, for the provider.
    Text { phone: String, text: String },
    /// The call of an operator's hook that replaces a text message.
    TextHook { user: Value, phone: String, code: String },
}

/// Messages that belong together, enqueued in a transaction that is not committed yet; this request
/// delivers them itself.
#[must_use = "what is claimed leaves by `send`"]
#[derive(Default)]
pub struct PendingMessages(pub(super) Vec<(ClaimedMessage, OutboxMessage)>);

impl OutboxMessage {
    /// The kind, for the outbox and its log.
    pub fn kind(&self) -> &str {
        match self {
            Self::Email(email) => &email.kind,
            Self::EmailHook { .. } => "mail hook",
            Self::Text { .. } => "text",
            Self::TextHook { .. } => "text hook",
        }
    }

    /// How long the codes in the message are valid.
    pub fn lifetime(&self, state: &State) -> Duration {
        match self {
            Self::Email(_) | Self::EmailHook { .. } => state.config.email.otp_expiry,
            Self::Text { .. } | Self::TextHook { .. } => state.config.sms.otp_expiry,
        }
    }

    /// Whether the response does not wait for the delivery. Hooks and text message providers can
    /// refuse the request, so these are always waited for.
    fn leaves_later(&self, state: &State) -> bool {
        matches!(self, Self::Email(_)) && state.config.email.background_sending
    }
}

impl PendingMessages {
    /// Enqueues messages; they are durable as soon as the transaction commits.
    pub async fn enqueue(
        state: &State,
        tx: &mut Owner,
        messages: impl IntoIterator<Item = OutboxMessage>,
    ) -> Result<Self, AuthError> {
        let outbox = &state.outbox;
        let mut pending = Vec::new();
        for message in messages {
            if message.leaves_later(state) {
                outbox.enqueue(tx, message.kind(), &message).await?;
            } else {
                let claimed = outbox.enqueue_claimed(tx, message.kind(), &message).await?;
                pending.push((claimed, message));
            }
        }
        Ok(Self(pending))
    }
}
