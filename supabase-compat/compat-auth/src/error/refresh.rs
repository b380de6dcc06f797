//! Refusals to refresh a session.

use http::StatusCode;

/// Why a refresh token was refused.
#[derive(Debug, thiserror::Error)]
pub enum RefreshRefusal {
    #[error("Invalid Refresh Token: Refresh Token Not Found")]
    TokenNotFound,
    #[error("Invalid Refresh Token: No Valid Session Found")]
    WithoutSession,
    #[error("Invalid Refresh Token: User Banned")]
    Banned,
    #[error("Invalid Refresh Token: Session Expired{0}")]
    SessionExpired(&'static str),
    #[error("Invalid Refresh Token: Already Used")]
    TokenUsed,
    #[error("Too many concurrent token refresh requests on the same session or refresh token")]
    Conflict,
}

impl RefreshRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        match self {
            Self::Banned => (BAD, "user_banned"),
            Self::TokenNotFound => (BAD, "refresh_token_not_found"),
            Self::WithoutSession => (BAD, "session_not_found"),
            Self::SessionExpired(_) => (BAD, "session_expired"),
            Self::TokenUsed => (BAD, "refresh_token_already_used"),
            Self::Conflict => (StatusCode::CONFLICT, "conflict"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::RefreshRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::TokenNotFound,
                400,
                "refresh_token_not_found",
                "Invalid Refresh Token: Refresh Token Not Found",
            ),
            (
                R::WithoutSession,
                400,
                "session_not_found",
                "Invalid Refresh Token: No Valid Session Found",
            ),
            (R::Banned, 400, "user_banned", "Invalid Refresh Token: User Banned"),
            (
                R::SessionExpired(" (Inactivity)"),
                400,
                "session_expired",
                "Invalid Refresh Token: Session Expired (Inactivity)",
            ),
            (
                R::TokenUsed,
                400,
                "refresh_token_already_used",
                "Invalid Refresh Token: Already Used",
            ),
            (
                R::Conflict,
                409,
                "conflict",
                "Too many concurrent token refresh requests on the same session or refresh token",
            ),
        ];
        check(&table, R::facts, include_str!("refresh.rs"), "RefreshRefusal");
    }
}
