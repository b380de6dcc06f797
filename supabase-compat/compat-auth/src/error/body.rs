//! Refusals of a request body before its fields are checked.

use http::StatusCode;

/// Why a request body was refused.
#[derive(Debug, thiserror::Error)]
pub enum BodyRefusal {
    #[error("Could not parse request body as JSON: {0}")]
    BadJson(String),
    #[error("Request body exceeds the size limit of 1048576 bytes")]
    TooLarge,
    #[error("Processing this request timed out, please retry after a moment.")]
    Timeout,
    #[error("{message}")]
    WeakPassword { message: String, reasons: Vec<&'static str> },
}

impl BodyRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::BadJson(_) => (BAD, "bad_json"),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "request_entity_too_large"),
            Self::Timeout => (StatusCode::GATEWAY_TIMEOUT, "request_timeout"),
            Self::WeakPassword { .. } => (REFUSED, "weak_password"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::BodyRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::BadJson("x".into()), 400, "bad_json", "Could not parse request body as JSON: x"),
            (
                R::TooLarge,
                413,
                "request_entity_too_large",
                "Request body exceeds the size limit of 1048576 bytes",
            ),
            (
                R::Timeout,
                504,
                "request_timeout",
                "Processing this request timed out, please retry after a moment.",
            ),
            (
                R::WeakPassword { message: "short".into(), reasons: vec!["length"] },
                422,
                "weak_password",
                "short",
            ),
        ];
        check(&table, R::facts, include_str!("body.rs"), "BodyRefusal");
    }
}
