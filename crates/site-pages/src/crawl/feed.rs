//! Feeds of new servers, of all games or of one, in each language: Atom 1.0 (RFC 4287).

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use compat_http::escape_html;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use page_registry::is_slug;
use ranking::{NewServer, NewServers, new_servers};
use serde_json::Value;

use crate::address::paths::path_of;
use crate::answer::server_error;
use crate::etag::{entity_tag, is_not_modified};
use crate::head::FEED;
use crate::head::texts::fill;
use crate::html::shorten;
use crate::site::Site;
use page_registry::Language;

/// The number of servers in a feed.
const SERVERS: i64 = 30;
/// The longest description of a server in characters.
const SUMMARY_LENGTH: usize = 400;
/// Feed readers request a feed a few times an hour at most.
const CACHED: &str = "public, max-age=600";

/// The texts in the order of [`Language::ALL`].
static TEXTS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        include_str!("feed/texts/fr.json"),
        include_str!("feed/texts/en.json"),
        include_str!("feed/texts/es.json"),
    ]
    .map(|json| serde_json::from_str(json).unwrap_or_default())
});

/// The path of the feed of a game, or of all games.
pub fn address(language: Language, game: Option<&str>) -> String {
    let code = language.code();
    game.map_or_else(
        || format!("/feeds/{code}/new.atom"),
        |game| format!("/feeds/{code}/game/{game}.atom"),
    )
}

/// `GET /feeds/{language}/new.atom`: the newest servers of all games.
#[tracing::instrument(name = "pages.feed", skip_all)]
pub async fn all(
    State(site): State<Site>,
    Path((language, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    match Language::parse(&language) {
        Some(language) if file == "new.atom" => show(&site, language, None, &headers).await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// `GET /feeds/{language}/game/{slug}.atom`: the newest servers of one game.
#[tracing::instrument(name = "pages.feed_of_game", skip_all)]
pub async fn of_game(
    State(site): State<Site>,
    Path((language, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let slug = file.strip_suffix(".atom").filter(|slug| is_slug(slug));
    match Language::parse(&language).zip(slug) {
        Some((language, slug)) => show(&site, language, Some(slug), &headers).await,
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn show(
    site: &Site,
    language: Language,
    game: Option<&str>,
    headers: &HeaderMap,
) -> Response {
    let new = match new_servers(site.owner(), game, SERVERS).await {
        Ok(Some(new)) => new,
        Ok(None) => return StatusCode::NOT_FOUND.into_response(),
        Err(error) => return server_error(&error),
    };
    let name = match site.facts().await {
        Ok(facts) => facts.name.clone(),
        Err(error) => return server_error(&error),
    };
    let body = write(language, &new, &name, site.origin());
    answer(headers, body, changed_at(&new.servers))
}

/// When a server in the feed last changed; 1970 when the feed is empty.
fn changed_at(servers: &[NewServer]) -> DateTime<Utc> {
    servers.iter().map(NewServer::changed_at).max().unwrap_or_default()
}

fn write(language: Language, new: &NewServers, site: &str, origin: &str) -> String {
    let game = new.game.as_ref();
    let (kind, name) = game.map_or(("all", ""), |game| ("game", &*game.name));
    let title = TEXTS[language as usize][kind].as_str().unwrap_or_default();
    let title = fill(title, &[("game", name), ("site", site)]);
    let url = format!("{origin}{}", address(language, game.map(|game| &*game.slug)));
    let page = match game {
        None => path_of("home", "", language),
        Some(game) if game.slug == game.page_slug => path_of("game", &game.slug, language),
        Some(game) => format!("{}?game={}", path_of("game", &game.page_slug, language), game.slug),
    };
    let mut xml = String::with_capacity(32 * 1024);
    // Writing to a string cannot fail.
    let _ = write!(
        xml,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{code}\">\n\
         <id>{url}</id>\n<title>{title}</title>\n<updated>{updated}</updated>\n\
         <link rel=\"self\" type=\"{FEED}\" href=\"{url}\"/>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{page}\"/>\n\
         <author><name>{site}</name></author>\n\
         <icon>{icon}</icon>\n",
        code = language.code(),
        url = plain(&url),
        title = plain(&title),
        updated = moment(changed_at(&new.servers)),
        page = plain(&format!("{origin}{page}")),
        site = plain(site),
        icon = plain(&format!("{origin}/pictures/brand/icon-192.png")),
    );
    for server in &new.servers {
        entry(&mut xml, language, server, origin);
    }
    xml.push_str("</feed>\n");
    xml
}

/// Writes an entry. Its id is the address by the server's id, which stays the same when the server
/// is renamed.
fn entry(xml: &mut String, language: Language, server: &NewServer, origin: &str) {
    let id = path_of("serverById", &server.id.to_string(), language);
    let _ = write!(
        xml,
        "<entry>\n<id>{id}</id>\n<title>{name}</title>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{page}\"/>\n\
         <published>{published}</published>\n<updated>{updated}</updated>\n\
         <category term=\"{slug}\" label=\"{game}\"/>\n",
        id = plain(&format!("{origin}{id}")),
        name = plain(&server.name),
        page = plain(&format!("{origin}{}", path_of("server", &server.slug, language))),
        published = moment(server.created_at),
        updated = moment(server.changed_at()),
        slug = plain(&server.game_slug),
        game = plain(&server.game_name),
    );
    let summary = plain(&shorten(&server.description, SUMMARY_LENGTH));
    if !summary.is_empty() {
        let code = plain(&server.language);
        let _ = writeln!(xml, "<summary type=\"text\" xml:lang=\"{code}\">{summary}</summary>");
    }
    xml.push_str("</entry>\n");
}

fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Escapes a text for XML and removes the characters that XML cannot contain even when escaped.
fn plain(text: &str) -> String {
    let is_possible = |character: &char| !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    escape_html(&text.chars().filter(is_possible).collect::<String>())
}

/// The feed, or 304 if the client has it, according to its entity tag or, without one, its date.
fn answer(headers: &HeaderMap, body: String, changed_at: DateTime<Utc>) -> Response {
    let tag = entity_tag(body.as_bytes());
    // `If-Modified-Since` is ignored beside `If-None-Match` (RFC 9110, section 13.1.3).
    let is_known = match headers.contains_key(header::IF_NONE_MATCH) {
        true => is_not_modified(headers, &tag),
        false => since(headers).is_some_and(|since| changed_at.timestamp() <= since.timestamp()),
    };
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => body.into_response(),
    };
    let response_headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/atom+xml; charset=utf-8"),
        (header::CACHE_CONTROL, CACHED),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response_headers.insert(name, HeaderValue::from_static(value));
    }
    let changed = changed_at.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    response_headers.extend(
        HeaderValue::try_from(changed).ok().map(|changed| (header::LAST_MODIFIED, changed)),
    );
    response_headers.insert(header::ETAG, tag);
    response
}

fn since(headers: &HeaderMap) -> Option<DateTime<chrono::FixedOffset>> {
    let value = headers.get(header::IF_MODIFIED_SINCE)?.to_str().ok()?;
    DateTime::parse_from_rfc2822(value).ok()
}

#[cfg(test)]
mod tests {
    use ranking::FeedGame;
    use uuid::Uuid;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a moment")
    }

    fn servers() -> Vec<NewServer> {
        vec![NewServer {
            id: Uuid::nil(),
            slug: "loup".into(),
            name: "<b>Loup</b> & \u{b}Garde".into(),
            description: "Un \"serveur\"".into(),
            language: "fr".into(),
            game_name: "Flyff".into(),
            game_slug: "flyff".into(),
            created_at: at(1_700_000_000),
            updated_at: at(1_700_000_600),
        }]
    }

    fn status_for(headers: &[(header::HeaderName, &'static str)]) -> u16 {
        let headers = headers.iter().map(|(name, it)| (name.clone(), HeaderValue::from_static(it)));
        let answer = answer(&headers.collect(), "a feed".to_owned(), at(1_700_000_000));
        answer.status().as_u16()
    }

    #[test]
    fn nothing_a_server_is_called_leaves_its_place() {
        let game = FeedGame { name: "Flyff".into(), slug: "flyff".into(), page_slug: "m".into() };
        let new = NewServers { game: Some(game), servers: servers() };
        let xml = write(Language::En, &new, "Palmarès", "https://p.example");
        for part in [
            r#"xml:lang="en">"#,
            "<id>https://p.example/feeds/en/game/flyff.atom</id>\n<title>New Flyff servers | Palmarès<",
            r#"href="https://p.example/en/game/m?game=flyff"/>"#,
            "<title>&lt;b&gt;Loup&lt;/b&gt; &amp; Garde</title>",
            r#"href="https://p.example/en/server/loup"/>"#,
            "<published>2023-11-14T22:13:20Z</published>\n<updated>2023-11-14T22:23:20Z</updated>",
            r#"<category term="flyff" label="Flyff"/>"#,
            r#"<summary type="text" xml:lang="fr">Un &quot;serveur&quot;</summary>"#,
        ] {
            assert!(xml.contains(part), "{part}\n{xml}");
        }
    }

    #[test]
    fn empty_feed_has_date_and_page_link() {
        let new = NewServers { game: None, servers: Vec::new() };
        let xml = write(Language::Fr, &new, "P", "https://p.example");
        assert!(xml.contains("<updated>1970-01-01T00:00:00Z</updated>"), "{xml}");
        assert!(
            xml.contains(r#"<link rel="alternate" type="text/html" href="https://p.example/"/>"#)
        );
    }

    #[test]
    fn current_copies_are_not_sent_again() {
        assert_eq!(status_for(&[]), 200);
        assert_eq!(status_for(&[(header::IF_NONE_MATCH, "*")]), 304);
        let (now, before) = ("Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:19 GMT");
        assert_eq!(status_for(&[(header::IF_MODIFIED_SINCE, now)]), 304);
        assert_eq!(status_for(&[(header::IF_MODIFIED_SINCE, before)]), 200);
        assert_eq!(status_for(&[(header::IF_MODIFIED_SINCE, "yesterday")]), 200);
        // An entity tag takes precedence over a date.
        assert_eq!(
            status_for(&[(header::IF_NONE_MATCH, "\"x\""), (header::IF_MODIFIED_SINCE, now)]),
            200
        );
    }
}
