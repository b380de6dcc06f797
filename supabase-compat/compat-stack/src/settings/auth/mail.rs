//! Settings of mails: what they say, where their links lead, how often they leave.

use std::path::Path;

use compat_auth::mail::{MailKind, TemplateOverrides};
use compat_auth::{EmailConfig, UrlPaths};

use super::{is_production, otp_length, outside, per_hour};
use crate::settings::reader::Reader;

/// E-mail as a way in, and the mails themselves.
pub fn email(reader: &mut Reader) -> EmailConfig {
    let default = EmailConfig::default();
    let confirmations = reader.boolean(&[], "auth.email.enable_confirmations");
    EmailConfig {
        enabled: reader
            .boolean(
                &["GOTRUE_EXTERNAL_EMAIL_ENABLED", "ENABLE_EMAIL_SIGNUP"],
                "auth.email.enable_signup",
            )
            .unwrap_or(default.enabled),
        magic_link_enabled: reader
            .boolean(&["GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED"], "auth.email.magic_link_enabled")
            .unwrap_or(default.magic_link_enabled),
        autoconfirm: reader
            .boolean(
                &["GOTRUE_MAILER_AUTOCONFIRM", "ENABLE_EMAIL_AUTOCONFIRM"],
                "auth.email.autoconfirm",
            )
            .or(confirmations.map(|needed| !needed))
            .unwrap_or(default.autoconfirm),
        secure_change_enabled: reader
            .boolean(
                &["GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED"],
                "auth.email.double_confirm_changes",
            )
            .unwrap_or(default.secure_change_enabled),
        allow_unverified_sign_ins: reader
            .boolean(
                &["GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"],
                "auth.email.allow_unverified_sign_ins",
            )
            .unwrap_or(default.allow_unverified_sign_ins),
        otp_expiry: reader
            .duration(&["GOTRUE_MAILER_OTP_EXP"], "auth.email.otp_expiry")
            .unwrap_or(default.otp_expiry),
        otp_length: otp_length(reader, "GOTRUE_MAILER_OTP_LENGTH", "auth.email.otp_length")
            .unwrap_or(default.otp_length),
        max_frequency: reader
            .duration(&["GOTRUE_SMTP_MAX_FREQUENCY"], "auth.email.max_frequency")
            .unwrap_or(default.max_frequency),
        sent_per_hour: reader
            .with(&["GOTRUE_RATE_LIMIT_EMAIL_SENT"], "auth.rate_limit.email_sent", per_hour)
            .or(default.sent_per_hour),
        url_paths: url_paths(reader),
        external_hosts: reader
            .list(&["GOTRUE_MAILER_EXTERNAL_HOSTS"], "auth.email.external_hosts")
            .unwrap_or(default.external_hosts),
        notices: notices(reader),
        background_sending: reader
            .boolean(&["GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING"], "auth.email.background_sending")
            .unwrap_or_else(|| is_production(reader)),
        authorized_addresses: reader
            .list(
                &["GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES"],
                "auth.email.authorized_addresses",
            )
            .unwrap_or(default.authorized_addresses),
        default_language: reader
            .text(&["COMPAT_MAILER_LANGUAGE"], "auth.email.language")
            .unwrap_or(default.default_language),
        smtp: outside::smtp(reader),
        templates: templates(reader),
    }
}

/// One path for all kinds, unless one has its own.
fn url_paths(reader: &mut Reader) -> UrlPaths {
    let default = UrlPaths::default();
    let all = reader.text(&[], "auth.email.url_path");
    let mut path = |kind: &str, default: String| {
        let variable = format!("GOTRUE_MAILER_URLPATHS_{}", kind.to_uppercase());
        let short = format!("MAILER_URLPATHS_{}", kind.to_uppercase());
        let key = format!("auth.email.url_paths.{kind}");
        let own = reader.text(&[variable.as_str(), short.as_str()], &key);
        own.or_else(|| all.clone()).unwrap_or(default)
    };
    UrlPaths {
        confirmation: path("confirmation", default.confirmation),
        invite: path("invite", default.invite),
        recovery: path("recovery", default.recovery),
        email_change: path("email_change", default.email_change),
    }
}

fn notices(reader: &mut Reader) -> Vec<MailKind> {
    let is_on = |kind: &MailKind| {
        let name = kind.name();
        let variable = format!("GOTRUE_MAILER_NOTIFICATIONS_{}_ENABLED", name.to_uppercase());
        let key = format!("auth.email.notification.{name}.enabled");
        reader.boolean(&[variable.as_str()], &key).unwrap_or(false)
    };
    MailKind::NOTICES.into_iter().filter(is_on).collect()
}

/// An operator's own words, by `GOTRUE_MAILER_SUBJECTS_…`, `GOTRUE_MAILER_TEMPLATES_…` and
/// `[auth.email.template.…]`.
fn templates(reader: &mut Reader) -> TemplateOverrides {
    let mut found = TemplateOverrides::default();
    for kind in MailKind::REQUESTED.into_iter().chain(MailKind::NOTICES) {
        let upper = kind.action().to_uppercase();
        let table = if MailKind::NOTICES.contains(&kind) { "notification" } else { "template" };
        let key = |field: &str| format!("auth.email.{table}.{}.{field}", kind.name());
        let subject = format!("GOTRUE_MAILER_SUBJECTS_{upper}");
        if let Some(text) = reader.text(&[subject.as_str()], &key("subject")) {
            found.subjects.insert(kind, text);
        }
        let body = format!("GOTRUE_MAILER_TEMPLATES_{upper}");
        let inline = reader.text(&[], &key("content"));
        let path = reader.text(&[body.as_str()], &key("content_path"));
        match inline.map(Source::Text).or_else(|| path.map(|text| source(&text))) {
            Some(Source::Text(text)) => drop(found.bodies.insert(kind, text)),
            Some(Source::Address(address)) => drop(found.addresses.insert(kind, address)),
            Some(Source::Missing) => reader.refuse(&body, "names no file, address or template"),
            None => {}
        }
    }
    found
}

enum Source {
    Text(String),
    Address(String),
    Missing,
}

/// A template is written out, or lies in a file, or at an address: absolute, or below the site's.
fn source(text: &str) -> Source {
    if text.contains("{{") || text.contains('<') {
        return Source::Text(text.to_owned());
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        return Source::Address(text.to_owned());
    }
    match std::fs::read_to_string(Path::new(text)) {
        Ok(body) => Source::Text(body),
        Err(_) if text.starts_with('/') => Source::Address(text.to_owned()),
        Err(_) => Source::Missing,
    }
}
