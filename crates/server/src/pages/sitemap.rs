//! What search engines are told: every page in every language, and where robots may not go.
//!
//! The sitemap is an index of files of at most 10,000 addresses, so that each is made and fetched
//! at once: one of the pages that are always there and the games, the others of the servers in
//! the order they were added, so that a new one changes the last file only.

use std::fmt::Write as _;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use compat_stack::pg::PgError;
use futures_util::{StreamExt as _, stream};
use http::{StatusCode, header};
use ranking::{SitemapServer, sitemap_facts, sitemap_place, sitemap_servers};

use super::failed;
use super::head::escape;
use super::paths::{Language, path_of, switch_language};
use super::registry::PAGES;
use super::site::Site;

/// Servers in a file: each is named once for every language, below 10,000 altogether.
const SERVERS: i64 = 3_000;
/// Servers read and written at once.
const CHUNK: i64 = 1_000;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const OPEN: &str = concat!(
    r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" "#,
    r#"xmlns:xhtml="http://www.w3.org/1999/xhtml">"#,
    "\n"
);
const CLOSE: &str = "</urlset>\n";

/// `GET /sitemap.xml`: the files there are.
#[tracing::instrument(name = "pages.sitemap", skip_all)]
pub async fn index(State(site): State<Site>) -> Response {
    let facts = match sitemap_facts(site.owner()).await {
        Ok(facts) => facts,
        Err(error) => return failed(&error),
    };
    let mut xml = String::from(DECLARATION);
    xml.push_str("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let servers = (1..=files(facts.servers)).map(|number| format!("servers-{number}"));
    for file in ["pages".to_owned()].into_iter().chain(servers) {
        let address = escape(&format!("{}/sitemaps/{file}.xml", site.origin()));
        // Writing to a string cannot fail.
        let _ = writeln!(xml, "<sitemap><loc>{address}</loc></sitemap>");
    }
    xml.push_str("</sitemapindex>\n");
    answer(Body::from(xml))
}

/// How many files so many servers fill.
fn files(servers: i64) -> i64 {
    (servers + SERVERS - 1) / SERVERS
}

/// `GET /sitemaps/{file}`: one of them.
#[tracing::instrument(name = "pages.sitemap_file", skip_all)]
pub async fn file(State(site): State<Site>, Path(file): Path<String>) -> Response {
    if file == "pages.xml" {
        return pages(&site).await;
    }
    let number = file.strip_prefix("servers-").and_then(|rest| rest.strip_suffix(".xml"));
    match number.and_then(|number| number.parse::<i64>().ok()) {
        Some(number @ 1..=1_000_000) => servers(site, (number - 1) * SERVERS).await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn pages(site: &Site) -> Response {
    let facts = match sitemap_facts(site.owner()).await {
        Ok(facts) => facts,
        Err(error) => return failed(&error),
    };
    let mut xml = format!("{DECLARATION}{OPEN}");
    let mut add = |path: &str, query: &str| entry(&mut xml, site.origin(), path, query, None);
    for page in PAGES.iter().filter(|page| page.indexed && !page.has_params()) {
        add(&path_of(&page.key, "", Language::Fr), "");
    }
    for (game, page) in &facts.games {
        let query = if game == page { String::new() } else { format!("?game={game}") };
        add(&path_of("game", page, Language::Fr), &query);
    }
    for word in &facts.shortcuts {
        add(&path_of("shortcut", word, Language::Fr), "");
    }
    for game in &facts.halls {
        add(&path_of("gameHall", game, Language::Fr), "");
    }
    for event in &facts.events {
        add(&path_of("competitiveEvent", &event.to_string(), Language::Fr), "");
    }
    xml.push_str(CLOSE);
    answer(Body::from(xml))
}

/// Servers are written as they are read, so that a file costs little memory.
async fn servers(site: Site, skip: i64) -> Response {
    let first = match sitemap_place(site.owner(), skip).await {
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Ok(first) => first,
        Err(error) => return failed(&error),
    };
    let open = stream::iter([Ok(Bytes::from(format!("{DECLARATION}{OPEN}")))]);
    let close = stream::iter([Ok(Bytes::from_static(CLOSE.as_bytes()))]);
    let chunks = stream::try_unfold((site, first, SERVERS), |(site, from, room)| async move {
        let (Some(from), 1..) = (from, room) else {
            return Ok(None);
        };
        let (chunk, next) = sitemap_servers(site.owner(), from, CHUNK.min(room)).await?;
        let text = Bytes::from(entries(&site, &chunk));
        Ok::<_, PgError>(Some((text, (site, next, room - CHUNK))))
    });
    answer(Body::from_stream(open.chain(chunks).chain(close)))
}

fn entries(site: &Site, servers: &[SitemapServer]) -> String {
    let mut xml = String::new();
    for server in servers {
        let changed = server.updated_at.format("%Y-%m-%d").to_string();
        let path = path_of("server", &server.slug, Language::Fr);
        entry(&mut xml, site.origin(), &path, "", Some(&changed));
    }
    xml
}

/// One page in each language, with its translations.
fn entry(xml: &mut String, origin: &str, path: &str, query: &str, changed: Option<&str>) {
    let address = |language| escape(&format!("{origin}{}{query}", switch_language(path, language)));
    for language in Language::ALL {
        // Writing to a string cannot fail.
        let _ = write!(xml, "<url><loc>{}</loc>", address(language));
        if let Some(changed) = changed {
            let _ = write!(xml, "<lastmod>{changed}</lastmod>");
        }
        let regions = Language::ALL.map(|other| (other.region(), address(other)));
        for (code, href) in regions.into_iter().chain([("x-default", address(Language::Fr))]) {
            let _ = write!(xml, r#"<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>"#);
        }
        xml.push_str("</url>\n");
    }
}

fn answer(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "application/xml")], body).into_response()
}

/// `GET /robots.txt`.
pub async fn robots(State(site): State<Site>) -> String {
    format!(
        "User-agent: *\nDisallow: /admin\nDisallow: /auth/\nDisallow: /rest/\nDisallow: /functions/\n\
         Disallow: /mailbox\n\nSitemap: {}/sitemap.xml\n",
        site.origin()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_names_more_than_ten_thousand_addresses() {
        let languages = i64::try_from(Language::ALL.len()).expect("a few");
        assert!(SERVERS * languages <= 10_000);
        assert_eq!((files(0), files(1), files(3_000), files(100_001)), (0, 1, 1, 34));
    }

    #[test]
    fn a_page_is_named_in_every_language_with_its_translations() {
        let mut xml = String::new();
        entry(&mut xml, "https://p.example", "/serveur/astra", "", Some("2026-11-22"));
        for text in [
            "<loc>https://p.example/serveur/astra</loc><lastmod>2026-11-22</lastmod>",
            "<loc>https://p.example/en/server/astra</loc>",
            "<loc>https://p.example/es/servidor/astra</loc>",
            r#"hreflang="es-ES" href="https://p.example/es/servidor/astra"/>"#,
        ] {
            assert!(xml.contains(text), "{text}\n{xml}");
        }
        assert_eq!(xml.matches("hreflang=\"x-default\"").count(), 3);
    }

    #[test]
    fn what_is_not_built_yet_is_not_named() {
        assert!(PAGES.iter().any(|page| page.key == "home" && page.indexed));
        assert!(
            PAGES.iter().filter(|page| page.key.starts_with("admin")).all(|page| !page.indexed)
        );
    }
}
