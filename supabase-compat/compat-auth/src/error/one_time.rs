//! Refusals of one-time tokens and of the flows that carry them.

use http::StatusCode;

/// Why a link or a code was refused.
#[derive(Debug, thiserror::Error)]
pub enum OneTimeRefusal {
    #[error("{}", if *.link { "Email link is invalid or has expired" } else { "Token has expired or is invalid" })]
    Expired { link: bool },
    #[error("invalid flow state, no valid flow state found")]
    FlowStateNotFound,
    #[error("invalid flow state, flow state has expired")]
    FlowStateExpired,
    #[error("code challenge does not match previously saved code verifier")]
    BadCodeVerifier,
}

impl OneTimeRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::Expired { .. } => (FORBIDDEN, "otp_expired"),
            Self::FlowStateNotFound => (MISSING, "flow_state_not_found"),
            Self::FlowStateExpired => (REFUSED, "flow_state_expired"),
            Self::BadCodeVerifier => (BAD, "bad_code_verifier"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::OneTimeRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::Expired { link: true }, 403, "otp_expired", "Email link is invalid or has expired"),
            (R::Expired { link: false }, 403, "otp_expired", "Token has expired or is invalid"),
            (
                R::FlowStateNotFound,
                404,
                "flow_state_not_found",
                "invalid flow state, no valid flow state found",
            ),
            (
                R::FlowStateExpired,
                422,
                "flow_state_expired",
                "invalid flow state, flow state has expired",
            ),
            (
                R::BadCodeVerifier,
                400,
                "bad_code_verifier",
                "code challenge does not match previously saved code verifier",
            ),
        ];
        check(&table, R::facts, include_str!("one_time.rs"), "OneTimeRefusal");
    }
}
