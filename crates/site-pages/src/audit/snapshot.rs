//! A page as seen by a crawler that runs no script.

use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

/// The parts of a page that rules check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageSnapshot {
    /// The status of the response; 0 when there was none.
    pub status: u16,
    pub language: String,
    pub titles: Vec<String>,
    pub descriptions: Vec<String>,
    /// The directives for robots, from the page and its headers.
    pub robots: String,
    pub canonicals: Vec<String>,
    /// The translations: language and address.
    pub alternates: Vec<(String, String)>,
    /// The elements `og:…` and `twitter:…`.
    pub card: Vec<(String, String)>,
    pub headings: Vec<String>,
    /// The structured data, parsed, or the reason why parsing failed.
    pub structured: Vec<Result<Value, String>>,
    /// The number of words in the page.
    pub words: usize,
    /// The targets of the page's links, as they are written.
    pub links: Vec<String>,
}

impl PageSnapshot {
    /// Parses a page.
    pub fn read(status: u16, robots: &str, html: &str) -> Self {
        let page = Document(Html::parse_document(html));
        let named = |name: &str| page.values(&format!("meta[name='{name}']"), "content");
        let mut directives = named("robots");
        // Crawlers obey the `X-Robots-Tag` header as they obey the meta elements.
        directives.push(robots.to_owned());
        let structured = page.all("script[type='application/ld+json']").into_iter();
        let structured = structured.map(|script| {
            let json: String = script.text().collect();
            serde_json::from_str(&json).map_err(|error| error.to_string())
        });
        let bodies = page.all("body").into_iter();
        Self {
            status,
            language: page.values("html", "lang").pop().unwrap_or_default(),
            titles: page.texts("head > title"),
            descriptions: named("description"),
            robots: directives.join(",").to_lowercase(),
            canonicals: page.values("link[rel='canonical']", "href"),
            alternates: page.pairs("link[rel='alternate'][hreflang]", "hreflang", "href"),
            card: [
                page.pairs("meta[property^='og:']", "property", "content"),
                page.pairs("meta[name^='twitter:']", "name", "content"),
            ]
            .concat(),
            headings: page.texts("h1"),
            structured: structured.collect(),
            words: bodies.map(|body| text_of(body).split_whitespace().count()).sum(),
            links: page.values("body a[href]", "href"),
        }
    }

    /// The canonical address; empty where the page has none.
    pub fn canonical(&self) -> &str {
        self.canonicals.first().map_or("", String::as_str)
    }

    /// The value of an element of the card; empty where it is missing.
    pub fn card(&self, name: &str) -> &str {
        self.card.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Whether robots are asked not to index the page.
    pub fn is_withheld(&self) -> bool {
        self.robots.split([',', ' ']).any(|word| matches!(word, "noindex" | "none"))
    }
}

struct Document(Html);

impl Document {
    /// The elements that match a selector. An invalid selector matches nothing; the tests would
    /// notice it.
    fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        Selector::parse(selector).map_or_else(
            |_| Vec::new(),
            |parsed_selector| self.0.select(&parsed_selector).collect(),
        )
    }

    fn values(&self, selector: &str, name: &str) -> Vec<String> {
        let all = self.all(selector).into_iter();
        all.filter_map(|element| element.attr(name)).map(|text| text.trim().to_owned()).collect()
    }

    fn pairs(&self, selector: &str, name: &str, value: &str) -> Vec<(String, String)> {
        let all = self.all(selector).into_iter();
        all.filter_map(|element| Some((element.attr(name)?.into(), element.attr(value)?.into())))
            .collect()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        let all = self.all(selector).into_iter();
        all.map(|element| element.text().collect::<String>().trim().to_owned()).collect()
    }
}

/// The visible text of an element, without scripts, styles, drawings and `noscript`.
fn text_of(element: ElementRef<'_>) -> String {
    let mut text = String::new();
    for child in element.children() {
        if let Some(words) = child.value().as_text() {
            text.push_str(words);
        } else if let Some(inner) = ElementRef::wrap(child)
            && !matches!(inner.value().name(), "script" | "style" | "template" | "noscript" | "svg")
        {
            // The texts of neighbouring elements are separate words.
            text.push(' ');
            text.push_str(&text_of(inner));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<!doctype html><html lang="en"><head><title> A &amp; B </title>
        <meta name="description" content="d"><meta name="robots" content="NoIndex">
        <link rel="canonical" href="https://p.example/en">
        <link rel="alternate" hreflang="fr-FR" href="https://p.example/">
        <link rel="alternate" type="application/atom+xml" href="/feed">
        <meta property="og:title" content="A"><meta name="twitter:card" content="summary">
        <script type="application/ld+json">{"@type":"WebSite"}</script>
        <script type="application/ld+json">{oops</script></head>
        <body><h1>One</h1><p>two<b>three</b> four</p><script>five()</script>
        <noscript>six</noscript><a href="/en/server/x">seven</a></body></html>"#;

    #[test]
    fn snapshot_reads_seo_metadata_from_html() {
        let snapshot = PageSnapshot::read(200, "", PAGE);
        assert_eq!((&*snapshot.language, &*snapshot.titles), ("en", &["A & B".to_owned()][..]));
        assert_eq!(
            (&*snapshot.descriptions, &*snapshot.headings),
            (&["d".into()][..], &["One".into()][..])
        );
        assert_eq!((snapshot.canonical(), snapshot.is_withheld()), ("https://p.example/en", true));
        assert_eq!(snapshot.alternates, [("fr-FR".to_owned(), "https://p.example/".to_owned())]);
        assert_eq!((snapshot.card("og:title"), snapshot.card("twitter:card")), ("A", "summary"));
        assert_eq!(snapshot.structured[0], Ok(serde_json::json!({"@type": "WebSite"})));
        assert!(snapshot.structured[1].is_err());
        assert_eq!((snapshot.words, &*snapshot.links), (5, &["/en/server/x".to_owned()][..]));
    }

    #[test]
    fn robots_hear_it_beside_the_page_too() {
        assert!(!PageSnapshot::read(200, "", "<p>x").is_withheld());
        assert!(PageSnapshot::read(200, "noindex, nofollow", "<p>x").is_withheld());
    }
}
