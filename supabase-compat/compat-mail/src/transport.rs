//! How an email is delivered.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::Email;

/// Why an email could not be delivered.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DeliveryError(pub String);

/// Takes emails to where people read them.
pub trait Transport: Send + Sync {
    /// Delivers an email, or says why not, without its address.
    fn deliver(&self, email: Email) -> BoxFuture<'_, Result<(), DeliveryError>>;
}

/// The installation's transport, cheap to clone.
#[derive(Clone)]
pub struct Mailer(Arc<dyn Transport>);

impl Mailer {
    /// Sends by `transport`.
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self(Arc::new(transport))
    }

    /// # Errors
    /// The transport's.
    pub async fn send(&self, email: Email) -> Result<(), DeliveryError> {
        self.0.deliver(email).await
    }
}
