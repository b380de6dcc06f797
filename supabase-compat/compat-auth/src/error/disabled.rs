//! Refusals of features that this installation has switched off.

use http::StatusCode;

/// Which feature is switched off.
#[derive(Debug, thiserror::Error)]
pub enum DisabledFeature {
    #[error("Signups not allowed for this instance")]
    Signup,
    #[error("Anonymous sign-ins are disabled")]
    Anonymous,
    #[error("Email {0} are disabled")]
    Email(DisabledAction),
    #[error("Phone {0} are disabled")]
    Phone(DisabledAction),
    #[error("Unsupported phone provider")]
    PhoneOtp,
    #[error("Unable to get SMS provider")]
    SmsProvider,
    #[error("Signups not allowed for otp")]
    OtpSignup,
    #[error("Manual linking is disabled")]
    ManualLinking,
    #[error("SAML 2.0 is disabled")]
    Saml,
    #[error("No such SSO provider")]
    SsoProvider,
    #[error("Web3 provider is disabled")]
    Web3,
    #[error("Passkeys are disabled")]
    Passkeys,
    #[error("OAuth server is disabled")]
    OauthServer,
}

impl DisabledFeature {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        const OURS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
        match self {
            Self::Signup => (REFUSED, "signup_disabled"),
            Self::Anonymous => (REFUSED, "anonymous_provider_disabled"),
            Self::Email(account) => (account.status(), "email_provider_disabled"),
            Self::Phone(account) => (account.status(), "phone_provider_disabled"),
            Self::PhoneOtp => (BAD, "phone_provider_disabled"),
            Self::SmsProvider => (OURS, "unexpected_failure"),
            Self::OtpSignup => (REFUSED, "otp_disabled"),
            Self::ManualLinking => (MISSING, "manual_linking_disabled"),
            Self::Saml => (MISSING, "saml_provider_disabled"),
            Self::SsoProvider => (MISSING, "sso_provider_not_found"),
            Self::Web3 => (REFUSED, "web3_provider_disabled"),
            Self::Passkeys => (MISSING, "passkey_disabled"),
            Self::OauthServer => (MISSING, "feature_disabled"),
        }
    }
}

/// What the client tried to do with a disabled kind of address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisabledAction {
    /// Creating an account.
    Signup,
    /// Signing in.
    Login,
    /// Requesting a recovery mail.
    Recovery,
}

impl DisabledAction {
    fn status(self) -> StatusCode {
        match self {
            Self::Login => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Signup | Self::Recovery => StatusCode::BAD_REQUEST,
        }
    }
}

impl std::fmt::Display for DisabledAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Signup => "signups",
            Self::Login | Self::Recovery => "logins",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::{DisabledAction, DisabledFeature as R};

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (R::Signup, 422, "signup_disabled", "Signups not allowed for this instance"),
            (R::Anonymous, 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
            (
                R::Email(DisabledAction::Signup),
                400,
                "email_provider_disabled",
                "Email signups are disabled",
            ),
            (
                R::Email(DisabledAction::Login),
                422,
                "email_provider_disabled",
                "Email logins are disabled",
            ),
            (
                R::Email(DisabledAction::Recovery),
                400,
                "email_provider_disabled",
                "Email logins are disabled",
            ),
            (
                R::Phone(DisabledAction::Signup),
                400,
                "phone_provider_disabled",
                "Phone signups are disabled",
            ),
            (
                R::Phone(DisabledAction::Login),
                422,
                "phone_provider_disabled",
                "Phone logins are disabled",
            ),
            (R::PhoneOtp, 400, "phone_provider_disabled", "Unsupported phone provider"),
            (R::SmsProvider, 500, "unexpected_failure", "Unable to get SMS provider"),
            (R::OtpSignup, 422, "otp_disabled", "Signups not allowed for otp"),
            (R::ManualLinking, 404, "manual_linking_disabled", "Manual linking is disabled"),
            (R::Saml, 404, "saml_provider_disabled", "SAML 2.0 is disabled"),
            (R::SsoProvider, 404, "sso_provider_not_found", "No such SSO provider"),
            (R::Web3, 422, "web3_provider_disabled", "Web3 provider is disabled"),
            (R::Passkeys, 404, "passkey_disabled", "Passkeys are disabled"),
            (R::OauthServer, 404, "feature_disabled", "OAuth server is disabled"),
        ];
        check(&table, R::facts, include_str!("disabled.rs"), "DisabledFeature");
    }
}
