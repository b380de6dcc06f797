//! What auth/v1 is told of the world outside: providers, relays, captchas, and being a provider itself.

use std::time::Duration;

use compat_auth::mail::{SmtpConfig, SmtpSecurity};
use compat_auth::{
    CaptchaConfig, CaptchaProvider, Hook, HooksConfig, OauthServerConfig, ProviderConfig,
    SmsConfig, SmsProvider, TwilioConfig, provider_names,
};

use crate::settings::reader::Reader;

/// Providers that are switched on, by `GOTRUE_EXTERNAL_<NAME>_…` and `[auth.external.<name>]`.
pub fn providers(reader: &mut Reader) -> Vec<ProviderConfig> {
    let own = reader.list(&["COMPAT_OIDC_PROVIDERS"], "auth.oidc_providers").unwrap_or_default();
    let known = provider_names().map(str::to_owned);
    known.chain(own).filter_map(|name| provider(reader, &name)).collect()
}

fn provider(reader: &mut Reader, name: &str) -> Option<ProviderConfig> {
    let upper = name.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut text = |field: &str, key: &str| {
        let variable = format!("GOTRUE_EXTERNAL_{upper}_{field}");
        reader.text(&[variable.as_str()], &format!("auth.external.{name}.{key}"))
    };
    let client_ids = text("CLIENT_ID", "client_id").unwrap_or_default();
    let secret = text("SECRET", "secret").unwrap_or_default();
    let redirect_uri = text("REDIRECT_URI", "redirect_uri");
    let url = text("URL", "url");
    let mut flag = |field: &str, key: &str| {
        let variable = format!("GOTRUE_EXTERNAL_{upper}_{field}");
        let key = format!("auth.external.{name}.{key}");
        reader.boolean(&[variable.as_str()], &key).unwrap_or_default()
    };
    let enabled = flag("ENABLED", "enabled");
    let email_optional = flag("EMAIL_OPTIONAL", "email_optional");
    let skip_nonce_check = flag("SKIP_NONCE_CHECK", "skip_nonce_check");
    if !enabled {
        return None;
    }
    if client_ids.is_empty() {
        reader.refuse(&format!("GOTRUE_EXTERNAL_{upper}_CLIENT_ID"), "is missing");
    }
    let is_known = provider_names().any(|known| known == name);
    if (name == "keycloak" || !is_known) && url.is_none() {
        reader.refuse(&format!("GOTRUE_EXTERNAL_{upper}_URL"), "is missing");
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

/// Proof that a person asks.
pub fn captcha(reader: &mut Reader) -> Option<CaptchaConfig> {
    let enabled = reader
        .boolean(&["GOTRUE_SECURITY_CAPTCHA_ENABLED"], "auth.captcha.enabled")
        .unwrap_or(false);
    let provider =
        reader.with(&["GOTRUE_SECURITY_CAPTCHA_PROVIDER"], "auth.captcha.provider", |text| {
            match text {
                "altcha" => Ok(CaptchaProvider::Altcha),
                "hcaptcha" => Ok(CaptchaProvider::Hcaptcha),
                "turnstile" => Ok(CaptchaProvider::Turnstile),
                _ => Err("expected altcha, hcaptcha or turnstile".to_owned()),
            }
        });
    let secret = reader.text(&["GOTRUE_SECURITY_CAPTCHA_SECRET"], "auth.captcha.secret");
    let timeout = reader.duration(&["GOTRUE_SECURITY_CAPTCHA_TIMEOUT"], "auth.captcha.timeout");
    let siteverify_url = reader.text(&["COMPAT_CAPTCHA_URL"], "auth.captcha.siteverify_url");
    if !enabled {
        return None;
    }
    let Some(secret) = secret else {
        reader.refuse("GOTRUE_SECURITY_CAPTCHA_SECRET", "is missing");
        return None;
    };
    Some(CaptchaConfig {
        provider: provider.unwrap_or(CaptchaProvider::Hcaptcha),
        secret: secret.into(),
        timeout: timeout.unwrap_or(Duration::from_secs(10)),
        siteverify_url,
    })
}

/// An operator's own code, by `GOTRUE_HOOK_<NAME>_…` and `[auth.hook.<name>]`.
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
    let enabled = reader.boolean(&[&variable("ENABLED")], &key("enabled")).unwrap_or_default();
    let uri = reader.text(&[&variable("URI")], &key("uri")).unwrap_or_default();
    let secrets = reader.text(&[&variable("SECRETS")], &key("secrets")).unwrap_or_default();
    if !enabled {
        return None;
    }
    match Hook::parse(&uri, &secrets) {
        Ok(hook) => Some(hook),
        Err(reason) => {
            reader.refuse(&variable("URI"), reason);
            None
        }
    }
}

/// Being a provider.
pub fn oauth_server(reader: &mut Reader) -> OauthServerConfig {
    let default = OauthServerConfig::default();
    OauthServerConfig {
        enabled: reader
            .boolean(&["GOTRUE_OAUTH_SERVER_ENABLED"], "auth.oauth_server.enabled")
            .unwrap_or(default.enabled),
        allow_dynamic_registration: reader
            .boolean(
                &["GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION"],
                "auth.oauth_server.allow_dynamic_registration",
            )
            .unwrap_or(default.allow_dynamic_registration),
        authorization_path: reader
            .text(
                &["GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH"],
                "auth.oauth_server.authorization_url_path",
            )
            .unwrap_or(default.authorization_path),
        authorization_ttl: reader
            .duration(
                &["GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL"],
                "auth.oauth_server.authorization_ttl",
            )
            .unwrap_or(default.authorization_ttl),
        default_scope: reader
            .text(&["GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE"], "auth.oauth_server.default_scope")
            .unwrap_or(default.default_scope),
    }
}

/// The relay; without a host there is none and mails are captured.
pub fn smtp(reader: &mut Reader) -> Option<SmtpConfig> {
    let default = SmtpConfig::default();
    let host = reader.text(&["GOTRUE_SMTP_HOST", "SMTP_HOST"], "auth.email.smtp.host");
    let config = SmtpConfig {
        host: host.clone().unwrap_or_default(),
        port: reader
            .parsed(&["GOTRUE_SMTP_PORT", "SMTP_PORT"], "auth.email.smtp.port")
            .unwrap_or(default.port),
        user: reader.text(&["GOTRUE_SMTP_USER", "SMTP_USER"], "auth.email.smtp.user"),
        password: reader
            .text(&["GOTRUE_SMTP_PASS", "SMTP_PASS"], "auth.email.smtp.pass")
            .map(Into::into),
        admin_email: reader
            .text(&["GOTRUE_SMTP_ADMIN_EMAIL", "SMTP_ADMIN_EMAIL"], "auth.email.smtp.admin_email")
            .unwrap_or_default(),
        sender_name: reader
            .text(&["GOTRUE_SMTP_SENDER_NAME", "SMTP_SENDER_NAME"], "auth.email.smtp.sender_name")
            .unwrap_or_default(),
        security: reader
            .with(&["SMTP_SECURITY"], "auth.email.smtp.security", |text| match text {
                "opportunistic" => Ok(SmtpSecurity::Opportunistic),
                "required" => Ok(SmtpSecurity::Required),
                "implicit" => Ok(SmtpSecurity::Implicit),
                "none" => Ok(SmtpSecurity::None),
                _ => Err("expected opportunistic, required, implicit or none".to_owned()),
            })
            .unwrap_or_default(),
        accept_invalid_certs: reader
            .boolean(&["SMTP_ACCEPT_INVALID_CERTS"], "auth.email.smtp.accept_invalid_certs")
            .unwrap_or_default(),
        headers: reader
            .with(&["GOTRUE_SMTP_HEADERS"], "auth.email.smtp.headers", headers)
            .unwrap_or_default(),
    };
    host?;
    if reader.boolean(&[], "auth.email.smtp.enabled") == Some(false) {
        return None;
    }
    if config.admin_email.is_empty() {
        reader.refuse("GOTRUE_SMTP_ADMIN_EMAIL", "is missing");
    }
    Some(config)
}

/// `{"X-Name": ["one value", "another"]}`.
fn headers(text: &str) -> Result<Vec<(String, String)>, String> {
    let named: std::collections::BTreeMap<String, Vec<String>> = serde_json::from_str(text)
        .map_err(|_| "expected an object of lists of texts".to_owned())?;
    let pairs = named.into_iter().flat_map(|(name, values)| {
        values.into_iter().map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    });
    Ok(pairs.collect())
}

/// Codes by text message.
pub fn sms(reader: &mut Reader) -> SmsConfig {
    let default = SmsConfig::default();
    let listed =
        reader.list(&["GOTRUE_SMS_TEST_OTP"], "auth.sms.test_otp_list").unwrap_or_default();
    let pairs = listed.iter().filter_map(|pair| pair.split_once([':', '=']));
    let mut test_otp: std::collections::BTreeMap<String, String> =
        pairs.map(|(phone, code)| (phone.to_owned(), code.to_owned())).collect();
    test_otp.extend(reader.below("auth.sms.test_otp."));
    SmsConfig {
        provider: twilio(reader),
        otp_expiry: reader
            .duration(&["GOTRUE_SMS_OTP_EXP"], "auth.sms.otp_expiry")
            .unwrap_or(default.otp_expiry),
        otp_length: reader
            .with(&["GOTRUE_SMS_OTP_LENGTH"], "auth.sms.otp_length", |text| {
                match text.parse::<usize>() {
                    Ok(length @ 6..=10) => Ok(length),
                    _ => Err("expected a number from 6 to 10".to_owned()),
                }
            })
            .unwrap_or(default.otp_length),
        max_frequency: reader
            .duration(&["GOTRUE_SMS_MAX_FREQUENCY"], "auth.sms.max_frequency")
            .unwrap_or(default.max_frequency),
        template: reader
            .text(&["GOTRUE_SMS_TEMPLATE"], "auth.sms.template")
            .unwrap_or(default.template),
        sent_per_hour: reader
            .with(&["GOTRUE_RATE_LIMIT_SMS_SENT"], "auth.rate_limit.sms_sent", super::per_hour)
            .or(default.sent_per_hour),
        test_otp,
        test_otp_valid_until: reader
            .parsed(&["GOTRUE_SMS_TEST_OTP_VALID_UNTIL"], "auth.sms.test_otp_valid_until"),
    }
}

fn twilio(reader: &mut Reader) -> Option<SmsProvider> {
    let switched_on = reader.boolean(&[], "auth.sms.twilio.enabled").unwrap_or_default();
    let named = reader.with(&["GOTRUE_SMS_PROVIDER"], "auth.sms.provider", |text| match text {
        "twilio" => Ok(()),
        _ => Err("expected twilio".to_owned()),
    });
    let mut text = |variable: &str, key: &str| {
        reader.text(&[variable], &format!("auth.sms.twilio.{key}")).unwrap_or_default()
    };
    let config = TwilioConfig {
        account_sid: text("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "account_sid"),
        auth_token: text("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "auth_token").into(),
        sender: text("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "message_service_sid"),
        base_url: Some(text("COMPAT_SMS_TWILIO_URL", "url")).filter(|url| !url.is_empty()),
    };
    if named.is_none() && !switched_on {
        return None;
    }
    if config.account_sid.is_empty() && config.sender.is_empty() {
        // Environment files that are handed around name the provider and leave its account to be
        // filled in; nothing can be sent then, and everything else works.
        tracing::warn!("text messages cannot be sent: Twilio's account is not set");
        return None;
    }
    if config.account_sid.is_empty() {
        reader.refuse("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "is missing");
    }
    if config.sender.is_empty() {
        reader.refuse("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "is missing");
    }
    Some(SmsProvider::Twilio(config))
}
