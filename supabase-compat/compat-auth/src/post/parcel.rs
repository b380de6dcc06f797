//! What lies in the queue: complete, so that whoever takes it later needs only the settings.

use std::time::Duration;

use compat_pg::{ClaimedJob, Owner};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::AuthError;
use crate::mail::Mail;
use crate::state::State;

/// How long whoever holds a parcel may take to hand it over: longer than a relay, a provider or a
/// hook may take.
pub const LEASE: Duration = Duration::from_secs(30);

/// Something finished, with its one-time tokens: it is never shown or logged.
#[derive(Serialize, Deserialize)]
pub enum Parcel {
    /// A mail, for the way out.
    Mail(Mail),
    /// What an operator's hook is told instead of mails.
    MailHook { user: Value, email_data: Value },
    /// A text message, for the provider.
    Text { phone: String, text: String },
    /// What an operator's hook is told instead of a text message.
    TextHook { user: Value, phone: String, code: String },
}

/// Parcels that belong together, put in a transaction that is still to be committed.
#[must_use = "what is held leaves by `send`"]
#[derive(Default)]
pub struct Posted(pub(super) Vec<Held>);

/// A parcel that this request hands over itself.
pub(super) struct Held {
    pub job: ClaimedJob,
    pub parcel: Parcel,
}

impl Parcel {
    /// The kind, for the queue and its log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mail(mail) => mail.kind.name(),
            Self::MailHook { .. } => "mail hook",
            Self::Text { .. } => "text",
            Self::TextHook { .. } => "text hook",
        }
    }

    /// How long its codes are worth anything.
    pub fn lifetime(&self, state: &State) -> Duration {
        match self {
            Self::Mail(_) | Self::MailHook { .. } => state.config.email.otp_expiry,
            Self::Text { .. } | Self::TextHook { .. } => state.config.sms.otp_expiry,
        }
    }

    /// Whether requests are answered before it has left. Hooks and providers of texts have a say in
    /// the answer, so that they are always waited for.
    fn leaves_later(&self, state: &State) -> bool {
        matches!(self, Self::Mail(_)) && state.config.email.background_sending
    }
}

impl Posted {
    /// Puts parcels where they survive this process, as soon as the transaction commits.
    ///
    /// # Errors
    /// The database's.
    pub async fn put(
        state: &State,
        tx: &mut Owner,
        parcels: impl IntoIterator<Item = Parcel>,
    ) -> Result<Self, AuthError> {
        let (queue, now) = (&state.queue, state.now());
        let mut held = Vec::new();
        for parcel in parcels {
            if parcel.leaves_later(state) {
                queue.put(tx, parcel.kind(), &parcel, now).await?;
            } else {
                let job = queue.put_held(tx, parcel.kind(), &parcel, now, LEASE).await?;
                held.push(Held { job, parcel });
            }
        }
        Ok(Self(held))
    }
}
