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

/// All settings. `Default` is a safe development set-up: e-mail sign-up with confirmation.
#[derive(Debug, Clone)]
pub struct Config {
    /// The path below the public address at which this service is mounted, without a trailing
    /// slash. The caller that mounts it sets this path, because every link begins with it.
    pub mount: String,
    /// `GOTRUE_SITE_URL` / `SITE_URL`: where browsers are redirected to unless the request names an
    /// allowed redirect.
    pub site_url: String,
    /// `GOTRUE_URI_ALLOW_LIST` / `ADDITIONAL_REDIRECT_URLS`: glob patterns of other allowed
    /// redirects.
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
    /// Rules of passwords, and the cost of their hashes.
    pub password: PasswordConfig,
    /// Sessions and refresh tokens.
    pub session: SessionConfig,
    /// Second factors.
    pub mfa: MfaConfig,
    /// Passkeys and security keys.
    pub passkey: PasskeyConfig,
    /// `GOTRUE_SECURITY_MANUAL_LINKING_ENABLED`.
    pub manual_linking_enabled: bool,
    /// The external providers that are switched on (`GOTRUE_EXTERNAL_<NAME>_*`).
    pub providers: Vec<ProviderConfig>,
    /// `GOTRUE_CUSTOM_OAUTH_ENABLED`: whether administrators may add providers at run time.
    pub custom_providers_enabled: bool,
    /// `GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS`; 0 is no limit.
    pub max_custom_providers: i64,
    /// `GOTRUE_SECURITY_CAPTCHA_*`; `None` is off.
    pub captcha: Option<CaptchaConfig>,
    /// The OAuth 2.1 server, with which applications sign people in through this service.
    pub oauth_server: OauthServerConfig,
    /// The operator's hooks (`GOTRUE_HOOK_*`).
    pub hooks: HooksConfig,
    /// `GOTRUE_AUDIT_LOG_DISABLE_POSTGRES`.
    pub audit_log_disabled: bool,
    /// `AUDIT_LOG_RETENTION_DAYS`: how many days entries of the audit log are kept; `None` keeps
    /// them for ever, as the original does.
    pub audit_log_days: Option<u32>,
    /// Rate limits of requests per client address.
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

/// Sign-up, sign-in and links by e-mail.
#[derive(Debug, Clone)]
pub struct EmailConfig {
    /// `GOTRUE_EXTERNAL_EMAIL_ENABLED` / `ENABLE_EMAIL_SIGNUP`.
    pub enabled: bool,
    /// `GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`.
    pub magic_link_enabled: bool,
    /// `GOTRUE_MAILER_AUTOCONFIRM` / `ENABLE_EMAIL_AUTOCONFIRM`.
    pub autoconfirm: bool,
    /// `GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED`: whether both addresses must confirm a change.
    pub secure_change_enabled: bool,
    /// `GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`.
    pub allow_unverified_sign_ins: bool,
    /// `GOTRUE_MAILER_OTP_EXP`: lifetime of mailed codes and links.
    pub otp_expiry: Duration,
    /// `GOTRUE_MAILER_OTP_LENGTH`, 6 to 10 digits.
    pub otp_length: usize,
    /// `GOTRUE_SMTP_MAX_FREQUENCY`: the shortest time between two mails of one kind to one user.
    pub max_frequency: Duration,
    /// `GOTRUE_RATE_LIMIT_EMAIL_SENT`: mails per hour of the whole installation; `None` is no
    /// limit.
    pub sent_per_hour: Option<u32>,
    /// `GOTRUE_MAILER_URLPATHS_*`: the paths of links below the public address, by kind.
    pub url_paths: UrlPaths,
    /// `GOTRUE_MAILER_EXTERNAL_HOSTS`: hosts that links may point to when a proxy forwarded the
    /// request for that host.
    pub external_hosts: Vec<String>,
    /// `GOTRUE_MAILER_NOTIFICATIONS_*_ENABLED`: the notices that are sent, mails about changes to
    /// an account.
    pub notices: Vec<MailKind>,
    /// `GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING`: responses do not wait for the relay, so that their
    /// duration does not reveal whether an address is known. A mail that cannot be sent is retried
    /// later.
    pub background_sending: bool,
    /// `GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES`: the only addresses to which mails are sent;
    /// empty is no limit.
    pub authorized_addresses: Vec<String>,
    /// The language of mails to people whose metadata names no language: `en`, `fr` or `es`.
    pub default_language: String,
    /// The brand in the built-in mails.
    pub brand: MailBrand,
    /// `GOTRUE_SMTP_*`; `None` captures mails instead of sending them.
    pub smtp: Option<SmtpConfig>,
    /// The content of `GOTRUE_MAILER_TEMPLATES_*` and `GOTRUE_MAILER_SUBJECTS_*`.
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

/// The path of each kind of link below the public address, with or without the mount path.
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

/// Rules of passwords and their hashes.
#[derive(Debug, Clone)]
pub struct PasswordConfig {
    /// `GOTRUE_PASSWORD_MIN_LENGTH`.
    pub min_length: usize,
    /// `GOTRUE_PASSWORD_REQUIRED_CHARACTERS`: sets of characters separated by `:`; `\:` is a colon.
    pub required_characters: String,
    /// `GOTRUE_PASSWORD_HIBP_ENABLED`: whether passwords on the list of leaked passwords are
    /// refused.
    pub hibp_enabled: bool,
    /// `GOTRUE_PASSWORD_HIBP_FAIL_CLOSED`: whether every new password is refused while the list is
    /// unavailable.
    pub hibp_fail_closed: bool,
    /// `COMPAT_HIBP_URL`: the address of the list.
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
    /// The number of hashes computed at the same time; others wait. `None` is one per core.
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
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`: whether reuse of a refresh token, a sign
    /// of theft, revokes all tokens of its session.
    pub rotation_enabled: bool,
    /// `GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`.
    pub reuse_interval: Duration,
    /// `GOTRUE_SESSIONS_TIMEBOX`: the maximum lifetime of a session.
    pub timebox: Option<Duration>,
    /// `GOTRUE_SESSIONS_INACTIVITY_TIMEOUT`.
    pub inactivity_timeout: Option<Duration>,
    /// `GOTRUE_SESSIONS_SINGLE_PER_USER`.
    pub single_per_user: bool,
    /// `GOTRUE_SESSIONS_TAGS`: with one session per user, the limit is one session for each of
    /// these tags (`sessions.tag`); a session with another tag counts as the first tag.
    pub tags: Vec<String>,
    /// `GOTRUE_SESSIONS_ALLOW_LOW_AAL`: how long a person with a second factor may continue a
    /// session without using it.
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

/// Rate limits per client address; each kind of endpoint has its own bucket of thirty requests.
#[derive(Debug, Clone)]
pub struct LimitConfig {
    /// Whether these limits apply (in the original: whether `GOTRUE_RATE_LIMIT_HEADER` is set).
    pub enabled: bool,
    /// Whether wrong passwords and codes are limited per account, whatever address they come from.
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

/// The captcha of the endpoints that create accounts or send mails.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `GOTRUE_SECURITY_CAPTCHA_PROVIDER`.
    pub provider: CaptchaProvider,
    /// `GOTRUE_SECURITY_CAPTCHA_SECRET`.
    pub secret: SecretString,
    /// `GOTRUE_SECURITY_CAPTCHA_TIMEOUT`.
    pub timeout: Duration,
    /// Where answers are checked; `None` is the provider's own address.
    pub siteverify_url: Option<String>,
}

/// The service that checks the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// Proof of work, with challenges that this service issues (`GET /captcha`).
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
    /// `GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH`: the path of the consent page below the site's
    /// address.
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
