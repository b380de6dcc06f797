//! Payment providers: a page where people pay, and what may be asked about it.
//!
//! A provider is asked the same thing again whenever an answer was lost, so everything here may be
//! repeated. It is the truth about money: what a payment is worth follows from what it says.

mod stripe;
mod test;

use chrono::{DateTime, Utc};
use compat_functions::BoxFuture;
use page_registry::Language;
use uuid::Uuid;

use crate::model::session_status::SessionStatus;
pub(crate) use stripe::Stripe;
pub(crate) use test::TestProvider;

/// Stands for the session's id in the address people come back to.
pub(crate) const SESSION: &str = "{CHECKOUT_SESSION_ID}";

/// What is to be paid.
#[derive(Debug)]
pub(crate) struct CheckoutRequest {
    /// The payment, which the session carries.
    pub payment: Uuid,
    /// What it is for, as the payer reads it.
    pub description: String,
    /// The whole amount.
    pub amount_cents: i32,
    /// Small letters.
    pub currency: String,
    pub language: Language,
    /// The payer's address, empty where it is not known.
    pub email: String,
    /// Where the payer comes back to, with [`SESSION`] in it.
    pub success_url: String,
    /// Where they come back to without having paid.
    pub cancel_url: String,
    /// When the session ends by itself, should we not end it.
    pub ends_at: DateTime<Utc>,
}

/// Where it is paid.
#[derive(Debug)]
pub(crate) struct Session {
    pub id: String,
    pub url: String,
}

/// Money to give back.
#[derive(Debug)]
pub(crate) struct RefundRequest {
    /// The payment; there is one refund of each.
    pub payment: Uuid,
    pub session: Option<String>,
    pub charge: Option<String>,
    pub cents: i32,
    /// Whether it was asked for before, so that it may have been given.
    pub is_repeated: bool,
}

/// Why a provider did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// It will not, however often it is asked; its words are for administrators.
    #[error("provider refused: {0}")]
    Refused(String),
    /// It cannot at the moment.
    #[error("provider unavailable: {0}")]
    Unavailable(String),
}

/// A provider.
pub(crate) trait Provider: Send + Sync {
    /// Its name in rows and settings.
    fn name(&self) -> &'static str;

    /// Opens a session; for the same order the same one.
    fn open<'a>(
        &'a self,
        request: &'a CheckoutRequest,
    ) -> BoxFuture<'a, Result<Session, ProviderError>>;

    /// The status of a session.
    fn status<'a>(
        &'a self,
        session: &'a str,
    ) -> BoxFuture<'a, Result<SessionStatus, ProviderError>>;

    /// Ends a session that nobody has paid. One that is over already, whatever its end, is left.
    fn expire<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), ProviderError>>;

    /// Gives money back, once however often it is asked.
    fn refund<'a>(&'a self, request: &'a RefundRequest)
    -> BoxFuture<'a, Result<(), ProviderError>>;
}
