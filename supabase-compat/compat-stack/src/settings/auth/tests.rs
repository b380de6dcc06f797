//! The settings of auth/v1, read from variables.

use super::*;

fn read_from(variables: &[(&str, &str)]) -> Config {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let mut reader = Reader::new(variables.iter().map(owned).collect(), &toml::Table::new());
    let config = read(&mut reader, false);
    assert_eq!(reader.finish().problems, []);
    config
}

#[test]
fn production_enables_rate_limits_by_default() {
    let limits = |variables: &[(&str, &str)], production| {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut reader = Reader::new(variables.iter().map(owned).collect(), &toml::Table::new());
        let config = read(&mut reader, production);
        (config.limits.enabled, config.email.background_sending)
    };
    assert_eq!(limits(&[], false), (false, false));
    assert_eq!(limits(&[], true), (true, true));
    assert_eq!(limits(&[("COMPAT_RATE_LIMITS", "false")], true), (false, true));
    assert_eq!(limits(&[("GOTRUE_RATE_LIMIT_HEADER", "X-Forwarded-For")], false), (true, false));
}

#[test]
fn texts_and_lists_given_empty_are_settings() {
    let config = read_from(&[
        ("GOTRUE_JWT_AUD", ""),
        ("GOTRUE_JWT_ADMIN_ROLES", ""),
        ("GOTRUE_JWT_ISSUER", ""),
        ("GOTRUE_URI_ALLOW_LIST", ""),
        ("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", ""),
        ("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE", ""),
        ("GOTRUE_SMTP_HOST", ""),
        ("GOTRUE_JWT_EXP", ""),
        ("GOTRUE_DISABLE_SIGNUP", ""),
        ("GOTRUE_SMS_TEMPLATE", ""),
        ("GOTRUE_MAILER_URLPATHS_INVITE", ""),
    ]);
    let default = Config::default();
    assert_eq!((config.jwt_aud.as_str(), config.jwt_admin_roles), ("", Vec::new()));
    assert_eq!((config.jwt_issuer, config.oauth_server.default_scope), (None, String::new()));
    assert!(config.email.smtp.is_none());
    assert_eq!((config.jwt_exp, config.disable_signup), (default.jwt_exp, false));
    // As in the original, empty values of these settings mean their defaults.
    assert_eq!(config.sms.template, default.sms.template);
    assert_eq!(config.email.url_paths.invite, default.email.url_paths.invite);
}

#[test]
fn custom_oidc_provider_is_read_from_settings() {
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
fn mail_links_and_templates_are_configured_by_kind() {
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
    assert_eq!(templates.subjects.len() + templates.addresses.len() + templates.bodies.len(), 3);
    assert_eq!(config.email.notices.len(), 1);
}
