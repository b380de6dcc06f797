//! Settings of auth/v1: `GOTRUE_*`, the names of the stock compose file, and `[auth]`.

use std::time::Duration;

use compat_auth::{Config, LimitConfig, MfaConfig, PasskeyConfig, PasswordConfig, SessionConfig};

use super::reader::{Reader, duration};

mod mail;
mod outside;

/// Reads everything auth/v1 can be told. The site's own address is empty where nothing is said of
/// it: pages and services share one origin then, which is known when a port was had.
pub fn read(reader: &mut Reader) -> Config {
    let default = Config::default();
    let signup_enabled = reader.boolean(&[], "auth.enable_signup");
    let sms_confirmations = reader.boolean(&[], "auth.sms.enable_confirmations");
    let config = Config {
        mount: "/auth/v1".to_owned(),
        site_url: reader
            .text(&["GOTRUE_SITE_URL", "SITE_URL"], "auth.site_url")
            .unwrap_or_default(),
        uri_allow_list: reader
            .list(
                &["GOTRUE_URI_ALLOW_LIST", "ADDITIONAL_REDIRECT_URLS"],
                "auth.additional_redirect_urls",
            )
            .unwrap_or(default.uri_allow_list),
        disable_signup: reader
            .boolean(&["GOTRUE_DISABLE_SIGNUP", "DISABLE_SIGNUP"], "auth.disable_signup")
            .or(signup_enabled.map(|enabled| !enabled))
            .unwrap_or(default.disable_signup),
        jwt_exp: reader
            .parsed(&["GOTRUE_JWT_EXP", "JWT_EXPIRY"], "auth.jwt_expiry")
            .unwrap_or(default.jwt_exp),
        jwt_aud: reader.text(&["GOTRUE_JWT_AUD"], "auth.jwt_aud").unwrap_or(default.jwt_aud),
        jwt_default_group_name: reader
            .text(&["GOTRUE_JWT_DEFAULT_GROUP_NAME"], "auth.jwt_default_group_name")
            .unwrap_or(default.jwt_default_group_name),
        jwt_admin_roles: reader
            .list(&["GOTRUE_JWT_ADMIN_ROLES"], "auth.jwt_admin_roles")
            .unwrap_or(default.jwt_admin_roles),
        jwt_issuer: reader.text(&["GOTRUE_JWT_ISSUER"], "auth.jwt_issuer"),
        email: mail::email(reader),
        phone_enabled: reader
            .boolean(
                &["GOTRUE_EXTERNAL_PHONE_ENABLED", "ENABLE_PHONE_SIGNUP"],
                "auth.sms.enable_signup",
            )
            .unwrap_or(default.phone_enabled),
        sms_autoconfirm: reader
            .boolean(
                &["GOTRUE_SMS_AUTOCONFIRM", "ENABLE_PHONE_AUTOCONFIRM"],
                "auth.sms.autoconfirm",
            )
            .or(sms_confirmations.map(|needed| !needed))
            .unwrap_or(default.sms_autoconfirm),
        anonymous_users_enabled: reader
            .boolean(
                &["GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "ENABLE_ANONYMOUS_USERS"],
                "auth.enable_anonymous_sign_ins",
            )
            .unwrap_or(default.anonymous_users_enabled),
        flow_state_expiry: reader
            .duration(&["GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION"], "auth.flow_state_expiry")
            .unwrap_or(default.flow_state_expiry),
        password: password(reader),
        session: session(reader),
        mfa: mfa(reader),
        passkey: passkey(reader),
        manual_linking_enabled: reader
            .boolean(&["GOTRUE_SECURITY_MANUAL_LINKING_ENABLED"], "auth.enable_manual_linking")
            .unwrap_or(default.manual_linking_enabled),
        audit_log_disabled: reader
            .boolean(&["GOTRUE_AUDIT_LOG_DISABLE_POSTGRES"], "auth.audit_log_disabled")
            .unwrap_or(default.audit_log_disabled),
        limits: limits(reader),
        providers: outside::providers(reader),
        custom_providers_enabled: reader
            .boolean(&["GOTRUE_CUSTOM_OAUTH_ENABLED"], "auth.custom_oauth.enabled")
            .unwrap_or(default.custom_providers_enabled),
        max_custom_providers: reader
            .parsed(&["GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS"], "auth.custom_oauth.max_providers")
            .unwrap_or(default.max_custom_providers),
        captcha: outside::captcha(reader),
        oauth_server: outside::oauth_server(reader),
        hooks: outside::hooks(reader),
        sms: outside::sms(reader),
    };
    for problem in config.problems() {
        reader.refuse(&problem.name, format!("expected {}", problem.expected));
    }
    config
}

fn password(reader: &mut Reader) -> PasswordConfig {
    let default = PasswordConfig::default();
    let requirements = reader.with(&[], "auth.password_requirements", requirement_sets);
    PasswordConfig {
        min_length: reader
            .with(
                &["GOTRUE_PASSWORD_MIN_LENGTH"],
                "auth.minimum_password_length",
                |text| match text.parse::<usize>() {
                    Ok(length) if length >= 6 => Ok(length),
                    _ => Err("expected a number, 6 or more".to_owned()),
                },
            )
            .unwrap_or(default.min_length),
        required_characters: reader
            .text(&["GOTRUE_PASSWORD_REQUIRED_CHARACTERS"], "auth.password_required_characters")
            .or(requirements)
            .unwrap_or(default.required_characters),
        update_requires_reauthentication: reader
            .boolean(
                &["GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"],
                "auth.email.secure_password_change",
            )
            .unwrap_or(default.update_requires_reauthentication),
        update_requires_current: reader
            .boolean(
                &["GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"],
                "auth.email.require_current_password",
            )
            .unwrap_or(default.update_requires_current),
        hibp_enabled: reader
            .boolean(&["GOTRUE_PASSWORD_HIBP_ENABLED"], "auth.password_hibp.enabled")
            .unwrap_or(default.hibp_enabled),
        hibp_fail_closed: reader
            .boolean(&["GOTRUE_PASSWORD_HIBP_FAIL_CLOSED"], "auth.password_hibp.fail_closed")
            .unwrap_or(default.hibp_fail_closed),
        hibp_url: reader
            .text(&["COMPAT_HIBP_URL"], "auth.password_hibp.url")
            .unwrap_or(default.hibp_url),
        ..default
    }
}

/// The names a project's file gives to sets of required characters.
fn requirement_sets(name: &str) -> Result<String, String> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const DIGITS: &str = "0123456789";
    const SYMBOLS: &str = r#"!@#$%^&*()_+-=[]{};'\\:"|<>?,./`~"#;
    match name {
        "" => Ok(String::new()),
        "letters_digits" => Ok(format!("{LOWER}{UPPER}:{DIGITS}")),
        "lower_upper_letters_digits" => Ok(format!("{LOWER}:{UPPER}:{DIGITS}")),
        "lower_upper_letters_digits_symbols" => Ok(format!("{LOWER}:{UPPER}:{DIGITS}:{SYMBOLS}")),
        _ => Err("expected letters_digits, lower_upper_letters_digits or \
                  lower_upper_letters_digits_symbols"
            .to_owned()),
    }
}

fn session(reader: &mut Reader) -> SessionConfig {
    let default = SessionConfig::default();
    let some = |duration: Duration| (!duration.is_zero()).then_some(duration);
    SessionConfig {
        rotation_enabled: reader
            .boolean(
                &["GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED"],
                "auth.enable_refresh_token_rotation",
            )
            .unwrap_or(default.rotation_enabled),
        reuse_interval: reader
            .duration(
                &["GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL"],
                "auth.refresh_token_reuse_interval",
            )
            .unwrap_or(default.reuse_interval),
        timebox: reader
            .duration(&["GOTRUE_SESSIONS_TIMEBOX"], "auth.sessions.timebox")
            .map_or(default.timebox, some),
        inactivity_timeout: reader
            .duration(&["GOTRUE_SESSIONS_INACTIVITY_TIMEOUT"], "auth.sessions.inactivity_timeout")
            .map_or(default.inactivity_timeout, some),
        single_per_user: reader
            .boolean(&["GOTRUE_SESSIONS_SINGLE_PER_USER"], "auth.sessions.single_per_user")
            .unwrap_or(default.single_per_user),
        tags: reader.list(&["GOTRUE_SESSIONS_TAGS"], "auth.sessions.tags").unwrap_or(default.tags),
        allow_low_aal: reader
            .duration(&["GOTRUE_SESSIONS_ALLOW_LOW_AAL"], "auth.sessions.allow_low_aal")
            .map_or(default.allow_low_aal, some),
    }
}

fn mfa(reader: &mut Reader) -> MfaConfig {
    let default = MfaConfig::default();
    MfaConfig {
        totp_enroll_enabled: reader
            .boolean(&["GOTRUE_MFA_TOTP_ENROLL_ENABLED"], "auth.mfa.totp.enroll_enabled")
            .unwrap_or(default.totp_enroll_enabled),
        totp_verify_enabled: reader
            .boolean(&["GOTRUE_MFA_TOTP_VERIFY_ENABLED"], "auth.mfa.totp.verify_enabled")
            .unwrap_or(default.totp_verify_enabled),
        phone_enroll_enabled: reader
            .boolean(&["GOTRUE_MFA_PHONE_ENROLL_ENABLED"], "auth.mfa.phone.enroll_enabled")
            .unwrap_or(default.phone_enroll_enabled),
        phone_verify_enabled: reader
            .boolean(&["GOTRUE_MFA_PHONE_VERIFY_ENABLED"], "auth.mfa.phone.verify_enabled")
            .unwrap_or(default.phone_verify_enabled),
        phone_otp_length: otp_length(
            reader,
            "GOTRUE_MFA_PHONE_OTP_LENGTH",
            "auth.mfa.phone.otp_length",
        )
        .unwrap_or(default.phone_otp_length),
        phone_template: reader
            .text(&["GOTRUE_MFA_PHONE_TEMPLATE"], "auth.mfa.phone.template")
            .unwrap_or(default.phone_template),
        phone_max_frequency: reader
            .duration(&["GOTRUE_MFA_PHONE_MAX_FREQUENCY"], "auth.mfa.phone.max_frequency")
            .unwrap_or(default.phone_max_frequency),
        webauthn_enroll_enabled: reader
            .boolean(&["GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED"], "auth.mfa.web_authn.enroll_enabled")
            .unwrap_or(default.webauthn_enroll_enabled),
        webauthn_verify_enabled: reader
            .boolean(&["GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED"], "auth.mfa.web_authn.verify_enabled")
            .unwrap_or(default.webauthn_verify_enabled),
        max_enrolled_factors: reader
            .parsed(&["GOTRUE_MFA_MAX_ENROLLED_FACTORS"], "auth.mfa.max_enrolled_factors")
            .unwrap_or(default.max_enrolled_factors),
        challenge_expiry: reader
            .duration(&["GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION"], "auth.mfa.challenge_expiry")
            .unwrap_or(default.challenge_expiry),
        factor_expiry: reader
            .duration(&["GOTRUE_MFA_FACTOR_EXPIRY_DURATION"], "auth.mfa.factor_expiry")
            .unwrap_or(default.factor_expiry),
    }
}

fn otp_length(reader: &mut Reader, variable: &str, key: &str) -> Option<usize> {
    reader.with(&[variable], key, |text| match text.parse::<usize>() {
        Ok(length @ 6..=10) => Ok(length),
        _ => Err("expected a number from 6 to 10".to_owned()),
    })
}

fn is_production(reader: &mut Reader) -> bool {
    reader.text(&["COMPAT_ENVIRONMENT"], "environment").as_deref() == Some("production")
}

/// A budget: `30` for an hour, or `5/10m` for a span of one's own.
fn per_hour(text: &str) -> Result<u32, String> {
    let wrong = || "expected a number, or one over a span such as 30/1h".to_owned();
    let (count, span) = text.split_once('/').unwrap_or((text, "1h"));
    let count: u32 = count.trim().parse().map_err(|_| wrong())?;
    let span = duration(span.trim()).filter(|span| !span.is_zero()).ok_or_else(wrong)?;
    let hourly = u64::from(count) * 3600 / span.as_secs().max(1);
    u32::try_from(hourly).map_err(|_| wrong())
}

fn passkey(reader: &mut Reader) -> PasskeyConfig {
    let default = PasskeyConfig::default();
    let origins = reader.list(&["GOTRUE_WEBAUTHN_RP_ORIGINS"], "auth.webauthn.rp_origins");
    let origins = origins.unwrap_or(default.rp_origins);
    if origins.iter().any(|origin| origin.parse::<url::Url>().is_err()) {
        reader.refuse("GOTRUE_WEBAUTHN_RP_ORIGINS", "expected addresses");
    }
    PasskeyConfig {
        enabled: reader
            .boolean(&["GOTRUE_PASSKEY_ENABLED"], "auth.passkey.enabled")
            .unwrap_or(default.enabled),
        rp_id: reader.text(&["GOTRUE_WEBAUTHN_RP_ID"], "auth.webauthn.rp_id"),
        rp_display_name: reader
            .text(&["GOTRUE_WEBAUTHN_RP_DISPLAY_NAME"], "auth.webauthn.rp_display_name"),
        rp_origins: origins,
        ..default
    }
}

fn limits(reader: &mut Reader) -> LimitConfig {
    let default = LimitConfig::default();
    // The original limits once it is told which header names its clients. Ours are known anyway,
    // so production limits unless told otherwise.
    let names_clients = reader.text(&["GOTRUE_RATE_LIMIT_HEADER"], "auth.rate_limit.header");
    let are_wanted = default.enabled || names_clients.is_some() || is_production(reader);
    LimitConfig {
        enabled: reader
            .boolean(&["COMPAT_RATE_LIMITS"], "auth.rate_limit.enabled")
            .unwrap_or(are_wanted),
        per_account: reader
            .boolean(&["COMPAT_RATE_LIMIT_GUESSES"], "auth.rate_limit.guesses")
            .unwrap_or(default.per_account),
        otp: reader
            .parsed(&["GOTRUE_RATE_LIMIT_OTP"], "auth.rate_limit.sign_in_sign_ups")
            .unwrap_or(default.otp),
        verify: reader
            .parsed(&["GOTRUE_RATE_LIMIT_VERIFY"], "auth.rate_limit.token_verifications")
            .unwrap_or(default.verify),
        token: reader
            .parsed(&["GOTRUE_RATE_LIMIT_TOKEN_REFRESH"], "auth.rate_limit.token_refresh")
            .unwrap_or(default.token),
        anonymous: reader
            .parsed(&["GOTRUE_RATE_LIMIT_ANONYMOUS_USERS"], "auth.rate_limit.anonymous_users")
            .unwrap_or(default.anonymous),
        mfa: reader
            .parsed(&["GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY"], "auth.rate_limit.mfa")
            .unwrap_or(default.mfa),
        passkey: reader
            .parsed(&["GOTRUE_RATE_LIMIT_PASSKEY"], "auth.rate_limit.passkey")
            .unwrap_or(default.passkey),
        sso: reader
            .parsed(&["GOTRUE_RATE_LIMIT_SSO"], "auth.rate_limit.sso")
            .unwrap_or(default.sso),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(variables: &[(&str, &str)]) -> Config {
        let environment =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut reader = Reader::new(environment.collect(), &toml::Table::new());
        let config = read(&mut reader);
        assert_eq!(reader.finish().0, []);
        config
    }

    #[test]
    fn production_limits_requests_unless_told_otherwise() {
        assert!(!read_from(&[]).limits.enabled);
        let production = ("COMPAT_ENVIRONMENT", "production");
        assert!(read_from(&[production]).limits.enabled);
        assert!(read_from(&[production]).email.background_sending);
        assert!(!read_from(&[production, ("COMPAT_RATE_LIMITS", "false")]).limits.enabled);
        assert!(read_from(&[("GOTRUE_RATE_LIMIT_HEADER", "X-Forwarded-For")]).limits.enabled);
    }

    #[test]
    fn a_budget_is_for_an_hour_or_for_a_span_of_its_own() {
        let budget =
            |text| read_from(&[("GOTRUE_RATE_LIMIT_EMAIL_SENT", text)]).email.sent_per_hour;
        assert_eq!(budget("30"), Some(30));
        assert_eq!(budget("5/10m"), Some(30));
        assert!(
            per_hour("many").is_err() && per_hour("3/never").is_err() && per_hour("3/0s").is_err()
        );
    }

    #[test]
    fn a_provider_of_ones_own_is_an_issuer_with_a_name() {
        let config = read_from(&[
            ("COMPAT_OIDC_PROVIDERS", "custom:corp"),
            ("GOTRUE_EXTERNAL_CUSTOM_CORP_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_CUSTOM_CORP_CLIENT_ID", "one, two"),
            ("GOTRUE_EXTERNAL_CUSTOM_CORP_SECRET", "s"),
            ("GOTRUE_EXTERNAL_CUSTOM_CORP_URL", "https://id.corp.test"),
        ]);
        let [provider] = &config.providers[..] else { panic!("one provider") };
        assert_eq!(provider.name, "custom:corp");
        assert_eq!(provider.client_ids, ["one", "two"]);
        assert_eq!(provider.url.as_deref(), Some("https://id.corp.test"));
    }

    #[test]
    fn links_and_words_of_mails_are_told_by_kind() {
        let config = read_from(&[
            ("GOTRUE_MAILER_URLPATHS_INVITE", "/welcome"),
            ("GOTRUE_MAILER_SUBJECTS_MAGIC_LINK", "Come in"),
            ("GOTRUE_MAILER_TEMPLATES_RECOVERY", "https://site.test/mail.html"),
            ("GOTRUE_MAILER_TEMPLATES_INVITE", "<p>{{ .Token }}</p>"),
            ("GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", "true"),
        ]);
        assert_eq!(config.email.url_paths.invite, "/welcome");
        assert_eq!(config.email.url_paths.recovery, "/verify");
        let templates = &config.email.templates;
        assert_eq!(
            templates.subjects.len() + templates.addresses.len() + templates.bodies.len(),
            3
        );
        assert_eq!(config.email.notices.len(), 1);
    }
}
