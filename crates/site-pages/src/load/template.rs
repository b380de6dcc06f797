//! The built page as a template, with placeholders for the parts that differ by response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use page_registry::Language;

/// The placeholders of a built page, in their order, and the part of a response that replaces each.
const PLACEHOLDERS: [(&str, Var); 5] = [
    ("<html lang=\"fr\"", |vars| &vars.html_tag),
    ("<!--palmares:head-->", |vars| &vars.head),
    ("<!--palmares:config-->", |vars| &vars.config),
    ("<!--palmares:root-->", |vars| &vars.root),
    ("<!--palmares:data-->", |vars| &vars.data),
];

type Var = fn(&TemplateVars) -> &str;

/// The parsed template.
pub struct Template {
    /// The text before each placeholder, and the part that replaces the placeholder.
    pieces: Vec<(String, Var)>,
    /// The text after the last placeholder.
    rest: String,
    /// The content security policy, which names the inline scripts of the page by their hashes.
    pub policy: HeaderValue,
}

/// The parts of one response, as HTML.
#[derive(Debug, Default)]
pub struct TemplateVars {
    html_tag: String,
    /// Title, description, addresses and preloads.
    pub head: String,
    /// The settings that the pages need to start.
    pub config: String,
    /// The content that is shown until the app renders.
    pub root: String,
    /// The style sheets, texts and rows that the app needs to render.
    pub data: String,
}

impl TemplateVars {
    /// Empty parts for a page in this language.
    pub fn new(language: Language) -> Self {
        Self { html_tag: format!("<html lang=\"{}\"", language.code()), ..Self::default() }
    }
}

impl Template {
    /// Parses a built page. A part without a placeholder is left out of the responses. `captcha`
    /// are the sources of an external captcha provider; `origin` is the site's address.
    pub fn parse(html: &str, captcha: &str, origin: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = html;
        for (placeholder, var) in PLACEHOLDERS {
            if let Some((piece, behind)) = rest.split_once(placeholder) {
                pieces.push((piece.to_owned(), var));
                rest = behind;
            }
        }
        Self {
            pieces,
            rest: rest.to_owned(),
            policy: content_security_policy(html, captcha, origin),
        }
    }

    /// Renders the page with these parts.
    pub fn fill(&self, vars: &TemplateVars) -> String {
        let length: usize =
            self.pieces.iter().map(|(piece, var)| piece.len() + var(vars).len()).sum();
        let mut html = String::with_capacity(length + self.rest.len());
        for (piece, var) in &self.pieces {
            html.push_str(piece);
            html.push_str(var(vars));
        }
        html.push_str(&self.rest);
        html
    }
}

/// Scripts come from this origin or are inlined by the build. Pictures come from this origin, too:
/// the site copies pictures of other sites, so that no visitor's browser contacts a third party.
/// Sockets are listed beside `'self'`, because not every browser applies `'self'` to them.
fn content_security_policy(html: &str, captcha: &str, origin: &str) -> HeaderValue {
    let sockets = socket_origin(origin);
    let hashes: String = inline_scripts(html)
        .map(|script| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script))))
        .collect();
    let policy = format!(
        "default-src 'self'; script-src 'self'{hashes}{captcha}; \
         style-src 'self' 'unsafe-inline'{captcha}; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self' {sockets}{captcha}; worker-src 'self' blob:; \
         media-src 'none'; frame-src 'self' https://www.youtube-nocookie.com{captcha}; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
}

/// The origin of the sockets of the site at `origin`.
pub fn socket_origin(origin: &str) -> String {
    origin.replacen("http", "ws", 1)
}

/// The text of every script element without attributes.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</script>"))
        .map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: &str = "https://palmares.example";

    #[test]
    fn csp_allows_inline_scripts_by_hash() {
        let policy =
            content_security_policy("<script>a()</script><script src='/b.js'></script>", "", SITE);
        let text = policy.to_str().expect("a text");
        // printf 'a()' | openssl dgst -sha256 -binary | base64
        let hash = STANDARD.encode(Sha256::digest("a()"));
        assert!(text.contains(&format!("script-src 'self' 'sha256-{hash}';")), "{text}");
        assert_eq!(text.matches("sha256-").count(), 1);
    }

    #[test]
    fn pictures_come_from_the_site_alone() {
        let policy = content_security_policy("", " https://challenges.cloudflare.com", SITE);
        let text = policy.to_str().expect("a text");
        assert!(text.contains("; img-src 'self' data: blob:;"), "{text}");
    }

    #[test]
    fn sockets_lead_to_the_site_alone() {
        for (origin, sockets) in [
            (SITE, "connect-src 'self' wss://palmares.example;"),
            ("http://127.0.0.1:8000", "connect-src 'self' ws://127.0.0.1:8000;"),
        ] {
            let policy = content_security_policy("", "", origin);
            let text = policy.to_str().expect("a text");
            assert!(text.contains(sockets), "{text}");
        }
    }

    #[test]
    fn csp_allows_the_configured_captcha_only() {
        let policy = content_security_policy("", " https://challenges.cloudflare.com", SITE);
        let text = policy.to_str().expect("a text");
        assert_eq!(text.matches("challenges.cloudflare.com").count(), 4, "{text}");
        assert!(!text.contains("hcaptcha"), "{text}");
        let own_captcha = content_security_policy("", "", SITE);
        assert!(!own_captcha.to_str().expect("a text").contains("cloudflare"));
    }

    #[test]
    fn every_part_stands_in_its_place_or_nowhere() {
        let html = "<!doctype html><html lang=\"fr\"><!--palmares:head--><body><p>fr</p>\
                    <!--palmares:data--></body>";
        let vars = TemplateVars {
            head: "<title>x</title>".into(),
            root: "<h1>x</h1>".into(),
            // A placeholder inside a part is not replaced.
            data: "<!--palmares:root-->".into(),
            ..TemplateVars::new(Language::Es)
        };
        assert_eq!(
            Template::parse(html, "", SITE).fill(&vars),
            "<!doctype html><html lang=\"es\"><title>x</title><body><p>fr</p>\
             <!--palmares:root--></body>"
        );
    }
}
