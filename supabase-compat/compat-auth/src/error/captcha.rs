//! Refusals of captcha answers.

use http::StatusCode;

/// Why a captcha answer was refused.
#[derive(Debug, thiserror::Error)]
pub enum CaptchaRefusal {
    #[error("captcha protection: request disallowed ({0})")]
    Refused(String),
    #[error("Challenges are not issued here")]
    NotIssued,
    #[error("captcha verification process failed")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl CaptchaRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const OURS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
        match self {
            Self::Refused(_) => (BAD, "captcha_failed"),
            Self::NotIssued => (MISSING, "feature_disabled"),
            Self::Unavailable(_) => (OURS, "unexpected_failure"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::CaptchaRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::Refused("no captcha_token found".into()),
                400,
                "captcha_failed",
                "captcha protection: request disallowed (no captcha_token found)",
            ),
            (R::NotIssued, 404, "feature_disabled", "Challenges are not issued here"),
            (
                R::Unavailable("x".into()),
                500,
                "unexpected_failure",
                "captcha verification process failed",
            ),
        ];
        check(&table, R::facts, include_str!("captcha.rs"), "CaptchaRefusal");
    }
}
