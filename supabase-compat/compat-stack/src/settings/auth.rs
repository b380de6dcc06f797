//! Settings of auth/v1: `GOTRUE_*`, the names of the stock compose file, and `[auth]`.

use compat_auth::{Config, LimitConfig, MfaConfig, PasskeyConfig, PasswordConfig, SessionConfig};

use super::reader::Reader;

mod external;
mod mail;
mod phone;
#[cfg(test)]
mod tests;
mod values;

use values::{otp_length, password_length, requirement_sets};

/// Reads all settings of auth/v1. The site's address stays empty by default: pages and services
/// then share one origin, which is known once the port is open.
pub fn read(reader: &mut Reader, production: bool) -> Config {
    let mut config = Config {
        site_url: String::new(),
        email: mail::email(reader, production),
        sms: phone::sms(reader),
        password: password(reader),
        session: session(reader),
        mfa: mfa(reader),
        passkey: passkey(reader),
        limits: limits(reader, production),
        providers: external::providers(reader),
        captcha: external::captcha(reader),
        oauth_server: external::oauth_server(reader),
        hooks: external::hooks(reader),
        ..Config::default()
    };
    accounts(reader, &mut config);
    tokens(reader, &mut config);
    reader.refuse_all(config.problems());
    config
}

/// Reads who may sign up and where sign-ins redirect to.
fn accounts(reader: &mut Reader, config: &mut Config) {
    reader.over(&mut config.site_url, &["GOTRUE_SITE_URL", "SITE_URL"], "auth.site_url");
    reader.over(
        &mut config.uri_allow_list,
        &["GOTRUE_URI_ALLOW_LIST", "ADDITIONAL_REDIRECT_URLS"],
        "auth.additional_redirect_urls",
    );
    // The key of a project's file is the opposite of GoTrue's variable, which is read later and
    // takes precedence.
    reader.over_not(&mut config.disable_signup, &[], "auth.enable_signup");
    reader.over(
        &mut config.disable_signup,
        &["GOTRUE_DISABLE_SIGNUP", "DISABLE_SIGNUP"],
        "auth.disable_signup",
    );
    reader.over(
        &mut config.phone_enabled,
        &["GOTRUE_EXTERNAL_PHONE_ENABLED", "ENABLE_PHONE_SIGNUP"],
        "auth.sms.enable_signup",
    );
    reader.over_not(&mut config.sms_autoconfirm, &[], "auth.sms.enable_confirmations");
    reader.over(
        &mut config.sms_autoconfirm,
        &["GOTRUE_SMS_AUTOCONFIRM", "ENABLE_PHONE_AUTOCONFIRM"],
        "auth.sms.autoconfirm",
    );
    reader.over(
        &mut config.anonymous_users_enabled,
        &["GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "ENABLE_ANONYMOUS_USERS"],
        "auth.enable_anonymous_sign_ins",
    );
    reader.over(
        &mut config.manual_linking_enabled,
        &["GOTRUE_SECURITY_MANUAL_LINKING_ENABLED"],
        "auth.enable_manual_linking",
    );
    reader.over(
        &mut config.audit_log_disabled,
        &["GOTRUE_AUDIT_LOG_DISABLE_POSTGRES"],
        "auth.audit_log_disabled",
    );
    config.audit_log_days = reader.get(&["AUDIT_LOG_RETENTION_DAYS"], "retention.audit_log_days");
    reader.over(
        &mut config.custom_providers_enabled,
        &["GOTRUE_CUSTOM_OAUTH_ENABLED"],
        "auth.custom_oauth.enabled",
    );
    reader.over(
        &mut config.max_custom_providers,
        &["GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS"],
        "auth.custom_oauth.max_providers",
    );
}

/// Reads the claims and the lifetime of tokens.
fn tokens(reader: &mut Reader, config: &mut Config) {
    reader.over(&mut config.jwt_exp, &["GOTRUE_JWT_EXP", "JWT_EXPIRY"], "auth.jwt_expiry");
    reader.over(&mut config.jwt_aud, &["GOTRUE_JWT_AUD"], "auth.jwt_aud");
    reader.over(
        &mut config.jwt_default_group_name,
        &["GOTRUE_JWT_DEFAULT_GROUP_NAME"],
        "auth.jwt_default_group_name",
    );
    reader.over(&mut config.jwt_admin_roles, &["GOTRUE_JWT_ADMIN_ROLES"], "auth.jwt_admin_roles");
    reader.over(&mut config.jwt_issuer, &["GOTRUE_JWT_ISSUER"], "auth.jwt_issuer");
    reader.over(
        &mut config.flow_state_expiry,
        &["GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION"],
        "auth.flow_state_expiry",
    );
}

fn password(reader: &mut Reader) -> PasswordConfig {
    let mut config = PasswordConfig::default();
    reader.over_with(
        &mut config.min_length,
        &["GOTRUE_PASSWORD_MIN_LENGTH"],
        "auth.minimum_password_length",
        password_length,
    );
    // A project's file names sets of characters; GoTrue's variable lists the characters and takes
    // precedence.
    reader.over_with(
        &mut config.required_characters,
        &[],
        "auth.password_requirements",
        requirement_sets,
    );
    reader.over(
        &mut config.required_characters,
        &["GOTRUE_PASSWORD_REQUIRED_CHARACTERS"],
        "auth.password_required_characters",
    );
    reader.over(
        &mut config.update_requires_reauthentication,
        &["GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"],
        "auth.email.secure_password_change",
    );
    reader.over(
        &mut config.update_requires_current,
        &["GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"],
        "auth.email.require_current_password",
    );
    reader.over(
        &mut config.hibp_enabled,
        &["GOTRUE_PASSWORD_HIBP_ENABLED"],
        "auth.password_hibp.enabled",
    );
    reader.over(
        &mut config.hibp_fail_closed,
        &["GOTRUE_PASSWORD_HIBP_FAIL_CLOSED"],
        "auth.password_hibp.fail_closed",
    );
    reader.over(
        &mut config.upgrade_hashes,
        &["PASSWORD_UPGRADE_HASHES"],
        "auth.password_upgrade_hashes",
    );
    if let Some(url) = reader.text(&["COMPAT_HIBP_URL"], "auth.password_hibp.url") {
        config.hibp_url = url;
    }
    config
}

fn session(reader: &mut Reader) -> SessionConfig {
    let mut config = SessionConfig::default();
    reader.over(
        &mut config.rotation_enabled,
        &["GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED"],
        "auth.enable_refresh_token_rotation",
    );
    reader.over(
        &mut config.reuse_interval,
        &["GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL"],
        "auth.refresh_token_reuse_interval",
    );
    reader.over(&mut config.timebox, &["GOTRUE_SESSIONS_TIMEBOX"], "auth.sessions.timebox");
    reader.over(
        &mut config.inactivity_timeout,
        &["GOTRUE_SESSIONS_INACTIVITY_TIMEOUT"],
        "auth.sessions.inactivity_timeout",
    );
    reader.over(
        &mut config.single_per_user,
        &["GOTRUE_SESSIONS_SINGLE_PER_USER"],
        "auth.sessions.single_per_user",
    );
    reader.over(&mut config.tags, &["GOTRUE_SESSIONS_TAGS"], "auth.sessions.tags");
    reader.over(
        &mut config.allow_low_aal,
        &["GOTRUE_SESSIONS_ALLOW_LOW_AAL"],
        "auth.sessions.allow_low_aal",
    );
    config
}

fn mfa(reader: &mut Reader) -> MfaConfig {
    let mut config = MfaConfig::default();
    for (kind, enroll, verify) in [
        ("totp", &mut config.totp_enroll_enabled, &mut config.totp_verify_enabled),
        ("phone", &mut config.phone_enroll_enabled, &mut config.phone_verify_enabled),
        ("web_authn", &mut config.webauthn_enroll_enabled, &mut config.webauthn_verify_enabled),
    ] {
        for (field, action) in [(enroll, "enroll"), (verify, "verify")] {
            let variable = format!("GOTRUE_MFA_{kind}_{action}_ENABLED").to_uppercase();
            reader.over(field, &[&variable], &format!("auth.mfa.{kind}.{action}_enabled"));
        }
    }
    reader.over_with(
        &mut config.phone_otp_length,
        &["GOTRUE_MFA_PHONE_OTP_LENGTH"],
        "auth.mfa.phone.otp_length",
        otp_length,
    );
    if let Some(text) = reader.text(&["GOTRUE_MFA_PHONE_TEMPLATE"], "auth.mfa.phone.template") {
        config.phone_template = text;
    }
    reader.over(
        &mut config.phone_max_frequency,
        &["GOTRUE_MFA_PHONE_MAX_FREQUENCY"],
        "auth.mfa.phone.max_frequency",
    );
    reader.over(
        &mut config.max_enrolled_factors,
        &["GOTRUE_MFA_MAX_ENROLLED_FACTORS"],
        "auth.mfa.max_enrolled_factors",
    );
    reader.over(
        &mut config.challenge_expiry,
        &["GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION"],
        "auth.mfa.challenge_expiry",
    );
    reader.over(
        &mut config.factor_expiry,
        &["GOTRUE_MFA_FACTOR_EXPIRY_DURATION"],
        "auth.mfa.factor_expiry",
    );
    config
}

fn passkey(reader: &mut Reader) -> PasskeyConfig {
    let mut config = PasskeyConfig::default();
    reader.over(&mut config.enabled, &["GOTRUE_PASSKEY_ENABLED"], "auth.passkey.enabled");
    reader.over(&mut config.rp_id, &["GOTRUE_WEBAUTHN_RP_ID"], "auth.webauthn.rp_id");
    reader.over(
        &mut config.rp_display_name,
        &["GOTRUE_WEBAUTHN_RP_DISPLAY_NAME"],
        "auth.webauthn.rp_display_name",
    );
    let origins = "GOTRUE_WEBAUTHN_RP_ORIGINS";
    reader.over(&mut config.rp_origins, &[origins], "auth.webauthn.rp_origins");
    if config.rp_origins.iter().any(|origin| origin.parse::<url::Url>().is_err()) {
        reader.refuse(origins, "addresses");
    }
    config
}

fn limits(reader: &mut Reader, production: bool) -> LimitConfig {
    let mut config = LimitConfig::default();
    // The original limits only if a setting names the header with the client's address. Here the
    // address is always known, so production limits by default.
    let names_clients = reader.text(&["GOTRUE_RATE_LIMIT_HEADER"], "auth.rate_limit.header");
    config.enabled |= names_clients.is_some() || production;
    reader.over(&mut config.enabled, &["COMPAT_RATE_LIMITS"], "auth.rate_limit.enabled");
    reader.over(&mut config.per_account, &["COMPAT_RATE_LIMIT_GUESSES"], "auth.rate_limit.guesses");
    for (field, variable, key) in [
        (&mut config.otp, "RATE_LIMIT_OTP", "sign_in_sign_ups"),
        (&mut config.verify, "RATE_LIMIT_VERIFY", "token_verifications"),
        (&mut config.token, "RATE_LIMIT_TOKEN_REFRESH", "token_refresh"),
        (&mut config.anonymous, "RATE_LIMIT_ANONYMOUS_USERS", "anonymous_users"),
        (&mut config.mfa, "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "mfa"),
        (&mut config.passkey, "RATE_LIMIT_PASSKEY", "passkey"),
        (&mut config.sso, "RATE_LIMIT_SSO", "sso"),
    ] {
        reader.over(field, &[&format!("GOTRUE_{variable}")], &format!("auth.rate_limit.{key}"));
    }
    config
}
