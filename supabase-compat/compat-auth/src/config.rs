//! The settings of this service. Only the binary reads files and environment; each field names its
//! variable.

use std::time::Duration;

use compat_mail::SmtpConfig;

use crate::mail::{MailBrand, MailKind, TemplateOverrides};
use crate::provider::ProviderConfig;
use secrecy::SecretString;

mod hook;
mod mfa;
mod problems;
mod sms;

pub use hook::{Hook, HookTarget, HooksConfig};
pub use mfa::{MfaConfig, PasskeyConfig};
pub use sms::{SmsConfig, SmsProvider, TwilioConfig};

/// Everything an operator may decide. `Default` is a safe development set-up: e-mail sign-up with
/// confirmation.
#[derive(Debug, Clone)]
pub struct Config {
    /// The path below the public address where this service is mounted, without a slash at its end;
    /// given by whoever mounts it, since every link begins with it.
    pub mount: String,
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
    /// Passkeys and security keys.
    pub passkey: PasskeyConfig,
    /// `GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`.
    pub manual_linking_enabled: bool,
    /// Outside providers that are switched on (`GOTRUE_EXTERNAL_<NAME>_*`).
    pub providers: Vec<ProviderConfig>,
    /// `GOTRUE_CUSTOM_OAUTH_ENABLED`: whether administrators may add providers at run time.
    pub custom_providers_enabled: bool,
    /// `GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS`; nought is no limit.
    pub max_custom_providers: i64,
    /// `GOTRUE_SECURITY_CAPTCHA_*`; `None` is off.
    pub captcha: Option<CaptchaConfig>,
    /// Being a provider ourselves.
    pub oauth_server: OauthServerConfig,
    /// Where an operator's own code has a say (`GOTRUE_HOOK_*`).
    pub hooks: HooksConfig,
    /// `GOTRUE_AUDIT_LOG_DISABLE_POSTGRES`.
    pub audit_log_disabled: bool,
    /// `AUDIT_LOG_RETENTION_DAYS`: days its entries are kept; `None` is for ever, as the original
    /// keeps them.
    pub audit_log_days: Option<u32>,
    /// Requests per client address.
    pub limits: LimitConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            mount: String::new(),
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
            passkey: PasskeyConfig::default(),
            manual_linking_enabled: false,
            providers: Vec::new(),
            custom_providers_enabled: true,
            max_custom_providers: 0,
            captcha: None,
            oauth_server: OauthServerConfig::default(),
            hooks: HooksConfig::default(),
            audit_log_disabled: false,
            audit_log_days: None,
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
    /// `GOTRUE_RATE_LIMIT_EMAIL_SENT`: mails per hour from the whole installation; `None` is no
    /// limit.
    pub sent_per_hour: Option<u32>,
    /// `GOTRUE_MAILER_URLPATHS_*`: what follows the public address in links, by kind.
    pub url_paths: UrlPaths,
    /// `GOTRUE_MAILER_EXTERNAL_HOSTS`: hosts that links may lead to when the request was forwarded
    /// from there.
    pub external_hosts: Vec<String>,
    /// `GOTRUE_MAILER_NOTIFICATIONS_*_ENABLED`: mails that tell of something that happened.
    pub notices: Vec<MailKind>,
    /// `GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING`: answers do not wait for the relay, so that how
    /// long one takes says nothing of who is known; a mail that cannot be sent is tried again
    /// later.
    pub background_sending: bool,
    /// `GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES`: the only addresses that are mailed to; none is
    /// no limit.
    pub authorized_addresses: Vec<String>,
    /// The language of mails to people whose metadata names none: `en`, `fr` or `es`.
    pub default_language: String,
    /// Whose mails the built-in ones are.
    pub brand: MailBrand,
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
            url_paths: UrlPaths::default(),
            external_hosts: Vec::new(),
            notices: Vec::new(),
            background_sending: false,
            authorized_addresses: Vec::new(),
            default_language: "en".to_owned(),
            brand: MailBrand::default(),
            smtp: None,
            templates: TemplateOverrides::default(),
        }
    }
}

/// The path of each kind of link, below the public address; the mount may be part of it or not.
#[derive(Debug, Clone)]
pub struct UrlPaths {
    /// `GOTRUE_MAILER_URLPATHS_CONFIRMATION`.
    pub confirmation: String,
    /// `GOTRUE_MAILER_URLPATHS_INVITE`.
    pub invite: String,
    /// `GOTRUE_MAILER_URLPATHS_RECOVERY`; magic links use it too.
    pub recovery: String,
    /// `GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE`.
    pub email_change: String,
}

impl Default for UrlPaths {
    fn default() -> Self {
        let path = || "/verify".to_owned();
        Self { confirmation: path(), invite: path(), recovery: path(), email_change: path() }
    }
}

/// Passwords.
#[derive(Debug, Clone)]
pub struct PasswordConfig {
    /// `GOTRUE_PASSWORD_MIN_LENGTH`.
    pub min_length: usize,
    /// `GOTRUE_PASSWORD_REQUIRED_CHARACTERS`: sets of characters separated by `:`; `\:` is a colon.
    pub required_characters: String,
    /// `GOTRUE_PASSWORD_HIBP_ENABLED`: whether known stolen passwords are refused.
    pub hibp_enabled: bool,
    /// `GOTRUE_PASSWORD_HIBP_FAIL_CLOSED`: whether none is taken while the list cannot be asked.
    pub hibp_fail_closed: bool,
    /// `COMPAT_HIBP_URL`: where the list is asked.
    pub hibp_url: String,
    /// `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`.
    pub update_requires_reauthentication: bool,
    /// `GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`.
    pub update_requires_current: bool,
    /// `PASSWORD_UPGRADE_HASHES`: whether a hash of an older kind is replaced at the next sign-in.
    pub upgrade_hashes: bool,
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
            hibp_enabled: false,
            hibp_fail_closed: false,
            hibp_url: "https://api.pwnedpasswords.com".to_owned(),
            update_requires_reauthentication: false,
            update_requires_current: false,
            upgrade_hashes: true,
            argon2_memory_kib: 19_456,
            argon2_passes: 2,
            concurrent_hashes: None,
        }
    }
}

/// How long people stay signed in.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`: a detected theft revokes the session's
    /// tokens.
    pub rotation_enabled: bool,
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`.
    pub reuse_interval: Duration,
    /// `GOTRUE_SESSIONS_TIMEBOX`: the longest life of a session.
    pub timebox: Option<Duration>,
    /// `GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`.
    pub inactivity_timeout: Option<Duration>,
    /// `GOTRUE_SESSIONS_SINGLE_PER_USER`.
    pub single_per_user: bool,
    /// `GOTRUE_SESSIONS_TAGS`: with one session per user, one for each of these tags
    /// (`sessions.tag`); a session with another tag counts for the first.
    pub tags: Vec<String>,
    /// `GOTRUE_SESSIONS_ALLOW_LOW_AAL`: how long somebody with a second factor may go on without
    /// having used it.
    pub allow_low_aal: Option<Duration>,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            rotation_enabled: true,
            reuse_interval: Duration::from_secs(10),
            timebox: None,
            inactivity_timeout: None,
            single_per_user: false,
            tags: Vec::new(),
            allow_low_aal: None,
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
    /// `GOTRUE_RATE_LIMIT_OTP`, per five minutes: sign-up, recover, resend, magic link, otp, user
    /// update.
    pub otp: u32,
    /// `GOTRUE_RATE_LIMIT_VERIFY`, per five minutes.
    pub verify: u32,
    /// `GOTRUE_RATE_LIMIT_TOKEN_REFRESH`, per five minutes: every grant of `/token`.
    pub token: u32,
    /// `GOTRUE_RATE_LIMIT_ANONYMOUS_USERS`, per hour.
    pub anonymous: u32,
    /// `GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`, per minute.
    pub mfa: u32,
    /// `GOTRUE_RATE_LIMIT_PASSKEY`, per five minutes.
    pub passkey: u32,
    /// `GOTRUE_RATE_LIMIT_SSO`, per five minutes.
    pub sso: u32,
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
            passkey: 30,
            sso: 30,
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
