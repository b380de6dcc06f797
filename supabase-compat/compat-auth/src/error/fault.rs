//! Internal faults: the log has their cause, clients do not see it.

use std::borrow::Cow;

use http::StatusCode;

use compat_pg::PgError;

/// What failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("Error sending sms OTP to provider")]
    TextNotSent(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error(transparent)]
    Delivery(DeliveryFailure),
    #[error("{context}")]
    Database {
        context: Cow<'static, str>,
        #[source]
        source: PgError,
    },
    #[error("Unexpected failure, please check server logs for more information")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Fault {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        const OURS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
        match self {
            Self::TextNotSent(_) => (REFUSED, "sms_send_failed"),
            Self::Database { source, .. } if source.is_unavailable() => {
                (StatusCode::SERVICE_UNAVAILABLE, "unexpected_failure")
            }
            Self::Database { source, .. } => {
                (raised_status(source).unwrap_or(OURS), "unexpected_failure")
            }
            Self::Delivery(_) | Self::Internal(_) => (OURS, "unexpected_failure"),
        }
    }
}

/// A mail that could not be sent; the text names its kind.
#[derive(Debug, thiserror::Error)]
#[error("Error sending {kind} email")]
pub struct DeliveryFailure {
    /// The kind of mail in the original's words.
    pub kind: std::borrow::Cow<'static, str>,
    /// What the mail server said.
    #[source]
    pub source: compat_mail::DeliveryError,
}

/// The status that a raised PostgreSQL error requests with its code, `PTnnn`.
fn raised_status(source: &PgError) -> Option<StatusCode> {
    StatusCode::from_bytes(source.code()?.strip_prefix("PT")?.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check, raised};
    use super::{DeliveryFailure, Fault as R};

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::TextNotSent("x".into()),
                422,
                "sms_send_failed",
                "Error sending sms OTP to provider",
            ),
            (
                R::Delivery(DeliveryFailure {
                    kind: "recovery".into(),
                    source: compat_mail::DeliveryError("x".into()),
                }),
                500,
                "unexpected_failure",
                "Error sending recovery email",
            ),
            (raised("P0001"), 500, "unexpected_failure", "Database error saving new user"),
            (raised("57P01"), 503, "unexpected_failure", "Database error saving new user"),
            (raised("PT409"), 409, "unexpected_failure", "Database error saving new user"),
            (
                R::Internal("x".into()),
                500,
                "unexpected_failure",
                "Unexpected failure, please check server logs for more information",
            ),
        ];
        check(&table, R::facts, include_str!("fault.rs"), "Fault");
    }
}
