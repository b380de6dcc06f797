//! What a path is about: its status and its head.

use compat_stack::pg::PgError;
use http::StatusCode;
use ranking::{GameQuery, ServerFacts, ServerQuery, SiteFacts, game_facts, server_facts};
use serde_json::{Value, json};

use super::head::Head;
use super::paths::{Language, language_of_path, page_at};
use super::registry::SHORTCUTS;
use super::site::Site;
use super::texts::title_and_description;

/// Where a description is cut (`120` characters and an ellipsis).
const DESCRIPTION_LENGTH: usize = 120;
const CARD: &str = "/pictures/social-card.png";
const NO_SERVER: &str = "notFound";

/// A page's status and head.
pub struct Described {
    /// 200, or 404 when there is nothing here.
    pub status: StatusCode,
    /// The head.
    pub head: Head,
}

/// Describes the page at a canonical path.
///
/// # Errors
/// When the database has to be asked and cannot be.
pub async fn describe(site: &Site, facts: &SiteFacts, path: &str) -> Result<Described, PgError> {
    let language = language_of_path(path).unwrap_or(Language::Fr);
    let plain = |key: &str, values: &[(&str, &str)]| {
        let (title, description) = title_and_description(language, key, values);
        head(language, path, title, description)
    };
    let Some(found) = page_at(path) else {
        return Ok(missing(plain(NO_SERVER, &[])));
    };
    Ok(match &*found.page.key {
        "home" => {
            shown(Head { structured: Some(website(facts, site.origin())), ..plain("home", &[]) })
        }
        "game" => {
            let query = GameQuery::Slug(found.param("game"));
            of_games(site, language, path, query, None).await?
        }
        "shortcut" => {
            let word = found.param("shortcut");
            let name = SHORTCUTS.get(word).and_then(|shortcut| shortcut.name.as_deref());
            of_games(site, language, path, GameQuery::Shortcut(word), name).await?
        }
        "server" => {
            let query = ServerQuery::Slug(found.param("slug"));
            of_server(site, facts, language, path, query).await?
        }
        "serverById" => match found.param("slug").parse() {
            Ok(id) => of_server(site, facts, language, path, ServerQuery::Id(id)).await?,
            Err(_) => missing(plain(NO_SERVER, &[])),
        },
        key => shown(Head { indexed: found.page.indexed, ..plain(key, &[]) }),
    })
}

fn shown(head: Head) -> Described {
    Described { status: StatusCode::OK, head }
}

fn missing(head: Head) -> Described {
    Described { status: StatusCode::NOT_FOUND, head: Head { indexed: false, ..head } }
}

fn head(language: Language, path: &str, title: String, description: String) -> Head {
    Head {
        language,
        path: path.to_owned(),
        title,
        description,
        image: CARD.to_owned(),
        kind: "website",
        indexed: true,
        regional_alternates: false,
        structured: None,
    }
}

fn website(facts: &SiteFacts, origin: &str) -> Value {
    json!({
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "WebSite", "@id": format!("{origin}/#website"), "name": facts.name, "url": origin,
             "inLanguage": ["fr", "en", "es"]},
            {"@type": "Organization", "@id": format!("{origin}/#organization"), "name": facts.name,
             "url": origin, "logo": format!("{origin}/pictures/brand/icon-512.png")},
        ],
    })
}

/// `together` names several games shown on one page.
async fn of_games(
    site: &Site,
    language: Language,
    path: &str,
    query: GameQuery<'_>,
    together: Option<&str>,
) -> Result<Described, PgError> {
    let Some(game) = game_facts(site.owner(), query).await? else {
        let (title, description) = title_and_description(language, NO_SERVER, &[]);
        return Ok(missing(head(language, path, title, description)));
    };
    let name = together.unwrap_or(&game.name);
    Ok(shown(of_game(language, path, name, game.server_count, site.origin())))
}

fn of_game(language: Language, path: &str, name: &str, servers: i64, origin: &str) -> Head {
    let (title, description) = title_and_description(language, "game", &[("game", name)]);
    let structured = json!({
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "name": title,
        "url": format!("{origin}{path}"),
        "about": {"@type": "VideoGame", "name": name},
        "mainEntity": {"@type": "ItemList", "numberOfItems": servers},
    });
    Head { structured: Some(structured), ..head(language, path, title, description) }
}

async fn of_server(
    site: &Site,
    facts: &SiteFacts,
    language: Language,
    path: &str,
    query: ServerQuery<'_>,
) -> Result<Described, PgError> {
    let Some(server) = server_facts(site.owner(), query).await? else {
        let (title, description) = title_and_description(language, NO_SERVER, &[]);
        return Ok(missing(head(language, path, title, description)));
    };
    let short = shorten(&server.description);
    let values = [("name", &*server.name), ("game", &*server.game_name), ("description", &*short)];
    let (title, description) = title_and_description(language, "server", &values);
    let description = if description.trim().is_empty() { title.clone() } else { description };
    let structured = game_server(facts, &server, &description, &format!("{}{path}", site.origin()));
    Ok(shown(Head {
        regional_alternates: true,
        structured: Some(structured),
        ..head(language, path, title, description)
    }))
}

/// A rating stands only where people gave one, unless an operator insists on a stand-in.
fn game_server(facts: &SiteFacts, server: &ServerFacts, description: &str, url: &str) -> Value {
    let mut object = json!({
        "@context": "https://schema.org",
        "@type": "GameServer",
        "name": server.name,
        "description": description,
        "url": url,
        "inLanguage": server.language,
        "game": {"@type": "VideoGame", "name": server.game_name},
        "playersOnline": server.online_players,
        "serverStatus": if server.is_online { "https://schema.org/Online" }
            else { "https://schema.org/OfflineTemporarily" },
    });
    let given = server.rating_average.map(|average| (average, server.review_count));
    let stand_in = facts.fallback_rating.filter(|_| server.total_votes > 0);
    if let Some((value, count)) = given.or(stand_in.map(|value| (value, server.total_votes))) {
        object["aggregateRating"] = json!({
            "@type": "AggregateRating",
            "ratingValue": value,
            "ratingCount": count,
            "bestRating": 5,
            "worstRating": 1,
        });
    }
    object
}

fn shorten(text: &str) -> String {
    let mut characters = text.chars();
    let short: String = characters.by_ref().take(DESCRIPTION_LENGTH).collect();
    if characters.next().is_none() { short } else { format!("{}…", short.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_is_cut_with_an_ellipsis() {
        assert_eq!(shorten("court"), "court");
        let cut = shorten(&"é".repeat(121));
        assert_eq!(cut.chars().count(), 121);
        assert!(cut.ends_with('…'));
    }
}
