//! Rendering emails from templates and values.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use chrono::{DateTime, Utc};
use compat_http::escape_html;
use compat_mail::{Email, Template, TemplateError};
use serde_json::{Value, json};

use super::MailKind;
use super::wording::{Language, Wording, wording};
use crate::model::metadata::Metadata;

/// The operator's templates, which replace the built-in ones in all languages.
#[derive(Debug, Clone, Default)]
pub struct TemplateOverrides {
    /// HTML bodies.
    pub bodies: BTreeMap<MailKind, String>,
    /// Addresses from which HTML bodies are fetched periodically.
    pub addresses: BTreeMap<MailKind, String>,
    /// Subjects.
    pub subjects: BTreeMap<MailKind, String>,
}

impl TemplateOverrides {
    /// Every template that does not parse, with the reason; reported to the operator at start.
    pub fn problems(&self) -> Vec<(MailKind, TemplateError)> {
        let all = self.bodies.iter().chain(&self.subjects);
        all.filter_map(|(kind, text)| Some((*kind, Template::parse(text).err()?))).collect()
    }
}

/// The brand in the built-in mails; an operator's templates contain their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailBrand {
    /// `COMPAT_MAILER_BRAND_NAME`: the end of the subject and the heading of the text; empty for
    /// none.
    pub name: String,
    /// `COMPAT_MAILER_BRAND_COLOUR`: the colour of the button, with white text on it; `#rrggbb`.
    pub colour: String,
}

impl Default for MailBrand {
    fn default() -> Self {
        Self { name: String::new(), colour: "#3d3ae0".to_owned() }
    }
}

impl MailBrand {
    /// Whether the colour is valid; any other text could end the HTML attribute that contains it.
    pub fn has_colour(&self) -> bool {
        let digits = self.colour.strip_prefix('#').unwrap_or_default();
        digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
    }
}

/// The values of one email.
pub struct EmailFacts<'a> {
    pub kind: MailKind,
    pub to: &'a str,
    /// The address of the account, which may differ from the recipient.
    pub email: &'a str,
    pub new_email: &'a str,
    pub token: &'a str,
    pub token_hash: &'a str,
    /// Empty for mails without a link.
    pub confirmation_url: &'a str,
    pub redirect_to: &'a str,
    pub user_metadata: &'a Metadata,
    /// Further values of a notice, by their names in templates.
    pub details: &'a [(&'static str, &'a str)],
    pub at: DateTime<Utc>,
}

/// Renders emails from templates.
pub struct EmailRenderer {
    bodies: RwLock<BTreeMap<MailKind, Template>>,
    subjects: BTreeMap<MailKind, Template>,
    default_language: Language,
    site_url: String,
    brand: MailBrand,
}

impl EmailRenderer {
    /// Compiles the overrides. One that does not parse is logged, and the built-in template is used
    /// instead.
    pub fn new(
        overrides: &TemplateOverrides,
        default_language: &str,
        site_url: &str,
        brand: &MailBrand,
    ) -> Self {
        Self {
            bodies: RwLock::new(compiled(&overrides.bodies)),
            subjects: compiled(&overrides.subjects),
            default_language: Language::from_tag(default_language).unwrap_or(Language::English),
            site_url: site_url.to_owned(),
            brand: brand.clone(),
        }
    }

    /// Replaces the body of a kind of mail with a fetched one.
    ///
    /// # Errors
    /// The text does not parse; the previous body stays in use.
    pub fn replace_body(&self, kind: MailKind, text: &str) -> Result<(), TemplateError> {
        let template = Template::parse(text)?;
        self.bodies.write().unwrap_or_else(PoisonError::into_inner).insert(kind, template);
        Ok(())
    }

    /// Renders an email.
    pub fn render(&self, facts: &EmailFacts<'_>) -> Email {
        let language = self.language(facts.user_metadata);
        let words = wording(facts.kind, language);
        let data = self.data(facts);
        let own = self.bodies.read().unwrap_or_else(PoisonError::into_inner);
        let html = match own.get(&facts.kind) {
            Some(template) => template.render(&data, escape_html),
            None => built_in_html(&words, language, facts, &data, &self.brand),
        };
        drop(own);
        let subject = match self.subjects.get(&facts.kind) {
            Some(template) => template.render(&data, str::to_owned),
            None => self.signed(filled(words.subject, &data, str::to_owned)),
        };
        Email {
            to: facts.to.to_owned(),
            subject: subject.replace(['\r', '\n'], " "),
            html,
            text: built_in_text(&words, language, facts, &data, &self.brand),
            kind: facts.kind.name().into(),
            at: facts.at,
            headers: Vec::new(),
        }
    }

    fn signed(&self, subject: String) -> String {
        if self.brand.name.is_empty() {
            subject
        } else {
            format!("{subject} · {}", self.brand.name)
        }
    }

    fn language(&self, metadata: &Metadata) -> Language {
        let tag =
            ["lang", "language", "locale"].iter().find_map(|key| metadata.get(*key)?.as_str());
        tag.and_then(Language::from_tag).unwrap_or(self.default_language)
    }

    fn data(&self, facts: &EmailFacts<'_>) -> Value {
        let mut data = json!({
            "SiteURL": self.site_url,
            "ConfirmationURL": facts.confirmation_url,
            "Email": facts.email,
            "NewEmail": facts.new_email,
            "SendingTo": facts.to,
            "Token": facts.token,
            "TokenHash": facts.token_hash,
            "RedirectTo": facts.redirect_to,
            "Data": facts.user_metadata,
        });
        for (name, value) in facts.details {
            data[*name] = json!(value);
        }
        data
    }
}

fn compiled(texts: &BTreeMap<MailKind, String>) -> BTreeMap<MailKind, Template> {
    let compile = |(kind, text): (&MailKind, &String)| match Template::parse(text) {
        Ok(template) => Some((*kind, template)),
        Err(error) => {
            tracing::error!(kind = kind.name(), %error, "cannot parse a mail template; the built-in one is used");
            None
        }
    };
    texts.iter().filter_map(compile).collect()
}

/// Fills the placeholders of a built-in sentence. Tests parse all of these, so parsing cannot fail.
fn filled(sentence: &str, data: &Value, print: fn(&str) -> String) -> String {
    match Template::parse(sentence) {
        Ok(template) => template.render(data, print),
        Err(_) => sentence.to_owned(),
    }
}

fn built_in_html(
    words: &Wording,
    language: Language,
    facts: &EmailFacts<'_>,
    data: &Value,
    brand: &MailBrand,
) -> String {
    let lead = filled(words.lead, data, escape_html);
    let name = if brand.name.is_empty() {
        String::new()
    } else {
        format!(
            "<p style=\"margin:0 0 24px;color:{};font-size:18px;font-weight:700\">{}</p>",
            brand.colour,
            escape_html(&brand.name),
        )
    };
    let button = if facts.confirmation_url.is_empty() {
        String::new()
    } else {
        format!(
            "<p style=\"margin:24px 0\"><a href=\"{}\" style=\"display:inline-block;padding:12px 20px;\
             border-radius:8px;background:{};color:#fff;text-decoration:none;font-weight:600\">{}</a></p>",
            escape_html(facts.confirmation_url),
            brand.colour,
            words.button,
        )
    };
    let code = if facts.token.is_empty() {
        String::new()
    } else {
        format!(
            "<p>{} <strong style=\"font-size:20px;letter-spacing:2px\">{}</strong></p>",
            code_words(words, language, facts),
            escape_html(facts.token),
        )
    };
    format!(
        "<!doctype html><html lang=\"{}\"><body style=\"margin:0;background:#f4f4f6\">\
         <div style=\"max-width:520px;margin:0 auto;padding:32px 24px;background:#fff;\
         font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1e26\">{name}\
         <h1 style=\"font-size:22px;margin:0 0 16px\">{}</h1><p>{lead}</p>{button}\
         {code}\
         <p style=\"color:#5c6070;font-size:14px\">{}</p></div></body></html>",
        language.tag(),
        filled(words.subject, data, escape_html),
        words.footer,
    )
}

/// The label of the code: an alternative to the link, or the code alone.
fn code_words(words: &Wording, language: Language, facts: &EmailFacts<'_>) -> &'static str {
    if facts.confirmation_url.is_empty() { words.code } else { language.code_label() }
}

fn built_in_text(
    words: &Wording,
    language: Language,
    facts: &EmailFacts<'_>,
    data: &Value,
    brand: &MailBrand,
) -> String {
    let lead = filled(words.lead, data, str::to_owned);
    let link = if facts.confirmation_url.is_empty() {
        String::new()
    } else {
        format!("{}{}\n{}\n\n", words.button, language.colon(), facts.confirmation_url)
    };
    let code = if facts.token.is_empty() {
        String::new()
    } else {
        format!("{} {}\n\n", code_words(words, language, facts), facts.token)
    };
    let name =
        if brand.name.is_empty() { String::new() } else { format!("\n-- \n{}\n", brand.name) };
    format!("{lead}\n\n{link}{code}{}\n{name}", words.footer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(kind: MailKind, metadata: &Metadata) -> EmailFacts<'_> {
        EmailFacts {
            kind,
            to: "new@example.com",
            email: "<ada>@example.com",
            new_email: "new@example.com",
            token: "123456",
            token_hash: "hash",
            confirmation_url: "https://site.example/verify?token=hash&type=signup",
            redirect_to: "https://site.example",
            user_metadata: metadata,
            details: &[
                ("Provider", "corp"),
                ("FactorType", "totp"),
                ("OldEmail", "old@x.y"),
                ("Phone", "1555"),
            ],
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn metadata(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn every_built_in_sentence_parses_and_is_filled() {
        let renderer = EmailRenderer::new(
            &TemplateOverrides::default(),
            "en",
            "https://site.example",
            &MailBrand::default(),
        );
        for tag in ["en", "fr", "es"] {
            let metadata = metadata(json!({"lang": tag}));
            for kind in MailKind::REQUESTED {
                let mail = renderer.render(&facts(kind, &metadata));
                let full_text = format!("{}{}{}", mail.subject, mail.html, mail.text);
                assert!(!full_text.contains("{{"), "{full_text}");
                assert!(mail.html.contains("123456") && mail.text.contains("123456"));
                assert!(!mail.html.contains("<ada>"));
            }
        }
    }

    #[test]
    fn brand_name_and_colour_appear_in_mail() {
        let brand = MailBrand { name: "A & B".to_owned(), colour: "#6d3ae6".to_owned() };
        let renderer =
            EmailRenderer::new(&TemplateOverrides::default(), "fr", "https://site.example", &brand);
        let metadata = Metadata::new();
        let mail = renderer.render(&facts(MailKind::Confirmation, &metadata));
        assert_eq!(mail.subject, "Confirmez votre adresse e-mail · A & B");
        assert!(mail.html.contains("A &amp; B</p>") && mail.html.contains("background:#6d3ae6"));
        assert!(mail.text.contains("Confirmer mon adresse\u{a0}:\nhttps://"), "{}", mail.text);
        assert!(mail.text.contains("Ou saisissez ce code là où il est demandé\u{a0}: 123456"));
        assert!(mail.text.ends_with("\n-- \nA & B\n"), "{}", mail.text);
        for (colour, good) in
            [("#6D3AE6", true), ("red", false), ("#fff", false), ("#6d3ae6;", false)]
        {
            let brand = MailBrand { colour: colour.to_owned(), ..MailBrand::default() };
            assert_eq!(brand.has_colour(), good, "{colour}");
        }
    }

    #[test]
    fn a_notice_has_no_code_and_no_link() {
        let renderer = EmailRenderer::new(
            &TemplateOverrides::default(),
            "en",
            "https://site.example",
            &MailBrand::default(),
        );
        for tag in ["en", "fr", "es"] {
            let metadata = metadata(json!({"lang": tag}));
            for kind in MailKind::NOTICES {
                let mut notice = facts(kind, &metadata);
                (notice.token, notice.confirmation_url) = ("", "");
                let mail = renderer.render(&notice);
                let full_text = format!("{}{}{}", mail.subject, mail.html, mail.text);
                assert!(
                    !full_text.contains("{{") && !full_text.contains("letter-spacing"),
                    "{full_text}"
                );
                assert!(!mail.subject.is_empty() && !mail.html.contains("<a "));
            }
        }
    }

    #[test]
    fn replacement_template_is_used_unless_invalid() {
        let renderer = EmailRenderer::new(
            &TemplateOverrides::default(),
            "en",
            "https://site.example",
            &MailBrand::default(),
        );
        renderer.replace_body(MailKind::Recovery, "<i>{{ .Token }}</i>").unwrap();
        assert!(renderer.replace_body(MailKind::Recovery, "{{ .Token").is_err());
        let metadata = Metadata::new();
        assert_eq!(renderer.render(&facts(MailKind::Recovery, &metadata)).html, "<i>123456</i>");
    }

    #[test]
    fn mail_language_comes_from_metadata_or_setting() {
        let renderer = EmailRenderer::new(
            &TemplateOverrides::default(),
            "fr",
            "https://site.example",
            &MailBrand::default(),
        );
        let subject =
            |value: Value| renderer.render(&facts(MailKind::Recovery, &metadata(value))).subject;
        assert_eq!(subject(json!({})), "Réinitialisez votre mot de passe");
        assert_eq!(subject(json!({"lang": "xx"})), "Réinitialisez votre mot de passe");
        assert_eq!(subject(json!({"locale": "es-MX"})), "Restablece tu contraseña");
        assert_eq!(subject(json!({"lang": "en"})), "Reset your password");
    }

    #[test]
    fn an_operators_template_replaces_body_and_subject() {
        let mut overrides = TemplateOverrides::default();
        overrides.bodies.insert(MailKind::Recovery, "<b>{{ .Token }} {{ .Email }}</b>".to_owned());
        overrides.subjects.insert(MailKind::Recovery, "Hi {{ .Data.name }}".to_owned());
        let renderer =
            EmailRenderer::new(&overrides, "en", "https://site.example", &MailBrand::default());
        let metadata = metadata(json!({"name": "Ada\nBcc: x"}));
        let mail = renderer.render(&facts(MailKind::Recovery, &metadata));
        assert_eq!(mail.html, "<b>123456 &lt;ada&gt;@example.com</b>");
        assert_eq!(mail.subject, "Hi Ada Bcc: x");
    }

    #[test]
    fn a_broken_template_is_reported_by_kind() {
        let mut overrides = TemplateOverrides::default();
        overrides.bodies.insert(MailKind::Invite, "{{ .A".to_owned());
        let problems = overrides.problems();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].0, MailKind::Invite);
    }
}
