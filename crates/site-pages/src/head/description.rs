//! The status and the head of the page at a path.

use chrono::NaiveDate;
use compat_pg::PgError;
use http::StatusCode;
use ranking::{
    EventFacts, GameFacts, GameQuery, ServerFacts, ServerQuery, SiteFacts, event_facts, game_facts,
    is_month_kept, moved_server, server_facts,
};
use serde_json::{Value, json};

use crate::address::list_query::ListQuery;
use crate::address::paths::{language_of_path, page_at, path_of, switch_language};
use crate::card;
use crate::crawl::feed;
use crate::head::Head;
use crate::head::keywords::keywords;
use crate::head::texts::{month_name, page_name, title_and_description};
use crate::html::shorten;
use crate::load::above_fold::AboveFold;
use crate::site::Site;
use page_registry::Language;
use page_registry::SHORTCUTS;

/// The longest description (120 characters and an ellipsis).
const DESCRIPTION_LENGTH: usize = 120;
const CARD: &str = "/pictures/social-card.jpg";

/// The result for an address.
pub enum PageDescription {
    /// A page, or the page that says that there is none.
    Page {
        /// 200, or 404 when there is no page.
        status: StatusCode,
        /// The head of the page.
        head: Box<Head>,
    },
    /// The page is at another address of this site.
    Redirect(String),
}

/// Describes the page at a canonical path.
pub async fn describe(
    site: &Site,
    facts: &SiteFacts,
    path: &str,
    query: Option<&str>,
    list_query: &ListQuery<'_>,
) -> Result<PageDescription, PgError> {
    let language = language_of_path(path).unwrap_or(Language::Fr);
    let about = PageContext { site, facts, language, path, list_query };
    let Some(route) = page_at(path) else {
        return Ok(about.missing());
    };
    match &*route.page.key {
        "home" => Ok(page(Head {
            structured: website(facts, site.origin()),
            above_fold: Some(AboveFold::home(language, facts)),
            feed: Some(feed::address(language, None)),
            ..about.list(about.head("home", &[]))
        })),
        "game" => game_page(&about, route.param("game")).await,
        "gameHall" => game_hall_page(&about, route.param("game")).await,
        "monthArchive" => month_page(&about, route.param("month"), None).await,
        "gameMonthArchive" => {
            month_page(&about, route.param("month"), Some(route.param("game"))).await
        }
        "competitiveEvent" => event_page(&about, route.param("eventId")).await,
        "shortcut" => shortcut_page(&about, route.param("shortcut")).await,
        "server" => {
            let slug = route.param("slug");
            match server_page(&about, ServerQuery::Slug(slug)).await? {
                Some(description) => Ok(description),
                None => moved(&about, slug, query).await,
            }
        }
        "serverById" => match route.param("slug").parse() {
            Ok(id) => {
                let description = server_page(&about, ServerQuery::Id(id)).await?;
                Ok(description.unwrap_or_else(|| about.missing()))
            }
            Err(_) => Ok(about.missing()),
        },
        key => Ok(page(Head { indexed: route.page.indexed, ..about.head(key, &[]) })),
    }
}

/// The values that every description needs.
struct PageContext<'a> {
    site: &'a Site,
    facts: &'a SiteFacts,
    language: Language,
    path: &'a str,
    /// The requested page of a list.
    list_query: &'a ListQuery<'a>,
}

impl PageContext<'_> {
    /// A head with the texts of `key` and the canonical path of the page.
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
            structured: Vec::new(),
            above_fold: None,
        }
    }

    /// The head of a list for the requested page, which has an address and a title of its own.
    fn list(&self, head: Head) -> Head {
        if self.list_query.page == 1 {
            return head;
        }
        let page = self.list_query.page.to_string();
        let values =
            [("page", &*page), ("title", &*head.title), ("description", &*head.description)];
        let (title, description) = title_and_description(self.language, "turnedPage", &values);
        Head { query: self.list_query.query(None), title, description, ..head }
    }

    /// The breadcrumbs from the home page to the page: the name and path of each step.
    fn breadcrumbs(&self, steps: &[(&str, &str)]) -> Value {
        let home = path_of("home", "", self.language);
        let steps = [(&*self.facts.name, &*home)].into_iter().chain(steps.iter().copied());
        let items: Vec<Value> = steps
            .zip(1..)
            .map(|((name, path), position)| {
                let item = format!("{}{path}", self.site.origin());
                json!({"@type": "ListItem", "position": position, "name": name, "item": item})
            })
            .collect();
        json!({"@type": "BreadcrumbList", "itemListElement": items})
    }

    /// The absolute address of a picture, which may be given as a path of this site.
    fn picture(&self, address: &str) -> String {
        match address.strip_prefix('/') {
            Some(_) => format!("{}{address}", self.site.origin()),
            None => address.to_owned(),
        }
    }

    fn missing(&self) -> PageDescription {
        let head = Head { indexed: false, ..self.head("notFound", &[]) };
        PageDescription::Page { status: StatusCode::NOT_FOUND, head: Box::new(head) }
    }
}

fn page(head: Head) -> PageDescription {
    PageDescription::Page { status: StatusCode::OK, head: Box::new(head) }
}

fn organization(facts: &SiteFacts, origin: &str) -> Value {
    json!({
        "@type": "Organization", "@id": format!("{origin}/#organization"), "name": facts.name,
        "url": origin, "logo": format!("{origin}/pictures/brand/icon-512.png"),
    })
}

fn website(facts: &SiteFacts, origin: &str) -> Vec<Value> {
    let mut organization = organization(facts, origin);
    if let Some(email) = &facts.contact_email {
        organization["email"] = json!(email);
    }
    let mut site = json!({
        "@type": "WebSite", "@id": format!("{origin}/#website"), "name": facts.name, "url": origin,
        "inLanguage": ["fr", "en", "es"], "publisher": {"@id": format!("{origin}/#organization")},
        "potentialAction": {
            "@type": "SearchAction",
            "target": {"@type": "EntryPoint", "urlTemplate": format!("{origin}/?q={{search_term_string}}")},
            "query-input": "required name=search_term_string",
        },
    });
    if !facts.description.is_empty() {
        site["description"] = json!(facts.description);
    }
    vec![site, organization]
}

/// The page of a game. A game that shares the page of another is named in the query; its own
/// address redirects there.
async fn game_page(about: &PageContext<'_>, slug: &str) -> Result<PageDescription, PgError> {
    let owner = about.site.owner();
    let sharing = match about.list_query.game.filter(|game_slug| *game_slug != slug) {
        Some(game_slug) => game_facts(owner, GameQuery::Slug(game_slug)).await?,
        None => None,
    };
    if let Some(game) = sharing.filter(|game| game.page_slug == slug) {
        let query = about.list_query.query(Some(&game.slug));
        return Ok(page(Head { query, ..games_page(about, &game.name, &game) }));
    }
    let Some(game) = game_facts(owner, GameQuery::Slug(slug)).await? else {
        return Ok(about.missing());
    };
    if game.page_slug != slug {
        let page = path_of("game", &game.page_slug, about.language);
        return Ok(PageDescription::Redirect(format!("{page}?game={slug}")));
    }
    Ok(page(games_page(about, &game.name, &game)))
}

/// The hall of a game: the top servers of each month.
async fn game_hall_page(about: &PageContext<'_>, slug: &str) -> Result<PageDescription, PgError> {
    let game = game_facts(about.site.owner(), GameQuery::Slug(slug)).await?;
    Ok(game.map_or_else(
        || about.missing(),
        |game| page(about.head("gameHall", &[("game", &game.name)])),
    ))
}

/// The ranking of a month that is over, of all games or of one.
async fn month_page(
    about: &PageContext<'_>,
    month: &str,
    game: Option<&str>,
) -> Result<PageDescription, PgError> {
    let owner = about.site.owner();
    let month_start = match NaiveDate::parse_from_str(&format!("{month}-01"), "%Y-%m-%d") {
        Ok(day) if is_month_kept(owner, day).await? => day,
        _ => return Ok(about.missing()),
    };
    let words = month_name(about.language, month_start);
    let (key, name) = match game {
        None => ("monthArchive", String::new()),
        Some(slug) => match game_facts(owner, GameQuery::Slug(slug)).await? {
            Some(game) => ("gameMonthArchive", game.name),
            None => return Ok(about.missing()),
        },
    };
    let head = about.list(about.head(key, &[("month", &words), ("game", &name)]));
    let halls = path_of("hallOfFame", "", about.language);
    let hall = page_name(about.language, "hallOfFame");
    // The title ends with the name of the site, with which the breadcrumbs begin.
    let title = head.title.split(" | ").next().unwrap_or_default();
    let structured = vec![about.breadcrumbs(&[(&hall, &halls), (title, &head.path)])];
    Ok(page(Head { structured, ..head }))
}

/// The page of a competitive event, whose title contains the name of the event.
async fn event_page(about: &PageContext<'_>, id: &str) -> Result<PageDescription, PgError> {
    let Ok(id) = id.parse() else {
        return Ok(about.missing());
    };
    let Some(event) = event_facts(about.site.owner(), id, about.language.code()).await? else {
        return Ok(about.missing());
    };
    let short = shorten(event.description.trim(), DESCRIPTION_LENGTH);
    let head = about.head("competitiveEvent", &[("event", &event.name)]);
    let description = if short.is_empty() { head.description } else { short };
    let image = card::address(about.language, "event", &id.to_string());
    let url = format!("{}{}", about.site.origin(), head.path);
    let structured = vec![
        contest(about, &event, &description, &url, &image),
        about.breadcrumbs(&[(&event.name, &head.path)]),
    ];
    Ok(page(Head { description, image, structured, ..head }))
}

/// The structured data of a competitive event: it takes place on this site, on its days.
fn contest(
    about: &PageContext<'_>,
    event: &EventFacts,
    description: &str,
    url: &str,
    image: &str,
) -> Value {
    let origin = about.site.origin();
    json!({
        "@type": "Event",
        "name": event.name,
        "description": description,
        "url": url,
        "startDate": event.start_date,
        "endDate": event.end_date,
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode",
        "location": {"@type": "VirtualLocation", "url": url},
        "image": about.picture(image),
        "organizer": organization(about.facts, origin),
    })
}

/// The page of a shortcut. A shortcut to a single game is another address of that game's page.
async fn shortcut_page(about: &PageContext<'_>, word: &str) -> Result<PageDescription, PgError> {
    let Some(game) = game_facts(about.site.owner(), GameQuery::Shortcut(word)).await? else {
        return Ok(about.missing());
    };
    let shortcut = SHORTCUTS.get(word);
    let name = shortcut.and_then(|shortcut| shortcut.name.as_deref()).unwrap_or(&game.name);
    let head = games_page(about, name, &game);
    Ok(page(match shortcut.map(|shortcut| &*shortcut.games) {
        Some([only]) => Head { path: path_of("game", only, about.language), ..head },
        // Several games together have a card of their own, but no common feed.
        _ => Head { image: card::address(about.language, "shortcut", word), feed: None, ..head },
    }))
}

fn games_page(about: &PageContext<'_>, name: &str, game: &GameFacts) -> Head {
    let head = about.list(about.head("game", &[("game", name)]));
    let collection = json!({
        "@type": "CollectionPage",
        "name": head.title,
        "url": format!("{}{}{}", about.site.origin(), head.path, head.query),
        "inLanguage": about.language.code(),
        "about": {"@type": "VideoGame", "name": name},
    });
    let structured = vec![collection, about.breadcrumbs(&[(name, &head.path)])];
    let word = SHORTCUTS.iter().find(|(_, shortcut)| shortcut.games.contains(&game.slug));
    let keywords = match word {
        Some((word, _)) => keywords(about.language, word, &[("game", name)]),
        None => head.keywords,
    };
    let above_fold = Some(AboveFold::game(about.language, about.facts, name, game));
    let image = card::address(about.language, "game", &game.slug);
    let feed = Some(feed::address(about.language, Some(&game.slug)));
    Head { structured, keywords, above_fold, image, feed, ..head }
}

/// Redirects from the old address of a renamed server.
async fn moved(
    about: &PageContext<'_>,
    slug: &str,
    query: Option<&str>,
) -> Result<PageDescription, PgError> {
    let Some(slug) = moved_server(about.site.owner(), slug).await? else {
        return Ok(about.missing());
    };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Ok(PageDescription::Redirect(path_of("server", &slug, about.language) + &query))
}

async fn server_page(
    about: &PageContext<'_>,
    query: ServerQuery<'_>,
) -> Result<Option<PageDescription>, PgError> {
    let Some(server) = server_facts(about.site.owner(), query).await? else {
        return Ok(None);
    };
    let short = shorten(&server.description, DESCRIPTION_LENGTH);
    let values = [("name", &*server.name), ("game", &*server.game_name), ("description", &*short)];
    let head = about.head("server", &values);
    let path = path_of("server", &server.slug, about.language);
    let image = card::address(about.language, "server", &server.slug);
    let url = format!("{}{path}", about.site.origin());
    let game = path_of("game", &server.game_slug, about.language);
    let structured = vec![
        game_server(about, &server, &head.description, &url),
        about.breadcrumbs(&[(&server.game_name, &game), (&server.name, &path)]),
    ];
    let above_fold = Some(AboveFold::Server { name: server.name, backdrop: server.backdrop_url });
    Ok(Some(page(Head { path, image, structured, above_fold, ..head })))
}

/// The structured data of a server. It contains a rating only if people gave one, or if the
/// operator has set a fallback.
fn game_server(
    about: &PageContext<'_>,
    server: &ServerFacts,
    description: &str,
    url: &str,
) -> Value {
    let mut object = json!({
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
    let pictures = [&server.logo_url, &server.banner_url];
    let pictures: Vec<String> =
        pictures.into_iter().flatten().map(|address| about.picture(address)).collect();
    if !pictures.is_empty() {
        object["image"] = json!(pictures);
    }
    let rating = server.rating_average.map(|average| (average, server.review_count));
    // The fallback uses the votes as its count, and a rating with a count of zero is invalid.
    let stand_in = about.facts.fallback_rating.filter(|_| server.total_votes > 0);
    if let Some((value, count)) = rating.or(stand_in.map(|value| (value, server.total_votes))) {
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
