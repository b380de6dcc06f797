//! Refusals of second factors.

use http::StatusCode;
use uuid::Uuid;

/// Why a factor cannot be enrolled, challenged or verified.
#[derive(Debug, thiserror::Error)]
pub enum FactorRefusal {
    #[error("{0} enroll is disabled")]
    EnrollDisabled(&'static str),
    #[error("{0} verification is disabled")]
    VerifyDisabled(&'static str),
    #[error("A factor with the friendly name \"{0}\" for this user already exists")]
    NameConflict(String),
    #[error("Maximum number of enrolled factors reached, unenroll to continue")]
    TooMany,
    #[error("AAL2 required to enroll a new factor")]
    EnrollNeedsAal2,
    #[error("AAL2 required to unenroll verified factor")]
    UnenrollNeedsAal2,
    #[error("Factor not found")]
    NotFound,
    #[error("MFA factor with the provided challenge ID not found")]
    ChallengeNotFound,
    #[error("Challenge and verify IP addresses mismatch.")]
    ChallengeIpMismatch,
    #[error(
        "MFA challenge {0} has expired, verify against another challenge or create a new challenge."
    )]
    ChallengeExpired(Uuid),
    #[error("Invalid TOTP code entered")]
    WrongTotpCode,
}

impl FactorRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::EnrollDisabled("MFA") => (REFUSED, "mfa_totp_enroll_not_enabled"),
            Self::EnrollDisabled("Phone") => (REFUSED, "mfa_phone_enroll_not_enabled"),
            Self::EnrollDisabled(_) => (REFUSED, "mfa_webauthn_enroll_not_enabled"),
            Self::VerifyDisabled("MFA") => (REFUSED, "mfa_totp_verify_not_enabled"),
            Self::VerifyDisabled("Phone") => (REFUSED, "mfa_phone_verify_not_enabled"),
            Self::VerifyDisabled(_) => (REFUSED, "mfa_webauthn_verify_not_enabled"),
            Self::NameConflict(_) => (REFUSED, "mfa_factor_name_conflict"),
            Self::TooMany => (REFUSED, "too_many_enrolled_mfa_factors"),
            Self::EnrollNeedsAal2 => (FORBIDDEN, "insufficient_aal"),
            Self::UnenrollNeedsAal2 => (REFUSED, "insufficient_aal"),
            Self::NotFound => (MISSING, "mfa_factor_not_found"),
            Self::ChallengeNotFound => (REFUSED, "mfa_factor_not_found"),
            Self::ChallengeIpMismatch => (REFUSED, "mfa_ip_address_mismatch"),
            Self::ChallengeExpired(_) => (REFUSED, "mfa_challenge_expired"),
            Self::WrongTotpCode => (REFUSED, "mfa_verification_failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::{FactorRefusal as R, Uuid};

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::EnrollDisabled("MFA"),
                422,
                "mfa_totp_enroll_not_enabled",
                "MFA enroll is disabled",
            ),
            (
                R::EnrollDisabled("Phone"),
                422,
                "mfa_phone_enroll_not_enabled",
                "Phone enroll is disabled",
            ),
            (
                R::EnrollDisabled("WebAuthn"),
                422,
                "mfa_webauthn_enroll_not_enabled",
                "WebAuthn enroll is disabled",
            ),
            (
                R::VerifyDisabled("MFA"),
                422,
                "mfa_totp_verify_not_enabled",
                "MFA verification is disabled",
            ),
            (
                R::VerifyDisabled("Phone"),
                422,
                "mfa_phone_verify_not_enabled",
                "Phone verification is disabled",
            ),
            (
                R::VerifyDisabled("WebAuthn"),
                422,
                "mfa_webauthn_verify_not_enabled",
                "WebAuthn verification is disabled",
            ),
            (
                R::NameConflict("phone".into()),
                422,
                "mfa_factor_name_conflict",
                "A factor with the friendly name \"phone\" for this user already exists",
            ),
            (
                R::TooMany,
                422,
                "too_many_enrolled_mfa_factors",
                "Maximum number of enrolled factors reached, unenroll to continue",
            ),
            (R::EnrollNeedsAal2, 403, "insufficient_aal", "AAL2 required to enroll a new factor"),
            (
                R::UnenrollNeedsAal2,
                422,
                "insufficient_aal",
                "AAL2 required to unenroll verified factor",
            ),
            (R::NotFound, 404, "mfa_factor_not_found", "Factor not found"),
            (
                R::ChallengeNotFound,
                422,
                "mfa_factor_not_found",
                "MFA factor with the provided challenge ID not found",
            ),
            (
                R::ChallengeIpMismatch,
                422,
                "mfa_ip_address_mismatch",
                "Challenge and verify IP addresses mismatch.",
            ),
            (
                R::ChallengeExpired(Uuid::nil()),
                422,
                "mfa_challenge_expired",
                "MFA challenge 00000000-0000-0000-0000-000000000000 has expired, verify against another challenge or create a new challenge.",
            ),
            (R::WrongTotpCode, 422, "mfa_verification_failed", "Invalid TOTP code entered"),
        ];
        check(&table, R::facts, include_str!("factor.rs"), "FactorRefusal");
    }
}
