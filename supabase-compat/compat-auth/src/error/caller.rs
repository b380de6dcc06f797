//! Refusals of the caller: the token, its session, its account, its role.

use http::StatusCode;

use compat_token::TokenRefusal;

/// Why the caller may not make this request.
#[derive(Debug, thiserror::Error)]
pub enum CallerRefusal {
    #[error("This endpoint requires a valid Bearer token")]
    NoAuthorization,
    #[error("invalid JWT: unable to parse or verify signature, {0}")]
    BadJwt(TokenRefusal),
    #[error("invalid claim: missing sub claim")]
    MissingSubject,
    #[error("invalid claim: sub claim must be a UUID")]
    SubjectNotUuid,
    #[error("User from sub claim in JWT does not exist")]
    SubjectGone,
    #[error("Session from session_id claim in JWT does not exist")]
    SessionGone,
    #[error("User is banned")]
    Banned,
    #[error("User not allowed")]
    NotAdmin,
    #[error("Anonymous user not allowed to perform these actions")]
    AnonymousNotAllowed,
    #[error("Updating app_metadata requires admin privileges")]
    AppMetadataNeedsAdmin,
}

impl CallerRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
        match self {
            Self::NoAuthorization => (StatusCode::UNAUTHORIZED, "no_authorization"),
            Self::BadJwt(_) | Self::MissingSubject => (FORBIDDEN, "bad_jwt"),
            Self::SubjectNotUuid => (BAD, "bad_jwt"),
            Self::SubjectGone => (FORBIDDEN, "user_not_found"),
            Self::SessionGone => (FORBIDDEN, "session_not_found"),
            Self::Banned => (FORBIDDEN, "user_banned"),
            Self::NotAdmin | Self::AppMetadataNeedsAdmin => (FORBIDDEN, "not_admin"),
            Self::AnonymousNotAllowed => (FORBIDDEN, "no_authorization"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::{CallerRefusal as R, TokenRefusal};

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::NoAuthorization,
                401,
                "no_authorization",
                "This endpoint requires a valid Bearer token",
            ),
            (
                R::BadJwt(TokenRefusal::Expired),
                403,
                "bad_jwt",
                "invalid JWT: unable to parse or verify signature, JWT expired",
            ),
            (R::MissingSubject, 403, "bad_jwt", "invalid claim: missing sub claim"),
            (R::SubjectNotUuid, 400, "bad_jwt", "invalid claim: sub claim must be a UUID"),
            (R::SubjectGone, 403, "user_not_found", "User from sub claim in JWT does not exist"),
            (
                R::SessionGone,
                403,
                "session_not_found",
                "Session from session_id claim in JWT does not exist",
            ),
            (R::Banned, 403, "user_banned", "User is banned"),
            (R::NotAdmin, 403, "not_admin", "User not allowed"),
            (
                R::AnonymousNotAllowed,
                403,
                "no_authorization",
                "Anonymous user not allowed to perform these actions",
            ),
            (
                R::AppMetadataNeedsAdmin,
                403,
                "not_admin",
                "Updating app_metadata requires admin privileges",
            ),
        ];
        check(&table, R::facts, include_str!("caller.rs"), "CallerRefusal");
    }
}
