//! Payment providers: each has a page on which people pay, and an API.
//!
//! Every call may be repeated, since an answer may be lost. The provider is the authority on money:
//! what a payment is worth follows from the provider's answers.

mod stripe;
mod test;

use chrono::{DateTime, Utc};
use compat_functions::BoxFuture;
use page_registry::Language;
use uuid::Uuid;

use crate::model::session_status::SessionStatus;
pub(crate) use stripe::Stripe;
pub(crate) use test::TestProvider;

/// The placeholder for the session's id in the address to which payers return.
pub(crate) const SESSION: &str = "{CHECKOUT_SESSION_ID}";

/// A request to open a session.
#[derive(Debug)]
pub(crate) struct CheckoutRequest {
    /// The payment; its id is stored in the session.
    pub payment: Uuid,
    /// What is bought, as the payer reads it.
    pub description: String,
    /// The total in cents.
    pub amount_cents: i32,
    /// The code of the currency in lower case.
    pub currency: String,
    pub language: Language,
    /// The payer's email address; empty where it is not known.
    pub email: String,
    /// The address to which the payer returns after paying, with [`SESSION`] in it.
    pub success_url: String,
    /// The address to which the payer returns without having paid.
    pub cancel_url: String,
    /// When the session ends by itself, if we do not end it earlier.
    pub ends_at: DateTime<Utc>,
}

/// A session at a provider, and the address of its page.
#[derive(Debug)]
pub(crate) struct Session {
    pub id: String,
    pub url: String,
}

/// A refund to make.
#[derive(Debug)]
pub(crate) struct RefundRequest {
    /// The payment, which is refunded once at most.
    pub payment: Uuid,
    pub session: Option<String>,
    pub charge: Option<String>,
    pub cents: i32,
    /// Whether the refund was requested before, so that it may already have been made.
    pub is_repeated: bool,
}

/// Why a provider did not carry out a request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider refused, and a retry will not help; the text is for administrators.
    #[error("provider refused: {0}")]
    Refused(String),
    /// The provider is unavailable at the moment.
    #[error("provider unavailable: {0}")]
    Unavailable(String),
}

/// A payment provider.
pub(crate) trait Provider: Send + Sync {
    /// The provider's name in rows and settings.
    fn name(&self) -> &'static str;

    /// Opens a session. A repeated request returns the same session.
    fn open<'a>(
        &'a self,
        request: &'a CheckoutRequest,
    ) -> BoxFuture<'a, Result<Session, ProviderError>>;

    /// The status of a session.
    fn status<'a>(
        &'a self,
        session: &'a str,
    ) -> BoxFuture<'a, Result<SessionStatus, ProviderError>>;

    /// Ends an unpaid session. A session that has already ended stays as it is.
    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), ProviderError>>;

    /// Makes a refund. A repeated request does not refund twice.
    fn refund<'a>(&'a self, request: &'a RefundRequest)
    -> BoxFuture<'a, Result<(), ProviderError>>;
}
