//! Settings of mail: its texts, its links, its limits and the SMTP relay.

use std::path::{Path, PathBuf};

use compat_auth::mail::{MailKind, TemplateOverrides};
use compat_auth::{EmailConfig, UrlPaths};
use compat_mail::{SmtpConfig, SmtpSecurity};

use super::values::{headers, otp_length, per_hour};
use crate::settings::reader::Reader;

/// Reads the settings of sign-in by mail and of the mails.
pub fn email(reader: &mut Reader, production: bool) -> EmailConfig {
    let notices = notices(reader);
    let mut config = EmailConfig {
        background_sending: production,
        url_paths: url_paths(reader),
        templates: templates(reader, &notices),
        notices,
        smtp: smtp(reader),
        ..EmailConfig::default()
    };
    read_sign_in_settings(reader, &mut config);
    sending(reader, &mut config);
    config
}

fn read_sign_in_settings(reader: &mut Reader, config: &mut EmailConfig) {
    reader.over(
        &mut config.enabled,
        &["GOTRUE_EXTERNAL_EMAIL_ENABLED", "ENABLE_EMAIL_SIGNUP"],
        "auth.email.enable_signup",
    );
    reader.over(
        &mut config.magic_link_enabled,
        &["GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED"],
        "auth.email.magic_link_enabled",
    );
    // The key of a project's file is the opposite of GoTrue's variable, which is read later and
    // takes precedence.
    reader.over_not(&mut config.autoconfirm, &[], "auth.email.enable_confirmations");
    reader.over(
        &mut config.autoconfirm,
        &["GOTRUE_MAILER_AUTOCONFIRM", "ENABLE_EMAIL_AUTOCONFIRM"],
        "auth.email.autoconfirm",
    );
    reader.over(
        &mut config.secure_change_enabled,
        &["GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED"],
        "auth.email.double_confirm_changes",
    );
    reader.over(
        &mut config.allow_unverified_sign_ins,
        &["GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"],
        "auth.email.allow_unverified_sign_ins",
    );
    reader.over(&mut config.otp_expiry, &["GOTRUE_MAILER_OTP_EXP"], "auth.email.otp_expiry");
    reader.over_with(
        &mut config.otp_length,
        &["GOTRUE_MAILER_OTP_LENGTH"],
        "auth.email.otp_length",
        otp_length,
    );
}

fn sending(reader: &mut Reader, config: &mut EmailConfig) {
    reader.over(
        &mut config.max_frequency,
        &["GOTRUE_SMTP_MAX_FREQUENCY"],
        "auth.email.max_frequency",
    );
    reader.over_with(
        &mut config.sent_per_hour,
        &["GOTRUE_RATE_LIMIT_EMAIL_SENT"],
        "auth.rate_limit.email_sent",
        per_hour,
    );
    reader.over(
        &mut config.external_hosts,
        &["GOTRUE_MAILER_EXTERNAL_HOSTS"],
        "auth.email.external_hosts",
    );
    reader.over(
        &mut config.background_sending,
        &["GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING"],
        "auth.email.background_sending",
    );
    reader.over(
        &mut config.authorized_addresses,
        &["GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES"],
        "auth.email.authorized_addresses",
    );
    if let Some(language) = reader.text(&["COMPAT_MAILER_LANGUAGE"], "auth.email.language") {
        config.default_language = language;
    }
    reader.over(&mut config.brand.name, &["COMPAT_MAILER_BRAND_NAME"], "auth.email.brand_name");
    reader.over(
        &mut config.brand.colour,
        &["COMPAT_MAILER_BRAND_COLOUR"],
        "auth.email.brand_colour",
    );
}

/// One path for all kinds, unless a kind has its own.
fn url_paths(reader: &mut Reader) -> UrlPaths {
    let mut paths = UrlPaths::default();
    let all = reader.text(&[], "auth.email.url_path");
    for (path, kind) in [
        (&mut paths.confirmation, "confirmation"),
        (&mut paths.invite, "invite"),
        (&mut paths.recovery, "recovery"),
        (&mut paths.email_change, "email_change"),
    ] {
        let short = format!("MAILER_URLPATHS_{}", kind.to_uppercase());
        let variables = [&*format!("GOTRUE_{short}"), &short];
        let own = reader.text(&variables, &format!("auth.email.url_paths.{kind}"));
        if let Some(value) = own.or_else(|| all.clone()) {
            *path = value;
        }
    }
    paths
}

fn notices(reader: &mut Reader) -> Vec<MailKind> {
    let is_on = |kind: &MailKind| {
        let name = kind.name();
        let variable = format!("GOTRUE_MAILER_NOTIFICATIONS_{}_ENABLED", name.to_uppercase());
        let key = format!("auth.email.notification.{name}.enabled");
        reader.get::<bool>(&[&variable], &key).unwrap_or_default()
    };
    MailKind::NOTICES.into_iter().filter(is_on).collect()
}

/// The operator's own subjects and bodies, from `GOTRUE_MAILER_SUBJECTS_…`,
/// `GOTRUE_MAILER_TEMPLATES_…`, `[auth.email.template.…]` and `[auth.email.notification.…]`.
fn templates(reader: &mut Reader, notices: &[MailKind]) -> TemplateOverrides {
    let mut overrides = TemplateOverrides::default();
    for kind in MailKind::REQUESTED.into_iter().chain(MailKind::NOTICES) {
        let upper = kind.action().to_uppercase();
        let is_notice = MailKind::NOTICES.contains(&kind);
        let table = if is_notice { "notification" } else { "template" };
        let key = |field: &str| format!("auth.email.{table}.{}.{field}", kind.name());
        let subject = reader.text(&[&format!("GOTRUE_MAILER_SUBJECTS_{upper}")], &key("subject"));
        let inline = reader.text(&[], &key("content"));
        let variable = format!("GOTRUE_MAILER_TEMPLATES_{upper}");
        let named = reader.text(&[&variable], "");
        let in_file = reader.text(&[], &key("content_path"));
        // The settings were read although the notice is off, because they must not count as
        // unknown.
        if is_notice && !notices.contains(&kind) {
            continue;
        }
        overrides.subjects.extend(subject.map(|text| (kind, text)));
        let folder = folder(reader, is_notice);
        let source = match (named, inline, in_file) {
            (Some(named), None, _) => Some((variable, source(&named, Path::new("")))),
            (_, Some(inline), _) => Some((key("content"), Source::Text(inline))),
            (_, _, Some(path)) => Some((key("content_path"), source(&path, &folder))),
            (None, None, None) => None,
        };
        match source {
            Some((_, Source::Text(text))) => drop(overrides.bodies.insert(kind, text)),
            Some((_, Source::Address(address))) => drop(overrides.addresses.insert(kind, address)),
            Some((name, Source::Missing)) => {
                reader.refuse(name, "a file, an address, or the text itself");
            }
            None => {}
        }
    }
    overrides
}

/// The folder of template files, as in the official CLI: the project's folder for templates, and
/// `supabase/` in it for notifications.
fn folder(reader: &Reader, is_notice: bool) -> PathBuf {
    let folder = reader.folder();
    let project = folder.parent().filter(|_| folder.ends_with("supabase") && !is_notice);
    project.unwrap_or(folder).to_owned()
}

enum Source {
    Text(String),
    Address(String),
    Missing,
}

/// A template is given as text, as a file, or as an address, which is absolute or below the site's.
fn source(text: &str, folder: &Path) -> Source {
    if text.contains("{{") || text.contains('<') {
        return Source::Text(text.to_owned());
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        return Source::Address(text.to_owned());
    }
    match std::fs::read_to_string(folder.join(text)) {
        Ok(body) => Source::Text(body),
        Err(_) if text.starts_with('/') => Source::Address(text.to_owned()),
        Err(_) => Source::Missing,
    }
}

/// The SMTP relay; without a host there is none, and mail is captured.
fn smtp(reader: &mut Reader) -> Option<SmtpConfig> {
    let mut config = SmtpConfig::default();
    // Only a project's file has a switch; with variables, a host is enough.
    let mut is_on = true;
    reader.over(&mut is_on, &[], "auth.email.smtp.enabled");
    reader.over(&mut config.host, &["GOTRUE_SMTP_HOST", "SMTP_HOST"], "auth.email.smtp.host");
    reader.over(&mut config.port, &["GOTRUE_SMTP_PORT", "SMTP_PORT"], "auth.email.smtp.port");
    reader.over(&mut config.user, &["GOTRUE_SMTP_USER", "SMTP_USER"], "auth.email.smtp.user");
    reader.over(&mut config.password, &["GOTRUE_SMTP_PASS", "SMTP_PASS"], "auth.email.smtp.pass");
    reader.over(
        &mut config.admin_email,
        &["GOTRUE_SMTP_ADMIN_EMAIL", "SMTP_ADMIN_EMAIL"],
        "auth.email.smtp.admin_email",
    );
    reader.over(
        &mut config.sender_name,
        &["GOTRUE_SMTP_SENDER_NAME", "SMTP_SENDER_NAME"],
        "auth.email.smtp.sender_name",
    );
    reader.over_with(
        &mut config.security,
        &["SMTP_SECURITY"],
        "auth.email.smtp.security",
        security,
    );
    reader.over(
        &mut config.accept_invalid_certs,
        &["SMTP_ACCEPT_INVALID_CERTS"],
        "auth.email.smtp.accept_invalid_certs",
    );
    reader.over_with(
        &mut config.headers,
        &["GOTRUE_SMTP_HEADERS"],
        "auth.email.smtp.headers",
        headers,
    );
    reader.counts("auth.email.smtp.", is_on && !config.host.is_empty()).then_some(config)
}

fn security(text: &str) -> Result<SmtpSecurity, &'static str> {
    match text {
        "opportunistic" => Ok(SmtpSecurity::Opportunistic),
        "required" => Ok(SmtpSecurity::Required),
        "implicit" => Ok(SmtpSecurity::Implicit),
        "none" => Ok(SmtpSecurity::None),
        _ => Err("opportunistic, required, implicit or none"),
    }
}
