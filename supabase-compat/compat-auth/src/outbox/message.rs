//! What lies in the outbox: complete, so that whoever delivers it later needs only the settings.

use std::time::Duration;

use compat_mail::{ClaimedMessage, Email};
use compat_pg::Owner;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::AuthError;
use crate::state::State;

/// Something finished, with its one-time tokens: it is never shown or logged.
#[derive(Serialize, Deserialize)]
pub enum OutboxMessage {
    /// An email, for the transport.
    Email(Email),
    /// What an operator's hook is told instead of emails.
    EmailHook { user: Value, email_data: Value },
    /// A text message, for the provider.
    Text { phone: String, text: String },
    /// What an operator's hook is told instead of a text message.
    TextHook { user: Value, phone: String, code: String },
}

/// Messages that belong together, enqueued in a transaction that is still to be committed: those that
/// this request delivers itself.
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

    /// How long its codes are worth anything.
    pub fn lifetime(&self, state: &State) -> Duration {
        match self {
            Self::Email(_) | Self::EmailHook { .. } => state.config.email.otp_expiry,
            Self::Text { .. } | Self::TextHook { .. } => state.config.sms.otp_expiry,
        }
    }

    /// Whether requests are answered before it has left. Hooks and providers of texts have a say in
    /// the answer, so that they are always waited for.
    fn leaves_later(&self, state: &State) -> bool {
        matches!(self, Self::Email(_)) && state.config.email.background_sending
    }
}

impl PendingMessages {
    /// Enqueues messages where they survive this process, as soon as the transaction commits.
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
