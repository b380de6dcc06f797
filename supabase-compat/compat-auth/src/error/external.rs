//! Refusals of external accounts: providers, their tokens, their identities.

use http::StatusCode;

/// Why an external account was refused.
#[derive(Debug, thiserror::Error)]
pub enum ExternalAccountRefusal {
    #[error("OAuth state parameter is invalid")]
    BadOauthState,
    #[error("OAuth state parameter missing")]
    BadOauthCallback,
    #[error("OAuth state has expired")]
    OauthStateExpired,
    #[error("{0}")]
    FlowStateUsed(&'static str),
    #[error("{description}")]
    ProviderRefused { error: String, description: String },
    #[error("{task}")]
    Provider {
        task: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("Error getting user email from external provider")]
    ProviderEmailMissing,
    #[error("Unverified email with {0}. A confirmation email has been sent to your {0} email")]
    ProviderEmailUnverified(String),
    #[error(
        "Multiple accounts with the same email address in the same linking domain detected: default"
    )]
    MultipleAccounts,
    #[error("Identity is already linked{}", if *.other { " to another user" } else { "" })]
    IdentityExists { other: bool },
    #[error("{0}")]
    IdToken(IdTokenRefusal),
    #[error("Custom provider not found")]
    CustomProviderNotFound,
    #[error("Custom provider with this identifier already exists")]
    CustomProviderExists,
    #[error("Maximum number of custom providers reached")]
    TooManyCustomProviders,
}

impl ExternalAccountRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        const OURS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
        match self {
            Self::CustomProviderNotFound => (MISSING, "custom_provider_not_found"),
            Self::CustomProviderExists => (REFUSED, "conflict"),
            Self::TooManyCustomProviders => (REFUSED, "over_custom_provider_quota"),
            Self::BadOauthState | Self::OauthStateExpired => (BAD, "bad_oauth_state"),
            Self::BadOauthCallback | Self::ProviderRefused { .. } => (BAD, "bad_oauth_callback"),
            Self::FlowStateUsed(_) => (BAD, "flow_state_already_used"),
            Self::Provider { .. } | Self::MultipleAccounts | Self::ProviderEmailMissing => {
                (OURS, "unexpected_failure")
            }
            Self::ProviderEmailUnverified(_) => (REFUSED, "provider_email_needs_verification"),
            Self::IdentityExists { .. } => (REFUSED, "identity_already_exists"),
            Self::IdToken(IdTokenRefusal::ProviderDisabled(_)) => (BAD, "provider_disabled"),
            Self::IdToken(_) => (BAD, "validation_failed"),
        }
    }
}

/// Why an ID token was refused; sent in OAuth's shape where OAuth has an error for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdTokenRefusal {
    #[error("provider or client_id and issuer required")]
    ProviderMissing,
    #[error("Provider (issuer \"{0}\") is not enabled")]
    ProviderDisabled(String),
    #[error("id_token required")]
    Missing,
    #[error("Bad ID token")]
    Bad,
    #[error("Passed nonce and nonce in id_token should either both exist or not.")]
    NonceMissing,
    #[error("Nonces mismatch")]
    NonceMismatch,
}

impl IdTokenRefusal {
    /// The `error` field of OAuth's shape, for the refusals that have this shape.
    pub(super) fn oauth_error(&self) -> Option<&'static str> {
        match self {
            Self::ProviderDisabled(_) => None,
            Self::NonceMismatch | Self::NonceMissing => Some("invalid nonce"),
            _ => Some("invalid request"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::{ExternalAccountRefusal as R, IdTokenRefusal};

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::BadOauthState, 400, "bad_oauth_state", "OAuth state parameter is invalid"),
            (R::BadOauthCallback, 400, "bad_oauth_callback", "OAuth state parameter missing"),
            (R::OauthStateExpired, 400, "bad_oauth_state", "OAuth state has expired"),
            (R::FlowStateUsed("used"), 400, "flow_state_already_used", "used"),
            (
                R::ProviderRefused { error: "access_denied".into(), description: "no".into() },
                400,
                "bad_oauth_callback",
                "no",
            ),
            (
                R::Provider { task: "Unable to exchange external code", source: "x".into() },
                500,
                "unexpected_failure",
                "Unable to exchange external code",
            ),
            (
                R::ProviderEmailMissing,
                500,
                "unexpected_failure",
                "Error getting user email from external provider",
            ),
            (
                R::ProviderEmailUnverified("github".into()),
                422,
                "provider_email_needs_verification",
                "Unverified email with github. A confirmation email has been sent to your github email",
            ),
            (
                R::MultipleAccounts,
                500,
                "unexpected_failure",
                "Multiple accounts with the same email address in the same linking domain detected: default",
            ),
            (
                R::IdentityExists { other: true },
                422,
                "identity_already_exists",
                "Identity is already linked to another user",
            ),
            (
                R::IdentityExists { other: false },
                422,
                "identity_already_exists",
                "Identity is already linked",
            ),
            (R::IdToken(IdTokenRefusal::Bad), 400, "validation_failed", "Bad ID token"),
            (
                R::IdToken(IdTokenRefusal::NonceMismatch),
                400,
                "validation_failed",
                "Nonces mismatch",
            ),
            (
                R::IdToken(IdTokenRefusal::ProviderDisabled("x".into())),
                400,
                "provider_disabled",
                "Provider (issuer \"x\") is not enabled",
            ),
            (
                R::CustomProviderNotFound,
                404,
                "custom_provider_not_found",
                "Custom provider not found",
            ),
            (
                R::CustomProviderExists,
                422,
                "conflict",
                "Custom provider with this identifier already exists",
            ),
            (
                R::TooManyCustomProviders,
                422,
                "over_custom_provider_quota",
                "Maximum number of custom providers reached",
            ),
        ];
        check(&table, R::facts, include_str!("external.rs"), "ExternalAccountRefusal");
    }
}
