//! Second factors and passkeys.

use std::time::Duration;

/// Second factors.
#[derive(Debug, Clone)]
pub struct MfaConfig {
    /// `GOTRUE_MFA_TOTP_ENROLL_ENABLED`.
    pub totp_enroll_enabled: bool,
    /// `GOTRUE_MFA_TOTP_VERIFY_ENABLED`.
    pub totp_verify_enabled: bool,
    /// `GOTRUE_MFA_PHONE_ENROLL_ENABLED`.
    pub phone_enroll_enabled: bool,
    /// `GOTRUE_MFA_PHONE_VERIFY_ENABLED`.
    pub phone_verify_enabled: bool,
    /// `GOTRUE_MFA_PHONE_OTP_LENGTH`, 6 to 10 digits.
    pub phone_otp_length: usize,
    /// `GOTRUE_MFA_PHONE_TEMPLATE`; `{{ .Code }}` is the code.
    pub phone_template: String,
    /// `GOTRUE_MFA_PHONE_MAX_FREQUENCY`: the shortest time between two messages to one factor.
    pub phone_max_frequency: Duration,
    /// `GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED`.
    pub webauthn_enroll_enabled: bool,
    /// `GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED`.
    pub webauthn_verify_enabled: bool,
    /// `GOTRUE_MFA_MAX_ENROLLED_FACTORS`.
    pub max_enrolled_factors: usize,
    /// `GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION`.
    pub challenge_expiry: Duration,
    /// `GOTRUE_MFA_FACTOR_EXPIRY_DURATION`: after how long an unfinished enrolment is deleted.
    pub factor_expiry: Duration,
}

impl Default for MfaConfig {
    fn default() -> Self {
        Self {
            totp_enroll_enabled: true,
            totp_verify_enabled: true,
            phone_enroll_enabled: false,
            phone_verify_enabled: false,
            phone_otp_length: 6,
            phone_template: "Your code is {{ .Code }}".to_owned(),
            phone_max_frequency: Duration::from_secs(60),
            webauthn_enroll_enabled: false,
            webauthn_verify_enabled: false,
            max_enrolled_factors: 10,
            challenge_expiry: Duration::from_secs(300),
            factor_expiry: Duration::from_secs(300),
        }
    }
}

/// Passkeys, and the relying party that they share with security keys as second factors.
#[derive(Debug, Clone)]
pub struct PasskeyConfig {
    /// `GOTRUE_PASSKEY_ENABLED`: whether a passkey alone can sign a person in.
    pub enabled: bool,
    /// `GOTRUE_WEBAUTHN_RP_ID`: the domain that credentials belong to; `None` is the site's host.
    pub rp_id: Option<String>,
    /// `GOTRUE_WEBAUTHN_RP_DISPLAY_NAME`; `None` is the domain.
    pub rp_display_name: Option<String>,
    /// `GOTRUE_WEBAUTHN_RP_ORIGINS`: the origins that may use the credentials; empty is the site's
    /// own origin.
    pub rp_origins: Vec<String>,
    /// The maximum number of passkeys per person.
    pub max_per_user: i64,
    /// How long a ceremony may take.
    pub challenge_expiry: Duration,
}

impl Default for PasskeyConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            rp_id: None,
            rp_display_name: None,
            rp_origins: Vec::new(),
            max_per_user: 10,
            challenge_expiry: Duration::from_secs(300),
        }
    }
}
