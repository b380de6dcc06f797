//! Every refusal of this service, with its status, code and wording. No other module knows these.
//!
//! Codes and texts are the original's where clients match on them (`x-sb-error-code`, the body's
//! `code`). Each subject has an enum of its own beside its table of statuses.

use std::borrow::Cow;

use http::StatusCode;

use compat_pg::PgError;

mod account;
mod body;
mod caller;
mod captcha;
mod client;
mod device;
mod disabled;
mod external;
mod factor;
mod fault;
mod invalid;
mod one_time;
mod rate_limit;
mod refresh;
mod sign_in;

pub use account::AccountRefusal;
pub use body::BodyRefusal;
pub use caller::CallerRefusal;
pub use captcha::CaptchaRefusal;
pub use client::ClientRefusal;
pub use device::DeviceRefusal;
pub use disabled::{DisabledAction, DisabledFeature};
pub use external::{ExternalAccountRefusal, IdTokenRefusal};
pub use factor::FactorRefusal;
pub use fault::{DeliveryFailure, Fault};
pub use invalid::InvalidRequest;
pub use one_time::OneTimeRefusal;
pub use rate_limit::RateLimitRefusal;
pub use refresh::RefreshRefusal;
pub use sign_in::SignInRefusal;

/// Why a request was not served.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    #[error(transparent)]
    Body(#[from] BodyRefusal),
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    #[error(transparent)]
    Caller(#[from] CallerRefusal),
    #[error(transparent)]
    Disabled(#[from] DisabledFeature),
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    #[error(transparent)]
    SignIn(#[from] SignInRefusal),
    #[error(transparent)]
    Refresh(#[from] RefreshRefusal),
    #[error(transparent)]
    OneTime(#[from] OneTimeRefusal),
    #[error(transparent)]
    ExternalAccount(#[from] ExternalAccountRefusal),
    #[error(transparent)]
    Client(#[from] ClientRefusal),
    /// An operator's hook refused the request with this message.
    #[error("{message}")]
    Hook { status: u16, message: String },
    #[error(transparent)]
    Captcha(#[from] CaptchaRefusal),
    #[error(transparent)]
    Factor(#[from] FactorRefusal),
    #[error(transparent)]
    Device(#[from] DeviceRefusal),
    #[error(transparent)]
    RateLimit(#[from] RateLimitRefusal),
    #[error(transparent)]
    Ours(#[from] Fault),
}

impl From<sqlx::Error> for AuthError {
    fn from(error: sqlx::Error) -> Self {
        PgError::from(error).into()
    }
}

impl From<PgError> for AuthError {
    fn from(error: PgError) -> Self {
        Self::database("Database error", error)
    }
}

impl AuthError {
    /// A database failure. Clients see only `context`; the log has the whole error.
    pub(crate) fn database(
        context: impl Into<Cow<'static, str>>,
        source: impl Into<PgError>,
    ) -> Self {
        Fault::Database { context: context.into(), source: source.into() }.into()
    }

    /// An internal failure without a variant of its own.
    pub(crate) fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Fault::Internal(source.into()).into()
    }

    /// The HTTP status and the machine-readable code.
    pub fn facts(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Body(refusal) => refusal.facts(),
            Self::Invalid(invalid) => (invalid.status(), "validation_failed"),
            Self::Caller(refusal) => refusal.facts(),
            Self::Disabled(way) => way.facts(),
            Self::Account(refusal) => refusal.facts(),
            Self::SignIn(refusal) => refusal.facts(),
            Self::Refresh(refusal) => refusal.facts(),
            Self::OneTime(refusal) => refusal.facts(),
            Self::ExternalAccount(refusal) => refusal.facts(),
            Self::Client(refusal) => refusal.facts(),
            Self::Hook { status, .. } => hook_facts(*status),
            Self::Captcha(refusal) => refusal.facts(),
            Self::Factor(refusal) => refusal.facts(),
            Self::Device(refusal) => refusal.facts(),
            Self::RateLimit(refusal) => refusal.facts(),
            Self::Ours(fault) => fault.facts(),
        }
    }

    /// Whether the fault is ours, so that its cause is logged and hidden from clients.
    pub fn is_ours(&self) -> bool {
        matches!(
            self,
            Self::Ours(_)
                | Self::ExternalAccount(ExternalAccountRefusal::Provider { .. })
                | Self::Captcha(CaptchaRefusal::Unavailable(_))
        )
    }

    /// The two fields of an OAuth error, for the refusals that have this shape in every API
    /// version.
    pub fn oauth_fields(&self) -> Option<(&'static str, String)> {
        match self {
            Self::Client(ClientRefusal::Oauth { error, description }) => {
                Some((error, (*description).to_owned()))
            }
            Self::ExternalAccount(ExternalAccountRefusal::IdToken(refusal)) => {
                Some((refusal.oauth_error()?, refusal.to_string()))
            }
            _ => None,
        }
    }
}

/// Turns a violated unique index into a named refusal; any other error stays a database error.
pub(crate) fn on_unique<R: Into<AuthError>>(refusal: R) -> impl FnOnce(sqlx::Error) -> AuthError {
    move |error| match error.as_database_error() {
        Some(response) if response.is_unique_violation() => refusal.into(),
        _ => error.into(),
    }
}

/// The status of a hook's refusal: a client error is passed on, any other status is a failure.
fn hook_facts(status: u16) -> (StatusCode, &'static str) {
    match StatusCode::from_u16(status) {
        Ok(status) if status.is_client_error() => (status, "unknown"),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "unexpected_failure"),
    }
}

#[cfg(test)]
mod tests;
