//! Every way this service refuses, with its status, code and wording. Nothing else knows these.
//!
//! Codes and texts are the original's where clients match on them (`x-sb-error-code`, the body's `code`).

use std::borrow::Cow;

use http::StatusCode;

use compat_pg::PgError;
use compat_token::TokenRefusal;

mod device;
mod invalid;

pub use device::DeviceRefusal;
pub use invalid::Invalid;

/// Why a request was not served.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    // What arrived
    #[error("Could not parse request body as JSON: {0}")]
    BadJson(String),
    #[error("Request body exceeds the size limit of 1048576 bytes")]
    BodyTooLarge,
    #[error("Processing this request timed out, please retry after a moment.")]
    Timeout,
    #[error("{0}")]
    Invalid(#[from] Invalid),
    #[error("{message}")]
    WeakPassword { message: String, reasons: Vec<&'static str> },

    // Who asks
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

    // Which ways in are open
    #[error("Signups not allowed for this instance")]
    SignupDisabled,
    #[error("Anonymous sign-ins are disabled")]
    AnonymousDisabled,
    #[error("Email {0} are disabled")]
    EmailDisabled(Disabled),
    #[error("Phone {0} are disabled")]
    PhoneDisabled(Disabled),
    #[error("Unsupported phone provider")]
    PhoneOtpUnsupported,
    #[error("Unable to get SMS provider")]
    SmsProviderMissing,
    #[error("Signups not allowed for otp")]
    OtpSignupDisabled,
    #[error("Manual linking is disabled")]
    ManualLinkingDisabled,
    #[error("SAML 2.0 is disabled")]
    SamlDisabled,
    #[error("No such SSO provider")]
    SsoProviderNotFound,
    #[error("Custom provider not found")]
    CustomProviderNotFound,
    #[error("Custom provider with this identifier already exists")]
    CustomProviderExists,
    #[error("Maximum number of custom providers reached")]
    TooManyCustomProviders,
    #[error("Web3 provider is disabled")]
    Web3Disabled,
    #[error("Passkeys are disabled")]
    PasskeysDisabled,
    #[error("OAuth server is disabled")]
    OauthServerDisabled,

    // Accounts
    #[error("User already registered")]
    UserAlreadyExists,
    #[error("A user with this email address has already been registered")]
    EmailExists,
    #[error("A user with this phone number has already been registered")]
    PhoneExists,
    #[error("User not found")]
    UserNotFound,
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
    #[error("Updating app_metadata requires admin privileges")]
    AppMetadataNeedsAdmin,
    #[error("Identity doesn't exist")]
    IdentityNotFound,
    #[error("User must have at least 1 identity after unlinking")]
    SingleIdentity,
    #[error("Unable to unlink identity due to email conflict")]
    EmailConflictIdentity,

    // Signing in
    #[error("unsupported_grant_type")]
    UnsupportedGrant,
    #[error("Invalid login credentials")]
    InvalidCredentials,
    #[error("User is banned")]
    BannedSignIn,
    #[error("Email not confirmed")]
    EmailNotConfirmed,
    #[error("Phone not confirmed")]
    PhoneNotConfirmed,
    #[error("Please verify your email before reauthenticating.")]
    ReauthenticateUnconfirmed,
    #[error("Please verify your phone first.")]
    ReauthenticatePhoneUnconfirmed,

    // Staying signed in
    #[error("Invalid Refresh Token: Refresh Token Not Found")]
    RefreshTokenNotFound,
    #[error("Invalid Refresh Token: No Valid Session Found")]
    RefreshWithoutSession,
    #[error("Invalid Refresh Token: User Banned")]
    RefreshBanned,
    #[error("Invalid Refresh Token: Session Expired{0}")]
    SessionExpired(&'static str),
    #[error("Invalid Refresh Token: Already Used")]
    RefreshTokenUsed,
    #[error("Too many concurrent token refresh requests on the same session or refresh token")]
    RefreshConflict,

    // One-time tokens and flows
    #[error("{}", if *.link { "Email link is invalid or has expired" } else { "Token has expired or is invalid" })]
    OtpExpired { link: bool },
    #[error("invalid flow state, no valid flow state found")]
    FlowStateNotFound,
    #[error("invalid flow state, flow state has expired")]
    FlowStateExpired,
    #[error("code challenge does not match previously saved code verifier")]
    BadCodeVerifier,

    // Outside accounts
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

    // Applications
    #[error("OAuth client not found")]
    ClientNotFound,
    #[error("authorization not found")]
    AuthorizationNotFound,
    #[error("No active grant found for this client")]
    ConsentNotFound,
    #[error("Dynamic client registration is not enabled")]
    RegistrationDisabled,
    #[error("{description}")]
    Oauth { error: &'static str, description: &'static str },

    // Hooks
    #[error("{message}")]
    Hook { status: u16, message: String },

    // Captcha
    #[error("captcha protection: request disallowed ({0})")]
    Captcha(String),
    #[error("Challenges are not issued here")]
    ChallengesNotIssued,
    #[error("captcha verification process failed")]
    CaptchaUnavailable(#[source] Box<dyn std::error::Error + Send + Sync>),

    // Second factors
    #[error("{0} enroll is disabled")]
    FactorEnrollDisabled(&'static str),
    #[error("{0} verification is disabled")]
    FactorVerifyDisabled(&'static str),
    #[error("A factor with the friendly name \"{0}\" for this user already exists")]
    FactorNameConflict(String),
    #[error("Maximum number of enrolled factors reached, unenroll to continue")]
    TooManyFactors,
    #[error("AAL2 required to enroll a new factor")]
    EnrollNeedsAal2,
    #[error("AAL2 required to unenroll verified factor")]
    UnenrollNeedsAal2,
    #[error("Factor not found")]
    FactorNotFound,
    #[error("MFA factor with the provided challenge ID not found")]
    ChallengeNotFound,
    #[error("Challenge and verify IP addresses mismatch.")]
    ChallengeIpMismatch,
    #[error(
        "MFA challenge {0} has expired, verify against another challenge or create a new challenge."
    )]
    ChallengeExpired(uuid::Uuid),
    #[error("Invalid TOTP code entered")]
    WrongTotpCode,
    #[error(transparent)]
    Device(#[from] DeviceRefusal),

    // How often
    #[error("For security purposes, you can only request this after {0} seconds.")]
    TooSoon(i64),
    #[error("For security purposes, you can only request this after {0} seconds.")]
    TextTooSoon(i64),
    #[error("Email address \"{0}\" cannot be used as it is not authorized")]
    EmailNotAuthorized(String),
    #[error("email rate limit exceeded")]
    MailBudget,
    #[error("sms rate limit exceeded")]
    TextBudget,
    #[error("Request rate limit reached")]
    TooManyRequests,

    // Ours
    #[error("Error sending sms OTP to provider")]
    TextNotSent(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("{0}")]
    Delivery(#[source] Delivery),
    #[error("{context}")]
    Database {
        context: Cow<'static, str>,
        #[source]
        source: PgError,
    },
    #[error("Unexpected failure, please check server logs for more information")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What about a disabled way in was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disabled {
    /// Creating an account.
    Signup,
    /// Signing in.
    Login,
    /// Asking for a mail that lets one in again.
    Recovery,
}

/// What about an ID token does not hold; answered in OAuth's own shape where that has one.
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

/// What could not be sent; the text says which mail.
#[derive(Debug, thiserror::Error)]
#[error("Error sending {kind} email")]
pub struct Delivery {
    /// The kind of mail in the original's words.
    pub kind: &'static str,
    /// What the mail server said.
    #[source]
    pub source: crate::mail::DeliveryError,
}

impl From<sqlx::Error> for AuthError {
    fn from(error: sqlx::Error) -> Self {
        PgError::from(error).into()
    }
}

impl From<PgError> for AuthError {
    fn from(error: PgError) -> Self {
        Self::database("Database error", error)
    }
}

impl AuthError {
    /// A database failure, told as `context` and logged whole.
    pub(crate) fn database(
        context: impl Into<Cow<'static, str>>,
        source: impl Into<PgError>,
    ) -> Self {
        Self::Database { context: context.into(), source: source.into() }
    }

    /// A failure of ours that has no better name.
    pub(crate) fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(source.into())
    }

    /// What a raised PostgreSQL error asks to be answered with: `PTnnn` carries its status.
    fn raised_status(source: &PgError) -> Option<StatusCode> {
        StatusCode::from_bytes(source.code()?.strip_prefix("PT")?.as_bytes()).ok()
    }

    /// The HTTP status and the machine-readable code.
    pub fn facts(&self) -> (StatusCode, &'static str) {
        use AuthError as E;
        const BAD: StatusCode = StatusCode::BAD_REQUEST;
        const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;
        const MISSING: StatusCode = StatusCode::NOT_FOUND;
        const REFUSED: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        const OFTEN: StatusCode = StatusCode::TOO_MANY_REQUESTS;
        const OURS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
        match self {
            E::BadJson(_) => (BAD, "bad_json"),
            E::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "request_entity_too_large"),
            E::Timeout => (StatusCode::GATEWAY_TIMEOUT, "request_timeout"),
            E::Invalid(invalid) => (invalid.status(), "validation_failed"),
            E::WeakPassword { .. } => (REFUSED, "weak_password"),
            E::NoAuthorization => (StatusCode::UNAUTHORIZED, "no_authorization"),
            E::BadJwt(_) | E::MissingSubject => (FORBIDDEN, "bad_jwt"),
            E::SubjectNotUuid => (BAD, "bad_jwt"),
            E::SubjectGone => (FORBIDDEN, "user_not_found"),
            E::SessionGone => (FORBIDDEN, "session_not_found"),
            E::Banned => (FORBIDDEN, "user_banned"),
            E::NotAdmin | E::AppMetadataNeedsAdmin => (FORBIDDEN, "not_admin"),
            E::AnonymousNotAllowed => (FORBIDDEN, "no_authorization"),
            E::SignupDisabled => (REFUSED, "signup_disabled"),
            E::AnonymousDisabled => (REFUSED, "anonymous_provider_disabled"),
            E::EmailDisabled(tried) => (tried.status(), "email_provider_disabled"),
            E::PhoneDisabled(tried) => (tried.status(), "phone_provider_disabled"),
            E::PhoneOtpUnsupported => (BAD, "phone_provider_disabled"),
            E::SmsProviderMissing => (OURS, "unexpected_failure"),
            E::OtpSignupDisabled => (REFUSED, "otp_disabled"),
            E::ManualLinkingDisabled => (MISSING, "manual_linking_disabled"),
            E::SamlDisabled => (MISSING, "saml_provider_disabled"),
            E::SsoProviderNotFound => (MISSING, "sso_provider_not_found"),
            E::CustomProviderNotFound => (MISSING, "custom_provider_not_found"),
            E::CustomProviderExists => (REFUSED, "conflict"),
            E::TooManyCustomProviders => (REFUSED, "over_custom_provider_quota"),
            E::Web3Disabled => (REFUSED, "web3_provider_disabled"),
            E::PasskeysDisabled => (MISSING, "passkey_disabled"),
            E::OauthServerDisabled => (MISSING, "feature_disabled"),
            E::UserAlreadyExists => (REFUSED, "user_already_exists"),
            E::EmailExists => (REFUSED, "email_exists"),
            E::PhoneExists => (REFUSED, "phone_exists"),
            E::UserNotFound => (MISSING, "user_not_found"),
            E::SamePassword => (REFUSED, "same_password"),
            E::ReauthenticationNeeded => (BAD, "reauthentication_needed"),
            E::ReauthenticationNotValid => (REFUSED, "reauthentication_not_valid"),
            E::CurrentPasswordRequired => (BAD, "current_password_required"),
            E::CurrentPasswordInvalid => (BAD, "current_password_invalid"),
            E::UpdateNeedsAal2 => (StatusCode::UNAUTHORIZED, "insufficient_aal"),
            E::SsoManaged => (REFUSED, "user_sso_managed"),
            E::AnonymousPassword => (REFUSED, "validation_failed"),
            E::IdentityNotFound => (REFUSED, "identity_not_found"),
            E::SingleIdentity => (REFUSED, "single_identity_not_deletable"),
            E::EmailConflictIdentity => (REFUSED, "email_conflict_identity_not_deletable"),
            E::UnsupportedGrant | E::InvalidCredentials => (BAD, "invalid_credentials"),
            E::BannedSignIn | E::RefreshBanned => (BAD, "user_banned"),
            E::EmailNotConfirmed => (BAD, "email_not_confirmed"),
            E::PhoneNotConfirmed => (BAD, "phone_not_confirmed"),
            E::ReauthenticatePhoneUnconfirmed => (REFUSED, "phone_not_confirmed"),
            E::ReauthenticateUnconfirmed => (REFUSED, "email_not_confirmed"),
            E::RefreshTokenNotFound => (BAD, "refresh_token_not_found"),
            E::RefreshWithoutSession => (BAD, "session_not_found"),
            E::SessionExpired(_) => (BAD, "session_expired"),
            E::RefreshTokenUsed => (BAD, "refresh_token_already_used"),
            E::RefreshConflict => (StatusCode::CONFLICT, "conflict"),
            E::OtpExpired { .. } => (FORBIDDEN, "otp_expired"),
            E::FlowStateNotFound => (MISSING, "flow_state_not_found"),
            E::FlowStateExpired => (REFUSED, "flow_state_expired"),
            E::BadCodeVerifier => (BAD, "bad_code_verifier"),
            E::BadOauthState => (BAD, "bad_oauth_state"),
            E::BadOauthCallback => (BAD, "bad_oauth_callback"),
            E::OauthStateExpired => (BAD, "bad_oauth_state"),
            E::FlowStateUsed(_) => (BAD, "flow_state_already_used"),
            E::ProviderRefused { .. } => (BAD, "bad_oauth_callback"),
            E::Provider { .. } | E::MultipleAccounts | E::ProviderEmailMissing => {
                (OURS, "unexpected_failure")
            }
            E::ProviderEmailUnverified(_) => (REFUSED, "provider_email_needs_verification"),
            E::IdentityExists { .. } => (REFUSED, "identity_already_exists"),
            E::IdToken(IdTokenRefusal::ProviderDisabled(_)) => (BAD, "provider_disabled"),
            E::IdToken(_) => (BAD, "validation_failed"),
            E::ClientNotFound => (MISSING, "oauth_client_not_found"),
            E::AuthorizationNotFound => (MISSING, "oauth_authorization_not_found"),
            E::ConsentNotFound => (MISSING, "oauth_consent_not_found"),
            E::RegistrationDisabled => (FORBIDDEN, "oauth_dynamic_client_registration_disabled"),
            E::Oauth { .. } => (BAD, "validation_failed"),
            E::Hook { status, .. } => match StatusCode::from_u16(*status) {
                Ok(status) if status.is_client_error() => (status, "unknown"),
                _ => (OURS, "unexpected_failure"),
            },
            E::Captcha(_) => (BAD, "captcha_failed"),
            E::ChallengesNotIssued => (MISSING, "feature_disabled"),
            E::CaptchaUnavailable(_) => (OURS, "unexpected_failure"),
            E::FactorEnrollDisabled("MFA") => (REFUSED, "mfa_totp_enroll_not_enabled"),
            E::FactorEnrollDisabled("Phone") => (REFUSED, "mfa_phone_enroll_not_enabled"),
            E::FactorEnrollDisabled(_) => (REFUSED, "mfa_webauthn_enroll_not_enabled"),
            E::FactorVerifyDisabled("MFA") => (REFUSED, "mfa_totp_verify_not_enabled"),
            E::FactorVerifyDisabled("Phone") => (REFUSED, "mfa_phone_verify_not_enabled"),
            E::FactorVerifyDisabled(_) => (REFUSED, "mfa_webauthn_verify_not_enabled"),
            E::FactorNameConflict(_) => (REFUSED, "mfa_factor_name_conflict"),
            E::TooManyFactors => (REFUSED, "too_many_enrolled_mfa_factors"),
            E::EnrollNeedsAal2 => (FORBIDDEN, "insufficient_aal"),
            E::UnenrollNeedsAal2 => (REFUSED, "insufficient_aal"),
            E::FactorNotFound => (MISSING, "mfa_factor_not_found"),
            E::ChallengeNotFound => (REFUSED, "mfa_factor_not_found"),
            E::ChallengeIpMismatch => (REFUSED, "mfa_ip_address_mismatch"),
            E::ChallengeExpired(_) => (REFUSED, "mfa_challenge_expired"),
            E::WrongTotpCode => (REFUSED, "mfa_verification_failed"),
            E::Device(refusal) => refusal.facts(),
            E::TextTooSoon(_) | E::TextBudget => (OFTEN, "over_sms_send_rate_limit"),
            E::TextNotSent(_) => (REFUSED, "sms_send_failed"),
            E::TooSoon(_) | E::MailBudget => (OFTEN, "over_email_send_rate_limit"),
            E::EmailNotAuthorized(_) => (BAD, "email_address_not_authorized"),
            E::TooManyRequests => (OFTEN, "over_request_rate_limit"),
            E::Database { source, .. } => {
                (Self::raised_status(source).unwrap_or(OURS), "unexpected_failure")
            }
            E::Delivery(_) | E::Internal(_) => (OURS, "unexpected_failure"),
        }
    }

    /// Whether the fault is ours, so that it is logged and says nothing of its cause.
    pub fn is_ours(&self) -> bool {
        matches!(
            self,
            Self::Delivery(_)
                | Self::Database { .. }
                | Self::Internal(_)
                | Self::Provider { .. }
                | Self::TextNotSent(_)
                | Self::CaptchaUnavailable(_)
        )
    }
}

impl AuthError {
    /// The two fields of an OAuth-style refusal, for the refusals that are told so in every version.
    pub fn oauth_fields(&self) -> Option<(&'static str, String)> {
        match self {
            Self::IdToken(IdTokenRefusal::ProviderDisabled(_)) => None,
            Self::IdToken(IdTokenRefusal::NonceMismatch | IdTokenRefusal::NonceMissing) => {
                Some(("invalid nonce", self.to_string()))
            }
            Self::Oauth { error, description } => Some((error, (*description).to_owned())),
            Self::IdToken(_) => Some(("invalid request", self.to_string())),
            _ => None,
        }
    }
}

impl Disabled {
    fn status(self) -> StatusCode {
        match self {
            Self::Login => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Signup | Self::Recovery => StatusCode::BAD_REQUEST,
        }
    }
}

impl std::fmt::Display for Disabled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Signup => "signups",
            Self::Login | Self::Recovery => "logins",
        })
    }
}

#[cfg(test)]
mod tests;
