//! Refusals of sign-in and of reauthentication.

use http::StatusCode;

/// Why a sign-in was refused.
#[derive(Debug, thiserror::Error)]
pub enum SignInRefusal {
    #[error("unsupported_grant_type")]
    UnsupportedGrant,
    #[error("Invalid login credentials")]
    InvalidCredentials,
    #[error("User is banned")]
    Banned,
    #[error("Email not confirmed")]
    EmailNotConfirmed,
    #[error("Phone not confirmed")]
    PhoneNotConfirmed,
    #[error("Please verify your email before reauthenticating.")]
    ReauthenticateUnconfirmed,
    #[error("Please verify your phone first.")]
    ReauthenticatePhoneUnconfirmed,
}

impl SignInRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::UnsupportedGrant | Self::InvalidCredentials => (BAD, "invalid_credentials"),
            Self::Banned => (BAD, "user_banned"),
            Self::EmailNotConfirmed => (BAD, "email_not_confirmed"),
            Self::PhoneNotConfirmed => (BAD, "phone_not_confirmed"),
            Self::ReauthenticatePhoneUnconfirmed => (REFUSED, "phone_not_confirmed"),
            Self::ReauthenticateUnconfirmed => (REFUSED, "email_not_confirmed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::SignInRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::UnsupportedGrant, 400, "invalid_credentials", "unsupported_grant_type"),
            (R::InvalidCredentials, 400, "invalid_credentials", "Invalid login credentials"),
            (R::Banned, 400, "user_banned", "User is banned"),
            (R::EmailNotConfirmed, 400, "email_not_confirmed", "Email not confirmed"),
            (R::PhoneNotConfirmed, 400, "phone_not_confirmed", "Phone not confirmed"),
            (
                R::ReauthenticateUnconfirmed,
                422,
                "email_not_confirmed",
                "Please verify your email before reauthenticating.",
            ),
            (
                R::ReauthenticatePhoneUnconfirmed,
                422,
                "phone_not_confirmed",
                "Please verify your phone first.",
            ),
        ];
        check(&table, R::facts, include_str!("sign_in.rs"), "SignInRefusal");
    }
}
