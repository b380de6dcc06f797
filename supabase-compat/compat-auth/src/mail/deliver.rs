//! The way out.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::MailKind;

/// A finished mail.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
    /// Why it is sent, for headers and the log.
    pub kind: MailKind,
    pub at: DateTime<Utc>,
    /// Further headers, of this mail alone. A name that is none makes the mail undeliverable.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

/// Why a mail could not be handed on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DeliveryError(pub String);

/// Takes mails to where people read them.
pub trait Deliver: Send + Sync {
    /// Hands the mail on, or says why not.
    fn deliver(&self, mail: Mail) -> BoxFuture<'_, Result<(), DeliveryError>>;
}

/// The installation's way out, cheap to clone.
#[derive(Clone)]
pub struct Mailer(Arc<dyn Deliver>);

impl Mailer {
    /// Sends through `way`.
    pub fn new(way: impl Deliver + 'static) -> Self {
        Self(Arc::new(way))
    }

    /// # Errors
    /// What the way out says.
    pub async fn send(&self, mail: Mail) -> Result<(), DeliveryError> {
        self.0.deliver(mail).await
    }
}
