use compat_pg::{DatabaseError, PgError};
use uuid::Uuid;

use super::*;

fn raised(code: &str) -> AuthError {
    let refusal = DatabaseError {
        code: code.to_owned(),
        message: "no".to_owned(),
        detail: None,
        hint: None,
        position: None,
        context: None,
        schema: None,
        table: None,
        column: None,
        constraint: None,
        routine: None,
    };
    AuthError::database("Database error saving new user", PgError::from(refusal))
}

/// Every variant with its status, code and text.
fn table() -> Vec<(AuthError, u16, &'static str, &'static str)> {
    use AuthError as E;
    vec![
        (E::BadJson("x".into()), 400, "bad_json", "Could not parse request body as JSON: x"),
        (
            E::BodyTooLarge,
            413,
            "request_entity_too_large",
            "Request body exceeds the size limit of 1048576 bytes",
        ),
        (
            E::Timeout,
            504,
            "request_timeout",
            "Processing this request timed out, please retry after a moment.",
        ),
        (
            E::Invalid(Invalid::PasswordMissing),
            400,
            "validation_failed",
            "Signup requires a valid password",
        ),
        (
            E::WeakPassword { message: "short".into(), reasons: vec!["length"] },
            422,
            "weak_password",
            "short",
        ),
        (
            E::NoAuthorization,
            401,
            "no_authorization",
            "This endpoint requires a valid Bearer token",
        ),
        (
            E::BadJwt(TokenRefusal::Expired),
            403,
            "bad_jwt",
            "invalid JWT: unable to parse or verify signature, JWT expired",
        ),
        (E::MissingSubject, 403, "bad_jwt", "invalid claim: missing sub claim"),
        (E::SubjectNotUuid, 400, "bad_jwt", "invalid claim: sub claim must be a UUID"),
        (E::SubjectGone, 403, "user_not_found", "User from sub claim in JWT does not exist"),
        (
            E::SessionGone,
            403,
            "session_not_found",
            "Session from session_id claim in JWT does not exist",
        ),
        (E::Banned, 403, "user_banned", "User is banned"),
        (E::NotAdmin, 403, "not_admin", "User not allowed"),
        (
            E::AnonymousNotAllowed,
            403,
            "no_authorization",
            "Anonymous user not allowed to perform these actions",
        ),
        (E::SignupDisabled, 422, "signup_disabled", "Signups not allowed for this instance"),
        (
            E::AnonymousDisabled,
            422,
            "anonymous_provider_disabled",
            "Anonymous sign-ins are disabled",
        ),
        (
            E::EmailDisabled(Disabled::Signup),
            400,
            "email_provider_disabled",
            "Email signups are disabled",
        ),
        (
            E::EmailDisabled(Disabled::Login),
            422,
            "email_provider_disabled",
            "Email logins are disabled",
        ),
        (
            E::EmailDisabled(Disabled::Recovery),
            400,
            "email_provider_disabled",
            "Email logins are disabled",
        ),
        (
            E::PhoneDisabled(Disabled::Signup),
            400,
            "phone_provider_disabled",
            "Phone signups are disabled",
        ),
        (
            E::PhoneDisabled(Disabled::Login),
            422,
            "phone_provider_disabled",
            "Phone logins are disabled",
        ),
        (E::PhoneOtpUnsupported, 400, "phone_provider_disabled", "Unsupported phone provider"),
        (E::SmsProviderMissing, 500, "unexpected_failure", "Unable to get SMS provider"),
        (E::OtpSignupDisabled, 422, "otp_disabled", "Signups not allowed for otp"),
        (E::ManualLinkingDisabled, 404, "manual_linking_disabled", "Manual linking is disabled"),
        (E::SamlDisabled, 404, "saml_provider_disabled", "SAML 2.0 is disabled"),
        (E::Web3Disabled, 422, "web3_provider_disabled", "Web3 provider is disabled"),
        (E::PasskeysDisabled, 404, "passkey_disabled", "Passkeys are disabled"),
        (E::OauthServerDisabled, 404, "feature_disabled", "OAuth server is disabled"),
        (E::UserAlreadyExists, 422, "user_already_exists", "User already registered"),
        (
            E::EmailExists,
            422,
            "email_exists",
            "A user with this email address has already been registered",
        ),
        (
            E::PhoneExists,
            422,
            "phone_exists",
            "A user with this phone number has already been registered",
        ),
        (E::UserNotFound, 404, "user_not_found", "User not found"),
        (
            E::SamePassword,
            422,
            "same_password",
            "New password should be different from the old password.",
        ),
        (
            E::ReauthenticationNeeded,
            400,
            "reauthentication_needed",
            "Password update requires reauthentication",
        ),
        (
            E::ReauthenticationNotValid,
            422,
            "reauthentication_not_valid",
            "Nonce has expired or is invalid",
        ),
        (
            E::CurrentPasswordRequired,
            400,
            "current_password_required",
            "Current password required when setting new password.",
        ),
        (
            E::CurrentPasswordInvalid,
            400,
            "current_password_invalid",
            "Current password required when setting new password.",
        ),
        (
            E::UpdateNeedsAal2,
            401,
            "insufficient_aal",
            "AAL2 session is required to update email or password when MFA is enabled.",
        ),
        (
            E::SsoManaged,
            422,
            "user_sso_managed",
            "Updating email, phone, password of a SSO account only possible via SSO",
        ),
        (
            E::AnonymousPassword,
            422,
            "validation_failed",
            "Updating password of an anonymous user without an email or phone is not allowed",
        ),
        (
            E::AppMetadataNeedsAdmin,
            403,
            "not_admin",
            "Updating app_metadata requires admin privileges",
        ),
        (E::IdentityNotFound, 422, "identity_not_found", "Identity doesn't exist"),
        (
            E::SingleIdentity,
            422,
            "single_identity_not_deletable",
            "User must have at least 1 identity after unlinking",
        ),
        (
            E::EmailConflictIdentity,
            422,
            "email_conflict_identity_not_deletable",
            "Unable to unlink identity due to email conflict",
        ),
        (E::UnsupportedGrant, 400, "invalid_credentials", "unsupported_grant_type"),
        (E::InvalidCredentials, 400, "invalid_credentials", "Invalid login credentials"),
        (E::BannedSignIn, 400, "user_banned", "User is banned"),
        (E::EmailNotConfirmed, 400, "email_not_confirmed", "Email not confirmed"),
        (E::PhoneNotConfirmed, 400, "phone_not_confirmed", "Phone not confirmed"),
        (
            E::ReauthenticateUnconfirmed,
            422,
            "email_not_confirmed",
            "Please verify your email before reauthenticating.",
        ),
        (
            E::RefreshTokenNotFound,
            400,
            "refresh_token_not_found",
            "Invalid Refresh Token: Refresh Token Not Found",
        ),
        (
            E::RefreshWithoutSession,
            400,
            "session_not_found",
            "Invalid Refresh Token: No Valid Session Found",
        ),
        (E::RefreshBanned, 400, "user_banned", "Invalid Refresh Token: User Banned"),
        (
            E::SessionExpired(" (Inactivity)"),
            400,
            "session_expired",
            "Invalid Refresh Token: Session Expired (Inactivity)",
        ),
        (
            E::RefreshTokenUsed,
            400,
            "refresh_token_already_used",
            "Invalid Refresh Token: Already Used",
        ),
        (
            E::RefreshConflict,
            409,
            "conflict",
            "Too many concurrent token refresh requests on the same session or refresh token",
        ),
        (E::OtpExpired { link: true }, 403, "otp_expired", "Email link is invalid or has expired"),
        (E::OtpExpired { link: false }, 403, "otp_expired", "Token has expired or is invalid"),
        (
            E::FlowStateNotFound,
            404,
            "flow_state_not_found",
            "invalid flow state, no valid flow state found",
        ),
        (
            E::FlowStateExpired,
            422,
            "flow_state_expired",
            "invalid flow state, flow state has expired",
        ),
        (
            E::BadCodeVerifier,
            400,
            "bad_code_verifier",
            "code challenge does not match previously saved code verifier",
        ),
        (E::BadOauthState, 400, "bad_oauth_state", "OAuth state parameter is invalid"),
        (E::BadOauthCallback, 400, "bad_oauth_callback", "OAuth state parameter missing"),
        (E::OauthStateExpired, 400, "bad_oauth_state", "OAuth state has expired"),
        (E::FlowStateUsed("used"), 400, "flow_state_already_used", "used"),
        (
            E::ProviderRefused { error: "access_denied".into(), description: "no".into() },
            400,
            "bad_oauth_callback",
            "no",
        ),
        (
            E::Provider { task: "Unable to exchange external code", source: "x".into() },
            500,
            "unexpected_failure",
            "Unable to exchange external code",
        ),
        (
            E::ProviderEmailMissing,
            500,
            "unexpected_failure",
            "Error getting user email from external provider",
        ),
        (
            E::ProviderEmailUnverified("github".into()),
            422,
            "provider_email_needs_verification",
            "Unverified email with github. A confirmation email has been sent to your github email",
        ),
        (
            E::MultipleAccounts,
            500,
            "unexpected_failure",
            "Multiple accounts with the same email address in the same linking domain detected: default",
        ),
        (
            E::IdentityExists { other: true },
            422,
            "identity_already_exists",
            "Identity is already linked to another user",
        ),
        (
            E::IdentityExists { other: false },
            422,
            "identity_already_exists",
            "Identity is already linked",
        ),
        (E::IdToken(IdTokenRefusal::Bad), 400, "validation_failed", "Bad ID token"),
        (E::IdToken(IdTokenRefusal::NonceMismatch), 400, "validation_failed", "Nonces mismatch"),
        (
            E::IdToken(IdTokenRefusal::ProviderDisabled("x".into())),
            400,
            "provider_disabled",
            "Provider (issuer \"x\") is not enabled",
        ),
        (E::ClientNotFound, 404, "oauth_client_not_found", "OAuth client not found"),
        (E::AuthorizationNotFound, 404, "oauth_authorization_not_found", "authorization not found"),
        (
            E::ConsentNotFound,
            404,
            "oauth_consent_not_found",
            "No active grant found for this client",
        ),
        (
            E::RegistrationDisabled,
            403,
            "oauth_dynamic_client_registration_disabled",
            "Dynamic client registration is not enabled",
        ),
        (E::Oauth { error: "invalid_grant", description: "no" }, 400, "validation_failed", "no"),
        (
            E::Captcha("no captcha_token found".into()),
            400,
            "captcha_failed",
            "captcha protection: request disallowed (no captcha_token found)",
        ),
        (E::Hook { status: 403, message: "no".into() }, 403, "unknown", "no"),
        (E::Hook { status: 200, message: "no".into() }, 500, "unexpected_failure", "no"),
        (
            E::TextTooSoon(7),
            429,
            "over_sms_send_rate_limit",
            "For security purposes, you can only request this after 7 seconds.",
        ),
        (E::TextNotSent("x".into()), 422, "sms_send_failed", "Error sending sms OTP to provider"),
        (E::ChallengesNotIssued, 404, "feature_disabled", "Challenges are not issued here"),
        (
            E::CaptchaUnavailable("x".into()),
            500,
            "unexpected_failure",
            "captcha verification process failed",
        ),
        (
            E::FactorEnrollDisabled("MFA"),
            422,
            "mfa_totp_enroll_not_enabled",
            "MFA enroll is disabled",
        ),
        (
            E::FactorEnrollDisabled("Phone"),
            422,
            "mfa_phone_enroll_not_enabled",
            "Phone enroll is disabled",
        ),
        (
            E::FactorEnrollDisabled("WebAuthn"),
            422,
            "mfa_webauthn_enroll_not_enabled",
            "WebAuthn enroll is disabled",
        ),
        (
            E::FactorVerifyDisabled("MFA"),
            422,
            "mfa_totp_verify_not_enabled",
            "MFA verification is disabled",
        ),
        (
            E::FactorVerifyDisabled("Phone"),
            422,
            "mfa_phone_verify_not_enabled",
            "Phone verification is disabled",
        ),
        (
            E::FactorVerifyDisabled("WebAuthn"),
            422,
            "mfa_webauthn_verify_not_enabled",
            "WebAuthn verification is disabled",
        ),
        (
            E::FactorNameConflict("phone".into()),
            422,
            "mfa_factor_name_conflict",
            "A factor with the friendly name \"phone\" for this user already exists",
        ),
        (
            E::TooManyFactors,
            422,
            "too_many_enrolled_mfa_factors",
            "Maximum number of enrolled factors reached, unenroll to continue",
        ),
        (E::EnrollNeedsAal2, 403, "insufficient_aal", "AAL2 required to enroll a new factor"),
        (
            E::UnenrollNeedsAal2,
            422,
            "insufficient_aal",
            "AAL2 required to unenroll verified factor",
        ),
        (E::FactorNotFound, 404, "mfa_factor_not_found", "Factor not found"),
        (
            E::ChallengeNotFound,
            422,
            "mfa_factor_not_found",
            "MFA factor with the provided challenge ID not found",
        ),
        (
            E::ChallengeIpMismatch,
            422,
            "mfa_ip_address_mismatch",
            "Challenge and verify IP addresses mismatch.",
        ),
        (
            E::ChallengeExpired(Uuid::nil()),
            422,
            "mfa_challenge_expired",
            "MFA challenge 00000000-0000-0000-0000-000000000000 has expired, verify against another challenge or create a new challenge.",
        ),
        (E::WrongTotpCode, 422, "mfa_verification_failed", "Invalid TOTP code entered"),
        (
            E::TooSoon(7),
            429,
            "over_email_send_rate_limit",
            "For security purposes, you can only request this after 7 seconds.",
        ),
        (E::MailBudget, 429, "over_email_send_rate_limit", "email rate limit exceeded"),
        (E::TooManyRequests, 429, "over_request_rate_limit", "Request rate limit reached"),
        (
            E::ReauthenticatePhoneUnconfirmed,
            422,
            "phone_not_confirmed",
            "Please verify your phone first.",
        ),
        (E::TextBudget, 429, "over_sms_send_rate_limit", "sms rate limit exceeded"),
        (
            E::EmailNotAuthorized("a@b.c".into()),
            400,
            "email_address_not_authorized",
            "Email address \"a@b.c\" cannot be used as it is not authorized",
        ),
        (E::SsoProviderNotFound, 404, "sso_provider_not_found", "No such SSO provider"),
        (E::CustomProviderNotFound, 404, "custom_provider_not_found", "Custom provider not found"),
        (
            E::CustomProviderExists,
            422,
            "conflict",
            "Custom provider with this identifier already exists",
        ),
        (
            E::TooManyCustomProviders,
            422,
            "over_custom_provider_quota",
            "Maximum number of custom providers reached",
        ),
        (
            E::Device(DeviceRefusal::ChallengeNotFound),
            400,
            "webauthn_challenge_not_found",
            "WebAuthn challenge not found",
        ),
        (raised("P0001"), 500, "unexpected_failure", "Database error saving new user"),
        (raised("PT409"), 409, "unexpected_failure", "Database error saving new user"),
        (
            E::Delivery(Delivery {
                kind: "recovery",
                source: crate::mail::DeliveryError("x".into()),
            }),
            500,
            "unexpected_failure",
            "Error sending recovery email",
        ),
        (
            E::internal("x"),
            500,
            "unexpected_failure",
            "Unexpected failure, please check server logs for more information",
        ),
    ]
}

#[test]
fn every_refusal_has_its_status_code_and_text() {
    for (error, status, code, text) in table() {
        let (said_status, said_code) = error.facts();
        assert_eq!((said_status.as_u16(), said_code), (status, code), "{error:?}");
        assert_eq!(error.to_string(), text, "{error:?}");
    }
}

#[test]
fn the_table_misses_no_variant() {
    let table = format!("{:?}", table().iter().map(|row| &row.0).collect::<Vec<_>>());
    for name in variants(include_str!("../error.rs"), "AuthError") {
        assert!(table.contains(&name), "{name} is not in the table");
    }
}

/// The names of an enum's variants, read from its source.
pub(super) fn variants(source: &str, name: &str) -> Vec<String> {
    let body = source.split_once(&format!("pub enum {name} {{")).expect("the enum").1;
    let body = body.split_once("\n}").expect("its end").0;
    let variant = |line: &str| {
        let rest = line.strip_prefix("    ")?;
        rest.starts_with(|c: char| c.is_ascii_uppercase())
            .then(|| rest.chars().take_while(|c| c.is_alphanumeric()).collect())
    };
    body.lines().filter_map(variant).collect()
}

#[test]
fn what_is_ours_is_logged_and_what_is_theirs_is_not() {
    assert!(raised("P0001").is_ours());
    assert!(!AuthError::InvalidCredentials.is_ours());
}

#[test]
fn an_id_that_is_none_is_missing() {
    let (status, code) = AuthError::from(Invalid::NotUuid("user_id")).facts();
    assert_eq!((status.as_u16(), code), (404, "validation_failed"));
}
