//! The head of a page: title, description, canonical address, translations, social card, and
//! structured data.

pub mod description;
pub mod keywords;
pub mod texts;

use std::fmt::Write as _;

use compat_http::escape_html;
use serde_json::{Value, json};

use super::html::in_script;

use crate::address::paths::switch_language;
use crate::load::above_fold::AboveFold;
use page_registry::Language;

/// The media type of a feed.
pub const FEED: &str = "application/atom+xml";

/// The head of one page in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The page's language.
    pub language: Language,
    /// The canonical path of the page in this language, whatever path was requested.
    pub path: String,
    /// The query that is part of the canonical address, with its question mark; may be empty.
    pub query: String,
    /// The title in the tab, in search results and on the card.
    pub title: String,
    /// The description, one or two sentences.
    pub description: String,
    /// The path or address of the card's picture, 1200 by 630 pixels.
    pub image: String,
    /// The path of the feed with what the page lists, where there is one.
    pub feed: Option<String>,
    /// The Open Graph type: `website`, `profile`, ….
    pub kind: &'static str,
    /// Whether search engines may index the page.
    pub indexed: bool,
    /// The keywords of the page, the main one first.
    pub keywords: Vec<String>,
    /// The structured data, as schema.org objects without their context.
    pub structured: Vec<Value>,
    /// The part of the page that is shown before its script runs, where that is known.
    pub above_fold: Option<AboveFold>,
}

impl Head {
    /// Renders the elements for the placeholder in the built page.
    pub fn render(&self, site: &str, origin: &str) -> String {
        let address = |path: &str| {
            if path.starts_with('/') { format!("{origin}{path}") } else { path.to_owned() }
        };
        let mut out = String::with_capacity(2048);
        let mut line = |text: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = out.write_fmt(text);
            out.push('\n');
        };
        let (title, description) = (escape_html(&self.title), escape_html(&self.description));
        let canonical = escape_html(&address(&format!("{}{}", self.path, self.query)));
        line(format_args!("<title>{title}</title>"));
        line(format_args!(r#"<meta name="description" content="{description}" />"#));
        if !self.keywords.is_empty() {
            let keywords = escape_html(&self.keywords.join(", "));
            line(format_args!(r#"<meta name="keywords" content="{keywords}" />"#));
        }
        if !self.indexed {
            line(format_args!(r#"<meta name="robots" content="noindex" />"#));
        }
        line(format_args!(r#"<link rel="canonical" href="{canonical}" />"#));
        for (code, path) in self.alternates() {
            let href = escape_html(&address(&path));
            line(format_args!(r#"<link rel="alternate" hreflang="{code}" href="{href}" />"#));
        }
        if let Some(feed) = &self.feed {
            let href = escape_html(&address(feed));
            line(format_args!(r#"<link rel="alternate" type="{FEED}" href="{href}" />"#));
        }
        let locale = self.language.locale();
        let image = escape_html(&address(&self.image));
        for (property, content) in [
            ("og:site_name", escape_html(site)),
            ("og:type", self.kind.to_owned()),
            ("og:title", title.clone()),
            ("og:description", description.clone()),
            ("og:url", canonical.clone()),
            ("og:locale", locale.to_owned()),
            ("og:image", image.clone()),
            ("og:image:width", "1200".to_owned()),
            ("og:image:height", "630".to_owned()),
        ] {
            line(format_args!(r#"<meta property="{property}" content="{content}" />"#));
        }
        line(format_args!(r#"<meta name="twitter:card" content="summary_large_image" />"#));
        if !self.structured.is_empty() {
            let graph = json!({"@context": "https://schema.org", "@graph": self.structured});
            let json = in_script(&graph);
            line(format_args!(r#"<script type="application/ld+json">{json}</script>"#));
        }
        out
    }

    /// The page in every language, this one included, and the default for all others; empty for a
    /// page that must not be indexed.
    fn alternates(&self) -> Vec<(&'static str, String)> {
        let address = |language| format!("{}{}", switch_language(&self.path, language), self.query);
        Language::ALL
            .into_iter()
            .map(|language| (language.region(), address(language)))
            .chain([("x-default", address(Language::Fr))])
            .filter(|_| self.indexed)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            language: Language::En,
            path: "/en/server/astra".into(),
            query: String::new(),
            title: "Astra \"<b>\" & co".into(),
            description: "d".into(),
            image: "/pictures/social-card.jpg".into(),
            feed: Some("/feeds/en/new.atom".into()),
            kind: "website",
            indexed: true,
            keywords: vec!["Astra".into(), "a \"b\"".into()],
            structured: vec![json!({"name": "</script><script>alert(1)"})],
            above_fold: None,
        }
    }

    #[test]
    fn markup_in_server_names_is_escaped() {
        let html = head().render("Palmarès", "https://p.example");
        assert!(html.contains("<title>Astra &quot;&lt;b&gt;&quot; &amp; co</title>"), "{html}");
        assert_eq!(html.matches("</script>").count(), 1, "{html}");
        assert!(html.contains(r#"{"name":"\u003c/script>\u003cscript>alert(1)"}"#), "{html}");
    }

    #[test]
    fn unindexed_page_has_no_alternate_links() {
        let html = Head { indexed: false, ..head() }.render("Palmarès", "https://p.example");
        assert!(html.contains(r#"<meta name="robots" content="noindex" />"#), "{html}");
        assert!(!html.contains("hreflang"), "{html}");
    }

    #[test]
    fn canonical_and_alternate_links_keep_the_query() {
        let head =
            Head { path: "/en/game/minecraft".into(), query: "?game=flyff".into(), ..head() };
        let html = head.render("Palmarès", "https://p.example");
        for line in [
            r#"<link rel="canonical" href="https://p.example/en/game/minecraft?game=flyff" />"#,
            r#"hreflang="es-ES" href="https://p.example/es/game/minecraft?game=flyff" />"#,
            r#"<meta name="keywords" content="Astra, a &quot;b&quot;" />"#,
        ] {
            assert!(html.contains(line), "{line}\n{html}");
        }
    }

    #[test]
    fn every_page_names_itself_and_its_translations() {
        let html = head().render("Palmarès", "https://p.example");
        for line in [
            r#"<link rel="canonical" href="https://p.example/en/server/astra" />"#,
            r#"<link rel="alternate" hreflang="fr-FR" href="https://p.example/serveur/astra" />"#,
            r#"<link rel="alternate" hreflang="en-US" href="https://p.example/en/server/astra" />"#,
            r#"<link rel="alternate" hreflang="es-ES" href="https://p.example/es/servidor/astra" />"#,
            r#"<link rel="alternate" hreflang="x-default" href="https://p.example/serveur/astra" />"#,
            r#"<link rel="alternate" type="application/atom+xml" href="https://p.example/feeds/en/new.atom" />"#,
            r#"<meta property="og:image" content="https://p.example/pictures/social-card.jpg" />"#,
        ] {
            assert!(html.contains(line), "{line}\n{html}");
        }
    }
}
