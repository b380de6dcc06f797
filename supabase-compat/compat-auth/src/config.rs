//! The settings of this service. Only the binary reads files and environment; each field names its variable.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::mail::{SmtpConfig, TemplateOverrides};
use crate::provider::ProviderConfig;
use secrecy::{SecretSlice, SecretString};

/// Everything an operator may decide. `Default` is a safe development set-up: e-mail sign-up with confirmation.
#[derive(Debug, Clone)]
pub struct Config {
    /// `GOTRUE_SITE_URL` / `SITE_URL`: where people land when no allowed redirect was asked for.
    pub site_url: String,
    /// `GOTRUE_URI_ALLOW_LIST` / `ADDITIONAL_REDIRECT_URLS`: globs of further allowed redirects.
    pub uri_allow_list: Vec<String>,
    /// `GOTRUE_DISABLE_SIGNUP` / `DISABLE_SIGNUP`.
    pub disable_signup: bool,
    /// `GOTRUE_JWT_EXP` / `JWT_EXPIRY`: lifetime of access tokens, in seconds.
    pub jwt_exp: i64,
    /// `GOTRUE_JWT_AUD`.
    pub jwt_aud: String,
    /// `GOTRUE_JWT_DEFAULT_GROUP_NAME`: the database role of new users.
    pub jwt_default_group_name: String,
    /// `GOTRUE_JWT_ADMIN_ROLES`.
    pub jwt_admin_roles: Vec<String>,
    /// `GOTRUE_JWT_ISSUER`; `None` derives it from the public address.
    pub jwt_issuer: Option<String>,
    /// E-mail sign-up, sign-in and links.
    pub email: EmailConfig,
    /// `GOTRUE_EXTERNAL_PHONE_ENABLED` / `ENABLE_PHONE_SIGNUP`.
    pub phone_enabled: bool,
    /// `GOTRUE_SMS_AUTOCONFIRM` / `ENABLE_PHONE_AUTOCONFIRM`.
    pub sms_autoconfirm: bool,
    /// Codes by text message.
    pub sms: SmsConfig,
    /// `GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED` / `ENABLE_ANONYMOUS_USERS`.
    pub anonymous_users_enabled: bool,
    /// `GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION`.
    pub flow_state_expiry: Duration,
    /// What a password must be, and what hashing it costs.
    pub password: PasswordConfig,
    /// Sessions and refresh tokens.
    pub session: SessionConfig,
    /// Second factors.
    pub mfa: MfaConfig,
    /// `GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`.
    pub manual_linking_enabled: bool,
    /// Outside providers that are switched on (`GOTRUE_EXTERNAL_<NAME>_*`).
    pub providers: Vec<ProviderConfig>,
    /// `GOTRUE_SECURITY_CAPTCHA_*`; `None` is off.
    pub captcha: Option<CaptchaConfig>,
    /// Being a provider ourselves.
    pub oauth_server: OauthServerConfig,
    /// Where an operator's own code has a say (`GOTRUE_HOOK_*`).
    pub hooks: HooksConfig,
    /// `GOTRUE_AUDIT_LOG_DISABLE_POSTGRES`.
    pub audit_log_disabled: bool,
    /// Requests per client address.
    pub limits: LimitConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            site_url: "http://localhost:3000".to_owned(),
            uri_allow_list: Vec::new(),
            disable_signup: false,
            jwt_exp: 3600,
            jwt_aud: "authenticated".to_owned(),
            jwt_default_group_name: "authenticated".to_owned(),
            jwt_admin_roles: vec!["service_role".to_owned(), "supabase_admin".to_owned()],
            jwt_issuer: None,
            email: EmailConfig::default(),
            phone_enabled: false,
            sms_autoconfirm: false,
            sms: SmsConfig::default(),
            anonymous_users_enabled: false,
            flow_state_expiry: Duration::from_secs(300),
            password: PasswordConfig::default(),
            session: SessionConfig::default(),
            mfa: MfaConfig::default(),
            manual_linking_enabled: false,
            providers: Vec::new(),
            captcha: None,
            oauth_server: OauthServerConfig::default(),
            hooks: HooksConfig::default(),
            audit_log_disabled: false,
            limits: LimitConfig::default(),
        }
    }
}

/// E-mail as a way in.
#[derive(Debug, Clone)]
pub struct EmailConfig {
    /// `GOTRUE_EXTERNAL_EMAIL_ENABLED` / `ENABLE_EMAIL_SIGNUP`.
    pub enabled: bool,
    /// `GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`.
    pub magic_link_enabled: bool,
    /// `GOTRUE_MAILER_AUTOCONFIRM` / `ENABLE_EMAIL_AUTOCONFIRM`.
    pub autoconfirm: bool,
    /// `GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED`: both addresses confirm a change.
    pub secure_change_enabled: bool,
    /// `GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`.
    pub allow_unverified_sign_ins: bool,
    /// `GOTRUE_MAILER_OTP_EXP`: lifetime of mailed codes and links.
    pub otp_expiry: Duration,
    /// `GOTRUE_MAILER_OTP_LENGTH`, 6 to 10 digits.
    pub otp_length: usize,
    /// `GOTRUE_SMTP_MAX_FREQUENCY`: least time between two mails of one kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_RATE_LIMIT_EMAIL_SENT`: mails per hour from the whole installation; `None` is no limit.
    pub sent_per_hour: Option<u32>,
    /// `GOTRUE_MAILER_URLPATHS_*`, one for all kinds: what follows the public address in links.
    pub url_path: String,
    /// The language of mails to people whose metadata names none: `en`, `fr` or `es`.
    pub default_language: String,
    /// `GOTRUE_SMTP_*`; `None` captures mails instead of sending them.
    pub smtp: Option<SmtpConfig>,
    /// `GOTRUE_MAILER_TEMPLATES_*` and `GOTRUE_MAILER_SUBJECTS_*`, already read.
    pub templates: TemplateOverrides,
}

impl Default for EmailConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            magic_link_enabled: true,
            autoconfirm: false,
            secure_change_enabled: true,
            allow_unverified_sign_ins: false,
            otp_expiry: Duration::from_secs(86_400),
            otp_length: 6,
            max_frequency: Duration::from_secs(60),
            sent_per_hour: None,
            url_path: "/auth/v1/verify".to_owned(),
            default_language: "en".to_owned(),
            smtp: None,
            templates: TemplateOverrides::default(),
        }
    }
}

/// Passwords.
#[derive(Debug, Clone)]
pub struct PasswordConfig {
    /// `GOTRUE_PASSWORD_MIN_LENGTH`.
    pub min_length: usize,
    /// `GOTRUE_PASSWORD_REQUIRED_CHARACTERS`: sets of characters separated by `:`; `\:` is a colon.
    pub required_characters: String,
    /// `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`.
    pub update_requires_reauthentication: bool,
    /// `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`.
    pub update_requires_current: bool,
    /// Memory of one argon2id hash, in KiB (OWASP's recommendation by default).
    pub argon2_memory_kib: u32,
    /// Passes of one argon2id hash.
    pub argon2_passes: u32,
    /// Hashes computed at once; the rest queue. `None`: one per core.
    pub concurrent_hashes: Option<usize>,
}

impl Default for PasswordConfig {
    fn default() -> Self {
        Self {
            min_length: 6,
            required_characters: String::new(),
            update_requires_reauthentication: false,
            update_requires_current: false,
            argon2_memory_kib: 19_456,
            argon2_passes: 2,
            concurrent_hashes: None,
        }
    }
}

/// How long people stay signed in.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`: a detected theft revokes the session's tokens.
    pub rotation_enabled: bool,
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`.
    pub reuse_interval: Duration,
    /// `GOTRUE_SESSIONS_TIMEBOX`: the longest life of a session.
    pub timebox: Option<Duration>,
    /// `GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`.
    pub inactivity_timeout: Option<Duration>,
    /// `GOTRUE_SESSIONS_SINGLE_PER_USER`.
    pub single_per_user: bool,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            rotation_enabled: true,
            reuse_interval: Duration::from_secs(10),
            timebox: None,
            inactivity_timeout: None,
            single_per_user: false,
        }
    }
}

/// Second factors.
#[derive(Debug, Clone)]
pub struct MfaConfig {
    /// `GOTRUE_MFA_TOTP_ENROLL_ENABLED`.
    pub totp_enroll_enabled: bool,
    /// `GOTRUE_MFA_TOTP_VERIFY_ENABLED`.
    pub totp_verify_enabled: bool,
    /// `GOTRUE_MFA_MAX_ENROLLED_FACTORS`.
    pub max_enrolled_factors: usize,
    /// `GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION`.
    pub challenge_expiry: Duration,
    /// `GOTRUE_MFA_FACTOR_EXPIRY_DURATION`: when an enrolment nobody finished is forgotten.
    pub factor_expiry: Duration,
}

impl Default for MfaConfig {
    fn default() -> Self {
        Self {
            totp_enroll_enabled: true,
            totp_verify_enabled: true,
            max_enrolled_factors: 10,
            challenge_expiry: Duration::from_secs(300),
            factor_expiry: Duration::from_secs(300),
        }
    }
}

/// Requests per client address; each kind of endpoint has its own bucket of thirty.
#[derive(Debug, Clone)]
pub struct LimitConfig {
    /// Whether any of these holds (upstream: whether `GOTRUE_RATE_LIMIT_HEADER` is set).
    pub enabled: bool,
    /// Whether wrong passwords and codes are counted per account, whatever address they come from.
    pub per_account: bool,
    /// `GOTRUE_RATE_LIMIT_OTP`, per five minutes: sign-up, recover, resend, magic link, otp, user update.
    pub otp: u32,
    /// `GOTRUE_RATE_LIMIT_VERIFY`, per five minutes.
    pub verify: u32,
    /// `GOTRUE_RATE_LIMIT_TOKEN_REFRESH`, per five minutes: every grant of `/token`.
    pub token: u32,
    /// `GOTRUE_RATE_LIMIT_ANONYMOUS_USERS`, per hour.
    pub anonymous: u32,
    /// `GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`, per minute.
    pub mfa: u32,
}

impl Default for LimitConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            per_account: true,
            otp: 30,
            verify: 30,
            token: 150,
            anonymous: 30,
            mfa: 15,
        }
    }
}

/// Proof that a person asks, on the endpoints that create accounts or send mail.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `GOTRUE_SECURITY_CAPTCHA_PROVIDER`.
    pub provider: CaptchaProvider,
    /// `GOTRUE_SECURITY_CAPTCHA_SECRET`.
    pub secret: SecretString,
    /// `GOTRUE_SECURITY_CAPTCHA_TIMEOUT`.
    pub timeout: Duration,
    /// Where answers are judged; `None` is the provider's own address.
    pub siteverify_url: Option<String>,
}

/// Who judges the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// Proof of work that we pose ourselves (`GET /captcha`).
    Altcha,
    Hcaptcha,
    Turnstile,
}

/// The OAuth 2.1 server.
#[derive(Debug, Clone)]
pub struct OauthServerConfig {
    /// `GOTRUE_OAUTH_SERVER_ENABLED`.
    pub enabled: bool,
    /// `GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION`.
    pub allow_dynamic_registration: bool,
    /// `GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH`: the consent page, below the site's address.
    pub authorization_path: String,
    /// `GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL`.
    pub authorization_ttl: Duration,
    /// `GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE`.
    pub default_scope: String,
}

impl Default for OauthServerConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            allow_dynamic_registration: false,
            authorization_path: "/oauth/consent".to_owned(),
            authorization_ttl: Duration::from_secs(600),
            default_scope: "email".to_owned(),
        }
    }
}

/// Hooks, each off unless it has a target.
#[derive(Debug, Clone, Default)]
pub struct HooksConfig {
    /// `GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_*`.
    pub custom_access_token: Option<Hook>,
    /// `GOTRUE_HOOK_BEFORE_USER_CREATED_*`.
    pub before_user_created: Option<Hook>,
    /// `GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_*`.
    pub password_verification_attempt: Option<Hook>,
    /// `GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_*`.
    pub mfa_verification_attempt: Option<Hook>,
}

/// One hook.
#[derive(Debug, Clone)]
pub struct Hook {
    /// `GOTRUE_HOOK_<NAME>_URI`.
    pub target: HookTarget,
    /// `GOTRUE_HOOK_<NAME>_SECRETS`: the keys behind `v1,whsec_`, decoded; the first signs, for HTTP only.
    pub secrets: Vec<SecretSlice<u8>>,
}

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookTarget {
    /// A function of the database, `schema.name`, from one jsonb to one jsonb.
    Function { name: String },
    /// An address.
    Http { url: String },
}

impl Hook {
    /// Reads the two settings of a hook.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(uri: &str, secrets: &str) -> Result<Self, String> {
        let url = url::Url::parse(uri).map_err(|error| error.to_string())?;
        if url.scheme() == "pg-functions" {
            let parts: Vec<&str> = url.path_segments().into_iter().flatten().collect();
            let [schema, function] = parts[..] else {
                return Err("expected pg-functions://postgres/<schema>/<function>".to_owned());
            };
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            let name = format!("{}.{}", quoted(schema), quoted(function));
            return Ok(Self { target: HookTarget::Function { name }, secrets: Vec::new() });
        }
        let local =
            matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "host.docker.internal"));
        if url.scheme() != "https" && !(url.scheme() == "http" && local) {
            return Err("expected https, or http on this host".to_owned());
        }
        let secrets = secrets.split('|').map(secret).collect::<Option<Vec<_>>>();
        let secrets = secrets.ok_or("expected secrets of the form v1,whsec_<base64>")?;
        Ok(Self { target: HookTarget::Http { url: uri.to_owned() }, secrets })
    }
}

fn secret(text: &str) -> Option<SecretSlice<u8>> {
    use base64::Engine as _;
    let encoded = text.trim().strip_prefix("v1,whsec_")?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).ok()?;
    Some(bytes.into())
}

/// Codes by text message.
#[derive(Debug, Clone)]
pub struct SmsConfig {
    /// `GOTRUE_SMS_PROVIDER`; `None` reaches test numbers only.
    pub provider: Option<SmsProvider>,
    /// `GOTRUE_SMS_OTP_EXP`.
    pub otp_expiry: Duration,
    /// `GOTRUE_SMS_OTP_LENGTH`, 6 to 10 digits.
    pub otp_length: usize,
    /// `GOTRUE_SMS_MAX_FREQUENCY`: least time between two messages of one kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_SMS_TEMPLATE`; `{{ .Code }}` is the code.
    pub template: String,
    /// `GOTRUE_SMS_TEST_OTP`: numbers to which nothing is sent, with their codes.
    pub test_otp: BTreeMap<String, String>,
    /// `GOTRUE_SMS_TEST_OTP_VALID_UNTIL`.
    pub test_otp_valid_until: Option<DateTime<Utc>>,
}

impl Default for SmsConfig {
    fn default() -> Self {
        Self {
            provider: None,
            otp_expiry: Duration::from_secs(60),
            otp_length: 6,
            max_frequency: Duration::from_secs(60),
            template: "Your code is {{ .Code }}".to_owned(),
            test_otp: BTreeMap::new(),
            test_otp_valid_until: None,
        }
    }
}

/// Who takes text messages.
#[derive(Debug, Clone)]
pub enum SmsProvider {
    Twilio(TwilioConfig),
}

/// Twilio, or whoever speaks like it.
#[derive(Debug, Clone)]
pub struct TwilioConfig {
    /// `GOTRUE_SMS_TWILIO_ACCOUNT_SID`.
    pub account_sid: String,
    /// `GOTRUE_SMS_TWILIO_AUTH_TOKEN`.
    pub auth_token: SecretString,
    /// `GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID`: a service, or a number.
    pub sender: String,
    /// `COMPAT_SMS_TWILIO_URL`: another address that speaks like Twilio.
    pub base_url: Option<String>,
}
