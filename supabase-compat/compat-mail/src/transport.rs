//! The interface of transports.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::Email;

/// Why an email could not be delivered.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DeliveryError(pub String);

/// Delivers emails to their recipients.
pub trait Transport: Send + Sync {
    /// Delivers an email. The error does not contain the recipient's address.
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>>;
}

/// The installation's transport. Cheap to clone.
#[derive(Clone)]
pub struct Mailer(Arc<dyn Transport>);

impl Mailer {
    /// Creates a mailer that sends through `transport`.
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self(Arc::new(transport))
    }

    /// # Errors
    /// The [`DeliveryError`] of the transport.
    pub async fn send(&self, email: Email) -> Result<(), DeliveryError> {
        self.0.deliver(email).await
    }
}
