//! Refusals to create or change an account and its identities.

use http::StatusCode;

/// Why an account was not created or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountRefusal {
    #[error("User already registered")]
    UserAlreadyExists,
    #[error("A user with this email address has already been registered")]
    EmailExists,
    #[error("A user with this phone number has already been registered")]
    PhoneExists,
    #[error("User not found")]
    UserNotFound,
    #[error("The account changed while it was looked at, please try again")]
    Vanished,
    #[error("New password should be different from the old password.")]
    SamePassword,
    #[error("Password update requires reauthentication")]
    ReauthenticationNeeded,
    #[error("Nonce has expired or is invalid")]
    ReauthenticationNotValid,
    #[error("Current password required when setting new password.")]
    CurrentPasswordRequired,
    #[error("Current password required when setting new password.")]
    CurrentPasswordInvalid,
    #[error("AAL2 session is required to update email or password when MFA is enabled.")]
    UpdateNeedsAal2,
    #[error("Updating email, phone, password of a SSO account only possible via SSO")]
    SsoManaged,
    #[error("Updating password of an anonymous user without an email or phone is not allowed")]
    AnonymousPassword,
    #[error("Identity doesn't exist")]
    IdentityNotFound,
    #[error("User must have at least 1 identity after unlinking")]
    SingleIdentity,
    #[error("Unable to unlink identity due to email conflict")]
    EmailConflictIdentity,
}

impl AccountRefusal {
    /// The HTTP status and the machine-readable code.
    pub(super) fn facts(&self) -> (StatusCode, &'static str) {
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::UserAlreadyExists => (REFUSED, "user_already_exists"),
            Self::EmailExists => (REFUSED, "email_exists"),
            Self::PhoneExists => (REFUSED, "phone_exists"),
            Self::UserNotFound => (MISSING, "user_not_found"),
            Self::Vanished => (StatusCode::CONFLICT, "conflict"),
            Self::SamePassword => (REFUSED, "same_password"),
            Self::ReauthenticationNeeded => (BAD, "reauthentication_needed"),
            Self::ReauthenticationNotValid => (REFUSED, "reauthentication_not_valid"),
            Self::CurrentPasswordRequired => (BAD, "current_password_required"),
            Self::CurrentPasswordInvalid => (BAD, "current_password_invalid"),
            Self::UpdateNeedsAal2 => (StatusCode::UNAUTHORIZED, "insufficient_aal"),
            Self::SsoManaged => (REFUSED, "user_sso_managed"),
            Self::AnonymousPassword => (REFUSED, "validation_failed"),
            Self::IdentityNotFound => (REFUSED, "identity_not_found"),
            Self::SingleIdentity => (REFUSED, "single_identity_not_deletable"),
            Self::EmailConflictIdentity => (REFUSED, "email_conflict_identity_not_deletable"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ExpectedRefusal, check};
    use super::AccountRefusal as R;

    #[test]
    fn every_refusal_has_its_status_code_and_text() {
        let table: Vec<ExpectedRefusal<R>> = vec![
            (
                R::Vanished,
                409,
                "conflict",
                "The account changed while it was looked at, please try again",
            ),
            (R::UserAlreadyExists, 422, "user_already_exists", "User already registered"),
            (
                R::EmailExists,
                422,
                "email_exists",
                "A user with this email address has already been registered",
            ),
            (
                R::PhoneExists,
                422,
                "phone_exists",
                "A user with this phone number has already been registered",
            ),
            (R::UserNotFound, 404, "user_not_found", "User not found"),
            (
                R::SamePassword,
                422,
                "same_password",
                "New password should be different from the old password.",
            ),
            (
                R::ReauthenticationNeeded,
                400,
                "reauthentication_needed",
                "Password update requires reauthentication",
            ),
            (
                R::ReauthenticationNotValid,
                422,
                "reauthentication_not_valid",
                "Nonce has expired or is invalid",
            ),
            (
                R::CurrentPasswordRequired,
                400,
                "current_password_required",
                "Current password required when setting new password.",
            ),
            (
                R::CurrentPasswordInvalid,
                400,
                "current_password_invalid",
                "Current password required when setting new password.",
            ),
            (
                R::UpdateNeedsAal2,
                401,
                "insufficient_aal",
                "AAL2 session is required to update email or password when MFA is enabled.",
            ),
            (
                R::SsoManaged,
                422,
                "user_sso_managed",
                "Updating email, phone, password of a SSO account only possible via SSO",
            ),
            (
                R::AnonymousPassword,
                422,
                "validation_failed",
                "Updating password of an anonymous user without an email or phone is not allowed",
            ),
            (R::IdentityNotFound, 422, "identity_not_found", "Identity doesn't exist"),
            (
                R::SingleIdentity,
                422,
                "single_identity_not_deletable",
                "User must have at least 1 identity after unlinking",
            ),
            (
                R::EmailConflictIdentity,
                422,
                "email_conflict_identity_not_deletable",
                "Unable to unlink identity due to email conflict",
            ),
        ];
        check(&table, R::facts, include_str!("account.rs"), "AccountRefusal");
    }
}
