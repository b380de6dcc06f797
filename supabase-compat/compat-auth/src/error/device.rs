//! Refusals of devices: passkeys, security keys, telephones.

use http::StatusCode;

/// Why a device's proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeviceRefusal {
    #[error("WebAuthn challenge not found")]
    ChallengeNotFound,
    #[error("WebAuthn challenge has expired")]
    ChallengeExpired,
    #[error("WebAuthn credential verification failed")]
    PasskeyRefused,
    #[error("This passkey is already registered")]
    PasskeyExists,
    #[error("Maximum number of passkeys reached, delete one to continue")]
    TooManyPasskeys,
    #[error("AAL2 required to manage passkeys")]
    PasskeyNeedsAal2,
    #[error("Passkey not found")]
    PasskeyNotFound,
    #[error("A verified phone factor already exists, unenroll the existing factor to continue")]
    PhoneFactorExists,
    #[error("Invalid MFA Phone code entered")]
    WrongPhoneCode,
    #[error("Invalid WebAuthn credential")]
    WrongCredential,
}

impl DeviceRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::ChallengeNotFound => (BAD, "webauthn_challenge_not_found"),
            Self::ChallengeExpired => (BAD, "webauthn_challenge_expired"),
            Self::PasskeyRefused => (BAD, "webauthn_verification_failed"),
            Self::PasskeyExists => (REFUSED, "webauthn_credential_exists"),
            Self::TooManyPasskeys => (REFUSED, "too_many_passkeys"),
            Self::PasskeyNeedsAal2 => (StatusCode::FORBIDDEN, "insufficient_aal"),
            Self::PasskeyNotFound => (StatusCode::NOT_FOUND, "validation_failed"),
            Self::PhoneFactorExists => (REFUSED, "mfa_verified_factor_exists"),
            Self::WrongPhoneCode | Self::WrongCredential => (REFUSED, "mfa_verification_failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::variants;
    use super::DeviceRefusal;

    #[test]
    fn device_refusals_have_status_code_and_text() {
        use DeviceRefusal as D;
        let table = [
            (
                D::ChallengeNotFound,
                400,
                "webauthn_challenge_not_found",
                "WebAuthn challenge not found",
            ),
            (
                D::ChallengeExpired,
                400,
                "webauthn_challenge_expired",
                "WebAuthn challenge has expired",
            ),
            (
                D::PasskeyRefused,
                400,
                "webauthn_verification_failed",
                "WebAuthn credential verification failed",
            ),
            (
                D::PasskeyExists,
                422,
                "webauthn_credential_exists",
                "This passkey is already registered",
            ),
            (
                D::TooManyPasskeys,
                422,
                "too_many_passkeys",
                "Maximum number of passkeys reached, delete one to continue",
            ),
            (D::PasskeyNeedsAal2, 403, "insufficient_aal", "AAL2 required to manage passkeys"),
            (D::PasskeyNotFound, 404, "validation_failed", "Passkey not found"),
            (
                D::PhoneFactorExists,
                422,
                "mfa_verified_factor_exists",
                "A verified phone factor already exists, unenroll the existing factor to continue",
            ),
            (D::WrongPhoneCode, 422, "mfa_verification_failed", "Invalid MFA Phone code entered"),
            (D::WrongCredential, 422, "mfa_verification_failed", "Invalid WebAuthn credential"),
        ];
        for (refusal, status, code, text) in table {
            let (actual, actual_code) = refusal.facts();
            assert_eq!((actual.as_u16(), actual_code), (status, code), "{refusal:?}");
            assert_eq!(refusal.to_string(), text);
        }
        let names: Vec<String> = table.iter().map(|row| format!("{:?}", row.0)).collect();
        assert_eq!(names, variants(include_str!("device.rs"), "DeviceRefusal"));
    }
}
