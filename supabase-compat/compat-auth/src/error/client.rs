//! Refusals of OAuth clients, applications that sign people in through this service.

use http::StatusCode;

/// Why a client's request was refused.
#[derive(Debug, thiserror::Error)]
pub enum ClientRefusal {
    #[error("OAuth client not found")]
    NotFound,
    #[error("authorization not found")]
    AuthorizationNotFound,
    #[error("No active grant found for this client")]
    ConsentNotFound,
    #[error("Dynamic client registration is not enabled")]
    RegistrationDisabled,
    #[error("{description}")]
    Oauth { error: &'static str, description: &'static str },
}

impl ClientRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        match self {
            Self::NotFound => (MISSING, "oauth_client_not_found"),
            Self::AuthorizationNotFound => (MISSING, "oauth_authorization_not_found"),
            Self::ConsentNotFound => (MISSING, "oauth_consent_not_found"),
            Self::RegistrationDisabled => (FORBIDDEN, "oauth_dynamic_client_registration_disabled"),
            Self::Oauth { .. } => (BAD, "validation_failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::ClientRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::NotFound, 404, "oauth_client_not_found", "OAuth client not found"),
            (
                R::AuthorizationNotFound,
                404,
                "oauth_authorization_not_found",
                "authorization not found",
            ),
            (
                R::ConsentNotFound,
                404,
                "oauth_consent_not_found",
                "No active grant found for this client",
            ),
            (
                R::RegistrationDisabled,
                403,
                "oauth_dynamic_client_registration_disabled",
                "Dynamic client registration is not enabled",
            ),
            (
                R::Oauth { error: "invalid_grant", description: "no" },
                400,
                "validation_failed",
                "no",
            ),
        ];
        check(&table, R::facts, include_str!("client.rs"), "ClientRefusal");
    }
}
