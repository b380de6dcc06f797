//! What a path is about: its status and its head.

use compat_stack::pg::PgError;
use http::StatusCode;
use ranking::{
    GameFacts, GameQuery, ServerFacts, ServerQuery, SiteFacts, event_facts, game_facts,
    moved_server, server_facts,
};
use serde_json::{Value, json};

use super::card;
use super::feed;
use super::first_sight::FirstSight;
use super::head::Head;
use super::keywords::keywords;
use super::paths::{Language, language_of_path, page_at, path_of, switch_language};
use super::registry::{SHORTCUTS, is_slug};
use super::site::Site;
use super::texts::title_and_description;

/// Where a description is cut (`120` characters and an ellipsis).
const DESCRIPTION_LENGTH: usize = 120;
const CARD: &str = "/pictures/social-card.jpg";

/// What there is to say of an address.
pub enum Described {
    /// A page, or that there is none.
    Page {
        /// 200, or 404 when there is nothing here.
        status: StatusCode,
        /// The head.
        head: Box<Head>,
    },
    /// The page stands at another address of this site.
    Moved(String),
}

/// Describes the page at a canonical path.
///
/// # Errors
/// When the database has to be asked and cannot be.
pub async fn describe(
    site: &Site,
    facts: &SiteFacts,
    path: &str,
    query: Option<&str>,
) -> Result<Described, PgError> {
    let language = language_of_path(path).unwrap_or(Language::Fr);
    let about = About { site, facts, language, path };
    let Some(found) = page_at(path) else {
        return Ok(about.missing());
    };
    match &*found.page.key {
        "home" => Ok(shown(Head {
            structured: Some(website(facts, site.origin())),
            first_sight: Some(FirstSight::home(language, facts)),
            feed: Some(feed::address(language, None)),
            ..about.head("home", &[])
        })),
        "game" => of_game(&about, found.param("game"), asked_game(query)).await,
        "gameHall" => of_game_hall(&about, found.param("game")).await,
        "competitiveEvent" => of_event(&about, found.param("eventId")).await,
        "shortcut" => of_shortcut(&about, found.param("shortcut")).await,
        "server" => {
            let slug = found.param("slug");
            match of_server(&about, ServerQuery::Slug(slug)).await? {
                Some(described) => Ok(described),
                None => moved(&about, slug, query).await,
            }
        }
        "serverById" => match found.param("slug").parse() {
            Ok(id) => {
                let described = of_server(&about, ServerQuery::Id(id)).await?;
                Ok(described.unwrap_or_else(|| about.missing()))
            }
            Err(_) => Ok(about.missing()),
        },
        key => Ok(shown(Head { indexed: found.page.indexed, ..about.head(key, &[]) })),
    }
}

/// What every description begins with.
struct About<'a> {
    site: &'a Site,
    facts: &'a SiteFacts,
    language: Language,
    path: &'a str,
}

impl About<'_> {
    /// A head with the texts of `key`; the page's own path, without a prefix French does not need.
    fn head(&self, key: &str, values: &[(&str, &str)]) -> Head {
        let named: Vec<_> = values.iter().copied().chain([("site", &*self.facts.name)]).collect();
        let (title, description) = title_and_description(self.language, key, &named);
        Head {
            language: self.language,
            path: switch_language(self.path, self.language),
            query: String::new(),
            description: if description.trim().is_empty() { title.clone() } else { description },
            title,
            keywords: keywords(self.language, key, values),
            image: CARD.to_owned(),
            feed: None,
            kind: "website",
            indexed: true,
            structured: None,
            first_sight: None,
        }
    }

    fn missing(&self) -> Described {
        let head = Head { indexed: false, ..self.head("notFound", &[]) };
        Described::Page { status: StatusCode::NOT_FOUND, head: Box::new(head) }
    }
}

fn shown(head: Head) -> Described {
    Described::Page { status: StatusCode::OK, head: Box::new(head) }
}

/// The game that is wanted of a page several games share: a slug, or nothing.
fn asked_game(query: Option<&str>) -> Option<&str> {
    let slug = query?.split('&').find_map(|pair| pair.strip_prefix("game="))?;
    is_slug(slug).then_some(slug)
}

fn website(facts: &SiteFacts, origin: &str) -> Value {
    let mut organization = json!({
        "@type": "Organization", "@id": format!("{origin}/#organization"), "name": facts.name,
        "url": origin, "logo": format!("{origin}/pictures/brand/icon-512.png"),
    });
    if let Some(email) = &facts.contact_email {
        organization["email"] = json!(email);
    }
    let mut site = json!({
        "@type": "WebSite", "@id": format!("{origin}/#website"), "name": facts.name, "url": origin,
        "inLanguage": ["fr", "en", "es"],
    });
    if !facts.description.is_empty() {
        site["description"] = json!(facts.description);
    }
    json!({"@context": "https://schema.org", "@graph": [site, organization]})
}

/// A game that shares another's page is named in its query; at an address of its own it is led
/// there.
async fn of_game(about: &About<'_>, slug: &str, asked: Option<&str>) -> Result<Described, PgError> {
    let owner = about.site.owner();
    let sharing = match asked.filter(|asked| *asked != slug) {
        Some(asked) => game_facts(owner, GameQuery::Slug(asked)).await?,
        None => None,
    };
    if let Some(game) = sharing.filter(|game| game.page_slug == slug) {
        let query = format!("?game={}", game.slug);
        return Ok(shown(Head { query, ..of_games(about, &game.name, &game) }));
    }
    let Some(game) = game_facts(owner, GameQuery::Slug(slug)).await? else {
        return Ok(about.missing());
    };
    if game.page_slug != slug {
        let page = path_of("game", &game.page_slug, about.language);
        return Ok(Described::Moved(format!("{page}?game={slug}")));
    }
    Ok(shown(of_games(about, &game.name, &game)))
}

/// What a game's servers won, month by month.
async fn of_game_hall(about: &About<'_>, slug: &str) -> Result<Described, PgError> {
    let game = game_facts(about.site.owner(), GameQuery::Slug(slug)).await?;
    Ok(game.map_or_else(
        || about.missing(),
        |game| shown(about.head("gameHall", &[("game", &game.name)])),
    ))
}

/// A contest; what it is called stands in its title.
async fn of_event(about: &About<'_>, id: &str) -> Result<Described, PgError> {
    let Ok(id) = id.parse() else {
        return Ok(about.missing());
    };
    let Some(event) = event_facts(about.site.owner(), id).await? else {
        return Ok(about.missing());
    };
    let short = shorten(event.description.trim(), DESCRIPTION_LENGTH);
    let head = about.head("competitiveEvent", &[("event", &event.name)]);
    let description = if short.is_empty() { head.description } else { short };
    let image = card::address(about.language, "event", &id.to_string());
    Ok(shown(Head { description, image, ..head }))
}

/// A shortcut to one game is another address of that game's page.
async fn of_shortcut(about: &About<'_>, word: &str) -> Result<Described, PgError> {
    let Some(game) = game_facts(about.site.owner(), GameQuery::Shortcut(word)).await? else {
        return Ok(about.missing());
    };
    let shortcut = SHORTCUTS.get(word);
    let name = shortcut.and_then(|shortcut| shortcut.name.as_deref()).unwrap_or(&game.name);
    let head = of_games(about, name, &game);
    Ok(shown(match shortcut.map(|shortcut| &*shortcut.games) {
        Some([only]) => Head { path: path_of("game", only, about.language), ..head },
        // Together they have a card of their own, and each its own feed.
        _ => Head { image: card::address(about.language, "shortcut", word), feed: None, ..head },
    }))
}

fn of_games(about: &About<'_>, name: &str, game: &GameFacts) -> Head {
    let head = about.head("game", &[("game", name)]);
    let structured = json!({
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "name": head.title,
        "url": format!("{}{}", about.site.origin(), head.path),
        "about": {"@type": "VideoGame", "name": name},
        "mainEntity": {"@type": "ItemList", "numberOfItems": game.server_count},
    });
    let word = SHORTCUTS.iter().find(|(_, shortcut)| shortcut.games.contains(&game.slug));
    let keywords = match word {
        Some((word, _)) => keywords(about.language, word, &[("game", name)]),
        None => head.keywords,
    };
    let first_sight = Some(FirstSight::game(about.language, about.facts, name, game));
    let image = card::address(about.language, "game", &game.slug);
    let feed = Some(feed::address(about.language, Some(&game.slug)));
    Head { structured: Some(structured), keywords, first_sight, image, feed, ..head }
}

/// A server that was renamed is found at its old address too.
async fn moved(about: &About<'_>, slug: &str, query: Option<&str>) -> Result<Described, PgError> {
    let Some(slug) = moved_server(about.site.owner(), slug).await? else {
        return Ok(about.missing());
    };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Described::Moved(path_of("server", &slug, about.language) + &query))
}

async fn of_server(
    about: &About<'_>,
    query: ServerQuery<'_>,
) -> Result<Option<Described>, PgError> {
    let Some(server) = server_facts(about.site.owner(), query).await? else {
        return Ok(None);
    };
    let short = shorten(&server.description, DESCRIPTION_LENGTH);
    let values = [("name", &*server.name), ("game", &*server.game_name), ("description", &*short)];
    let head = about.head("server", &values);
    let path = path_of("server", &server.slug, about.language);
    let image = card::address(about.language, "server", &server.slug);
    let url = format!("{}{path}", about.site.origin());
    let structured = game_server(about.facts, &server, &head.description, &url);
    let first_sight = Some(FirstSight::Server { name: server.name, backdrop: server.backdrop_url });
    Ok(Some(shown(Head { path, image, structured: Some(structured), first_sight, ..head })))
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

/// Cut at `length` characters, at a word's end where one is near, with an ellipsis. The pages do
/// the same (`frontend/src/lib/stored-text.ts`).
pub fn shorten(text: &str, length: usize) -> String {
    let cut: Vec<char> = text.chars().take(length + 1).collect();
    if cut.len() <= length {
        return text.to_owned();
    }
    let cut = &cut[..length];
    let word = cut.iter().rposition(|letter| letter.is_whitespace());
    let end = word.filter(|word| word * 10 > length * 7).unwrap_or(length);
    let short: String = cut[..end].iter().collect();
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_is_cut_where_the_pages_cut_it() {
        let vectors: Value = serde_json::from_str(include_str!(
            "../../../../frontend/src/lib/stored-text.vectors.json"
        ))
        .expect("vectors");
        for vector in vectors["shortened"].as_array().expect("a list") {
            let text = vector["text"].as_str().expect("a text");
            let length = vector["length"].as_u64().expect("a length");
            let short = shorten(text, usize::try_from(length).expect("a length"));
            assert_eq!(short, vector["short"], "{vector}");
        }
    }

    #[test]
    fn a_query_names_a_game_by_its_slug_or_not_at_all() {
        assert_eq!(asked_game(Some("sort=votes&game=flyff")), Some("flyff"));
        for query in [None, Some(""), Some("game="), Some("game=%00"), Some("game=Flyff")] {
            assert_eq!(asked_game(query), None, "{query:?}");
        }
    }
}
