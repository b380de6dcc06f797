//! The sitemap with every page in every language, and `robots.txt`.
//!
//! The sitemap is an index of files with at most 10,000 addresses, each file in one language, so
//! that a file is quick to generate and to fetch. One file contains the permanent pages, the games
//! and the months. The others contain the servers in the order in which they were added, so that a
//! new server changes only the last file. An entry has a date where one is known: when an owner
//! changed a server, or when a month ended.

use std::fmt::Write as _;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use chrono::Months;
use compat_http::escape_html;
use compat_pg::PgError;
use futures_util::{StreamExt as _, stream};
use http::{StatusCode, header};
use ranking::{SitemapServer, sitemap_facts, sitemap_place, sitemap_servers};

use crate::address::paths::{path_of, switch_language};
use crate::answer::server_error;
use crate::site::Site;
use page_registry::Language;
use page_registry::PAGES;

/// The number of servers in a file.
const SERVERS: i64 = 9_000;
/// The number of servers that one query reads.
const CHUNK: i64 = 1_000;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const OPEN: &str = concat!(
    r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" "#,
    r#"xmlns:xhtml="http://www.w3.org/1999/xhtml" "#,
    r#"xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">"#,
    "\n"
);
const CLOSE: &str = "</urlset>\n";

/// `GET /sitemap.xml`: the index of files.
#[tracing::instrument(name = "pages.sitemap", skip_all)]
pub async fn index(State(site): State<Site>) -> Response {
    let facts = match sitemap_facts(site.owner()).await {
        Ok(facts) => facts,
        Err(error) => return server_error(&error),
    };
    let mut xml = String::from(DECLARATION);
    xml.push_str("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for language in Language::ALL.map(Language::code) {
        let servers =
            (1..=files(facts.servers)).map(|number| format!("servers-{language}-{number}"));
        for file in [format!("pages-{language}")].into_iter().chain(servers) {
            let address = escape_html(&format!("{}/sitemaps/{file}.xml", site.origin()));
            // Writing to a string cannot fail.
            let _ = writeln!(xml, "<sitemap><loc>{address}</loc></sitemap>");
        }
    }
    xml.push_str("</sitemapindex>\n");
    answer(Body::from(xml))
}

/// The number of files for this number of servers.
fn files(servers: i64) -> i64 {
    (servers + SERVERS - 1) / SERVERS
}

/// `GET /sitemaps/{file}`: a file of the sitemap.
#[tracing::instrument(name = "pages.sitemap_file", skip_all)]
pub async fn file(State(site): State<Site>, Path(file): Path<String>) -> Response {
    let language = |code: &str| Language::ALL.into_iter().find(|known| known.code() == code);
    let named = file.strip_suffix(".xml").and_then(|name| name.split_once('-'));
    match named {
        Some(("pages", code)) => match language(code) {
            Some(language) => pages(&site, language).await,
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Some(("servers", rest)) => {
            let read = rest.split_once('-');
            let read =
                read.and_then(|(code, number)| Some((language(code)?, number.parse().ok()?)));
            match read {
                Some((language, number @ 1..=1_000_000_i64)) => {
                    servers(site, language, (number - 1) * SERVERS).await
                }
                _ => StatusCode::NOT_FOUND.into_response(),
            }
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn pages(site: &Site, language: Language) -> Response {
    let facts = match sitemap_facts(site.owner()).await {
        Ok(facts) => facts,
        Err(error) => return server_error(&error),
    };
    let mut xml = format!("{DECLARATION}{OPEN}");
    let writer = Writer { origin: site.origin(), language };
    let mut add = |path: &str, query: &str| writer.entry(&mut xml, path, query, None, &[]);
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
    let months = facts.months.iter().map(|month| ("monthArchive", *month, String::new()));
    let games = facts.game_months.iter();
    let games = games.map(|(month, game)| ("gameMonthArchive", *month, format!("/{game}")));
    for (key, month, game) in months.chain(games) {
        let path = path_of(key, &format!("{}{game}", month.format("%Y-%m")), Language::Fr);
        // The page of a month does not change after the month has ended.
        let over = month.checked_add_months(Months::new(1));
        let over = over.map(|day| day.format("%Y-%m-%d").to_string());
        writer.entry(&mut xml, &path, "", over.as_deref(), &[]);
    }
    xml.push_str(CLOSE);
    answer(Body::from(xml))
}

/// Streams a file of servers as they are read, so that it needs little memory.
async fn servers(site: Site, language: Language, skip: i64) -> Response {
    let first = match sitemap_place(site.owner(), skip).await {
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Ok(first) => first,
        Err(error) => return server_error(&error),
    };
    let open = stream::iter([Ok(Bytes::from(format!("{DECLARATION}{OPEN}")))]);
    let close = stream::iter([Ok(Bytes::from_static(CLOSE.as_bytes()))]);
    let chunks = stream::try_unfold((site, first, SERVERS), move |(site, from, room)| async move {
        let (Some(from), 1..) = (from, room) else {
            return Ok(None);
        };
        let (chunk, next) = sitemap_servers(site.owner(), from, CHUNK.min(room)).await?;
        let text = Bytes::from(entries(&site, language, &chunk));
        Ok::<_, PgError>(Some((text, (site, next, room - CHUNK))))
    });
    answer(Body::from_stream(open.chain(chunks).chain(close)))
}

fn entries(site: &Site, language: Language, servers: &[SitemapServer]) -> String {
    let writer = Writer { origin: site.origin(), language };
    let mut xml = String::new();
    for server in servers {
        let changed = server.updated_at.format("%Y-%m-%d").to_string();
        let path = path_of("server", &server.slug, Language::Fr);
        let pictures = [&server.logo_url, &server.banner_url];
        let pictures: Vec<&str> = pictures.into_iter().flatten().map(String::as_str).collect();
        writer.entry(&mut xml, &path, "", Some(&changed), &pictures);
    }
    xml
}

/// A writer for the entries of a file.
struct Writer<'a> {
    origin: &'a str,
    language: Language,
}

impl Writer<'_> {
    /// Writes the entry of a page, given by its French path, with its translations and pictures.
    fn entry(
        &self,
        xml: &mut String,
        path: &str,
        query: &str,
        changed: Option<&str>,
        pictures: &[&str],
    ) {
        let address = |language| {
            escape_html(&format!("{}{}{query}", self.origin, switch_language(path, language)))
        };
        // Writing to a string cannot fail.
        let _ = write!(xml, "<url><loc>{}</loc>", address(self.language));
        if let Some(changed) = changed {
            let _ = write!(xml, "<lastmod>{changed}</lastmod>");
        }
        let regions = Language::ALL.map(|other| (other.region(), address(other)));
        for (code, href) in regions.into_iter().chain([("x-default", address(Language::Fr))]) {
            let _ = write!(xml, r#"<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>"#);
        }
        for picture in pictures {
            let origin = if picture.starts_with('/') { self.origin } else { "" };
            let picture = escape_html(&format!("{origin}{picture}"));
            let _ = write!(xml, "<image:image><image:loc>{picture}</image:loc></image:image>");
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
        const { assert!(SERVERS <= 10_000) };
        assert_eq!((files(0), files(1), files(9_000), files(100_001)), (0, 1, 1, 12));
    }

    #[test]
    fn sitemap_entry_lists_translations_and_pictures() {
        let mut xml = String::new();
        let writer = Writer { origin: "https://p.example", language: Language::Es };
        let pictures = ["/a.png", "https://b.example/?a&b"];
        writer.entry(&mut xml, "/serveur/astra", "", Some("2026-11-22"), &pictures);
        for text in [
            "<loc>https://p.example/es/servidor/astra</loc><lastmod>2026-11-22</lastmod>",
            r#"hreflang="fr-FR" href="https://p.example/serveur/astra"/>"#,
            r#"hreflang="en-US" href="https://p.example/en/server/astra"/>"#,
            r#"hreflang="es-ES" href="https://p.example/es/servidor/astra"/>"#,
            r#"hreflang="x-default" href="https://p.example/serveur/astra"/>"#,
            "<image:loc>https://p.example/a.png</image:loc>",
            "<image:loc>https://b.example/?a&amp;b</image:loc>",
        ] {
            assert!(xml.contains(text), "{text}\n{xml}");
        }
        assert_eq!(xml.matches("<loc>").count(), 1);
    }

    #[test]
    fn announced_pages_are_not_in_the_sitemap() {
        assert!(PAGES.iter().any(|page| page.key == "home" && page.indexed));
        assert!(
            PAGES.iter().filter(|page| page.key.starts_with("admin")).all(|page| !page.indexed)
        );
    }
}
