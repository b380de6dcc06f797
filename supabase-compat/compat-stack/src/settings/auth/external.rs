//! Settings of auth/v1 for external services: sign-in providers, hooks, captchas, and its own OAuth
//! server.

use std::time::Duration;

use compat_auth::{
    CaptchaConfig, CaptchaProvider, Hook, HooksConfig, OauthServerConfig, ProviderConfig,
    provider_names,
};

use crate::settings::reader::Reader;

/// The expected value of a setting that is missing although its feature is switched on.
const NEEDED: &str = "a value: it is switched on";

/// The accepted forms of a hook.
const HOOK: &str = "pg-functions://postgres/<schema>/<function>, or https (http on this host) with \
                    secrets of the form v1,whsec_<base64>";

/// The providers that are switched on, from `GOTRUE_EXTERNAL_<NAME>_…` and
/// `[auth.external.<name>]`.
pub fn providers(reader: &mut Reader) -> Vec<ProviderConfig> {
    let mut own: Vec<String> = Vec::new();
    reader.over(&mut own, &["COMPAT_OIDC_PROVIDERS"], "auth.oidc_providers");
    let known = provider_names().map(str::to_owned);
    known.chain(own).filter_map(|name| provider(reader, &name)).collect()
}

fn provider(reader: &mut Reader, name: &str) -> Option<ProviderConfig> {
    let upper = name.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let variable = |field: &str| format!("GOTRUE_EXTERNAL_{upper}_{field}");
    let key = |field: &str| format!("auth.external.{name}.{field}");
    let mut text = |field: &str, in_file: &str| reader.text(&[&variable(field)], &key(in_file));
    let client_ids = text("CLIENT_ID", "client_id").unwrap_or_default();
    let secret = text("SECRET", "secret").unwrap_or_default();
    let redirect_uri = text("REDIRECT_URI", "redirect_uri");
    let url = text("URL", "url");
    let mut flag = |field: &str, in_file: &str| {
        reader.get::<bool>(&[&variable(field)], &key(in_file)).unwrap_or_default()
    };
    let enabled = flag("ENABLED", "enabled");
    let email_optional = flag("EMAIL_OPTIONAL", "email_optional");
    let skip_nonce_check = flag("SKIP_NONCE_CHECK", "skip_nonce_check");
    // All settings are read before this check, because a setting of a disabled provider must not
    // count as unknown.
    if !reader.counts(&key(""), enabled) {
        return None;
    }
    if client_ids.is_empty() {
        reader.refuse(variable("CLIENT_ID"), NEEDED);
    }
    let is_known = provider_names().any(|known| known == name);
    if (name == "keycloak" || !is_known) && url.is_none() {
        reader.refuse(variable("URL"), NEEDED);
    }
    let ids = client_ids.split(',').map(|id| id.trim().to_owned()).collect();
    Some(ProviderConfig {
        client_ids: ids,
        redirect_uri,
        url,
        email_optional,
        skip_nonce_check,
        ..ProviderConfig::new(name, "", secret.into())
    })
}

/// Reads the captcha settings.
pub fn captcha(reader: &mut Reader) -> Option<CaptchaConfig> {
    let mut enabled = false;
    reader.over(&mut enabled, &["GOTRUE_SECURITY_CAPTCHA_ENABLED"], "auth.captcha.enabled");
    let secret = reader.text(&["GOTRUE_SECURITY_CAPTCHA_SECRET"], "auth.captcha.secret");
    let mut config = CaptchaConfig {
        provider: CaptchaProvider::Hcaptcha,
        secret: secret.clone().unwrap_or_default().into(),
        timeout: Duration::from_secs(10),
        siteverify_url: reader.text(&["COMPAT_CAPTCHA_URL"], "auth.captcha.siteverify_url"),
    };
    reader.over_with(
        &mut config.provider,
        &["GOTRUE_SECURITY_CAPTCHA_PROVIDER"],
        "auth.captcha.provider",
        captcha_provider,
    );
    reader.over(&mut config.timeout, &["GOTRUE_SECURITY_CAPTCHA_TIMEOUT"], "auth.captcha.timeout");
    // All settings are read before this check, because a setting of a disabled feature must not
    // count as unknown.
    if !reader.counts("auth.captcha.", enabled) {
        return None;
    }
    if secret.is_none() {
        reader.refuse("GOTRUE_SECURITY_CAPTCHA_SECRET", NEEDED);
    }
    Some(config)
}

fn captcha_provider(text: &str) -> Result<CaptchaProvider, &'static str> {
    match text {
        "altcha" => Ok(CaptchaProvider::Altcha),
        "hcaptcha" => Ok(CaptchaProvider::Hcaptcha),
        "turnstile" => Ok(CaptchaProvider::Turnstile),
        _ => Err("altcha, hcaptcha or turnstile"),
    }
}

/// The operator's hooks, from `GOTRUE_HOOK_<NAME>_…` and `[auth.hook.<name>]`.
pub fn hooks(reader: &mut Reader) -> HooksConfig {
    HooksConfig {
        custom_access_token: hook(reader, "custom_access_token"),
        before_user_created: hook(reader, "before_user_created"),
        password_verification_attempt: hook(reader, "password_verification_attempt"),
        mfa_verification_attempt: hook(reader, "mfa_verification_attempt"),
        after_user_created: hook(reader, "after_user_created"),
        send_email: hook(reader, "send_email"),
        send_sms: hook(reader, "send_sms"),
    }
}

fn hook(reader: &mut Reader, name: &str) -> Option<Hook> {
    let variable = |field: &str| format!("GOTRUE_HOOK_{}_{field}", name.to_uppercase());
    let key = |field: &str| format!("auth.hook.{name}.{field}");
    let mut enabled = false;
    reader.over(&mut enabled, &[&variable("ENABLED")], &key("enabled"));
    let uri = reader.text(&[&variable("URI")], &key("uri")).unwrap_or_default();
    let secrets = reader.text(&[&variable("SECRETS")], &key("secrets")).unwrap_or_default();
    if !reader.counts(&key(""), enabled) {
        return None;
    }
    Hook::parse(&uri, &secrets).map_err(|_| reader.refuse(variable("URI"), HOOK)).ok()
}

/// Reads the settings of the OAuth server.
pub fn oauth_server(reader: &mut Reader) -> OauthServerConfig {
    let mut config = OauthServerConfig::default();
    reader.over(&mut config.enabled, &["GOTRUE_OAUTH_SERVER_ENABLED"], "auth.oauth_server.enabled");
    reader.over(
        &mut config.allow_dynamic_registration,
        &["GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION"],
        "auth.oauth_server.allow_dynamic_registration",
    );
    reader.over(
        &mut config.authorization_path,
        &["GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH"],
        "auth.oauth_server.authorization_url_path",
    );
    reader.over(
        &mut config.authorization_ttl,
        &["GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL"],
        "auth.oauth_server.authorization_ttl",
    );
    reader.over(
        &mut config.default_scope,
        &["GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE"],
        "auth.oauth_server.default_scope",
    );
    config
}
