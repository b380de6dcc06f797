//! Refusals by rate limits: the request may succeed later, or for another client.

use http::StatusCode;

/// Which limit was reached.
#[derive(Debug, thiserror::Error)]
pub enum RateLimitRefusal {
    #[error("For security purposes, you can only request this after {0} seconds.")]
    TooSoon(i64),
    #[error("For security purposes, you can only request this after {0} seconds.")]
    TextTooSoon(i64),
    #[error("Email address \"{0}\" cannot be used as it is not authorized")]
    EmailNotAuthorized(String),
    #[error("email rate limit exceeded")]
    MailBudget,
    #[error("sms rate limit exceeded")]
    TextBudget,
    #[error("Request rate limit reached")]
    TooManyRequests,
}

impl RateLimitRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const OFTEN: StatusCode = StatusCode::TOO_MANY_REQUESTS;
        match self {
            Self::TextTooSoon(_) | Self::TextBudget => (OFTEN, "over_sms_send_rate_limit"),
            Self::TooSoon(_) | Self::MailBudget => (OFTEN, "over_email_send_rate_limit"),
            Self::EmailNotAuthorized(_) => (BAD, "email_address_not_authorized"),
            Self::TooManyRequests => (OFTEN, "over_request_rate_limit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::RateLimitRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::TooSoon(7),
                429,
                "over_email_send_rate_limit",
                "For security purposes, you can only request this after 7 seconds.",
            ),
            (
                R::TextTooSoon(7),
                429,
                "over_sms_send_rate_limit",
                "For security purposes, you can only request this after 7 seconds.",
            ),
            (
                R::EmailNotAuthorized("a@b.c".into()),
                400,
                "email_address_not_authorized",
                "Email address \"a@b.c\" cannot be used as it is not authorized",
            ),
            (R::MailBudget, 429, "over_email_send_rate_limit", "email rate limit exceeded"),
            (R::TextBudget, 429, "over_sms_send_rate_limit", "sms rate limit exceeded"),
            (R::TooManyRequests, 429, "over_request_rate_limit", "Request rate limit reached"),
        ];
        check(&table, R::facts, include_str!("rate_limit.rs"), "RateLimitRefusal");
    }
}
