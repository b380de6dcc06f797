//! What search engines are told: every page in every language, and where robots may not go.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header;
use ranking::sitemap_facts;

use super::failed;
use super::head::escape;
use super::paths::{Language, path_of, switch_language};
use super::registry::PAGES;
use super::site::Site;

/// `GET /sitemap.xml`.
#[tracing::instrument(name = "pages.sitemap", skip_all)]
pub async fn show(State(site): State<Site>) -> Response {
    let facts = match sitemap_facts(site.owner()).await {
        Ok(facts) => facts,
        Err(error) => return failed(&error),
    };
    let mut xml = String::from(concat!(
        r#"<?xml version="1.0" encoding="UTF-8"?>"#,
        "\n",
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">"#,
        "\n",
    ));
    for page in PAGES.iter().filter(|page| page.indexed && !page.has_params()) {
        entry(&mut xml, site.origin(), &path_of(page, Language::Fr), None);
    }
    for game in &facts.games {
        entry(&mut xml, site.origin(), &format!("/game/{game}"), None);
    }
    for word in &facts.shortcuts {
        entry(&mut xml, site.origin(), &format!("/serveurs-{word}"), None);
    }
    for (slug, changed) in &facts.servers {
        let changed = changed.format("%Y-%m-%d").to_string();
        entry(&mut xml, site.origin(), &format!("/serveur/{slug}"), Some(&changed));
    }
    xml.push_str("</urlset>\n");
    ([(header::CONTENT_TYPE, "application/xml")], xml).into_response()
}

/// One page with its translations.
fn entry(xml: &mut String, origin: &str, path: &str, changed: Option<&str>) {
    let address = |language| escape(&format!("{origin}{}", switch_language(path, language)));
    // Writing to a string cannot fail.
    let _ = write!(xml, "<url><loc>{}</loc>", address(Language::Fr));
    if let Some(changed) = changed {
        let _ = write!(xml, "<lastmod>{changed}</lastmod>");
    }
    for language in Language::ALL {
        let _ = write!(
            xml,
            r#"<xhtml:link rel="alternate" hreflang="{}" href="{}"/>"#,
            language.code(),
            address(language)
        );
    }
    xml.push_str("</url>\n");
}

/// `GET /robots.txt`.
pub async fn robots(State(site): State<Site>) -> String {
    format!(
        "User-agent: *\nDisallow: /admin\nDisallow: /auth/\nDisallow: /rest/\nDisallow: /functions/\n\
         Disallow: /mailbox\n\nSitemap: {}/sitemap.xml\n",
        site.origin()
    )
}
