//! A page of a ranking: the servers in their order, links to the other pages, and the games.

use compat_http::escape_html;
use ranking::{summary, unescape};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Game, NoscriptSource, link, links_named, paragraph, text};
use crate::address::paths::path_of;

/// The length at which a description is cut, in characters; the cards of the app cut it there, too.
const DESCRIPTION: usize = 200;
/// The number of servers on a page.
const SIZE: u32 = 25;

#[derive(Debug, Deserialize)]
struct ListedServer {
    slug: String,
    name: String,
    #[serde(default)]
    description: Option<String>,
    is_prestige: bool,
    monthly_votes: i32,
    games: Option<Game>,
}

#[derive(Debug, Deserialize)]
struct GameFigures {
    servers: u32,
}

/// The number of servers on all pages, from the stored figures of the games.
pub fn total(answers: &crate::load::prefetch::RestAnswers) -> u32 {
    let figures: Vec<GameFigures> = answers.rows("game_figures");
    figures.into_iter().map(|figure| figure.servers).sum()
}

/// Renders the list as HTML and as a schema.org list.
pub fn read(source: &NoscriptSource<'_>, origin: &str) -> (String, Option<Value>) {
    let language = source.head.language;
    let mut servers: Vec<ListedServer> = source.answers.rows("servers_public");
    // A page near the end of a long list is read in reverse order (`page_request`).
    if source.is_reversed {
        servers.reverse();
    }
    let first = (source.list_query.page - 1) * SIZE + 1;
    let items: String = servers.iter().map(|server| item(server, source)).collect();
    let list = match items.is_empty() {
        true => items,
        false => format!("<ol start=\"{first}\">{items}</ol>"),
    };
    let elements: Vec<Value> = servers
        .iter()
        .zip(first..)
        .map(|(server, position)| {
            json!({
                "@type": "ListItem",
                "position": position,
                "name": unescape(&server.name),
                "url": format!("{origin}{}", path_of("server", &server.slug, language)),
            })
        })
        .collect();
    let total = total(source.answers);
    let structured = (!elements.is_empty())
        .then(|| json!({"@type": "ItemList", "numberOfItems": total, "itemListElement": elements}));
    let games: Vec<Game> = source.answers.rows("games");
    let games = games.iter().map(|game| link(&game.path(language), &game.name));
    let games = links_named(&text(language, "games", &[]), games);
    (list + &parts(source, total) + &games, structured)
}

fn item(server: &ListedServer, source: &NoscriptSource<'_>) -> String {
    let language = source.head.language;
    let votes = server.monthly_votes.to_string();
    let game = server.games.as_ref().map(|game| game.name.clone());
    let promoted = server.is_prestige.then(|| text(language, "promoted", &[]));
    let votes = text(language, "votes", &[("votes", &votes)]);
    let facts: Vec<String> = game.into_iter().chain(promoted).chain([votes]).collect();
    let description = summary(server.description.as_deref().unwrap_or_default());
    let short: String = description.chars().take(DESCRIPTION).collect();
    format!(
        "<li><h2>{}</h2><p>{}</p>{}</li>",
        link(&path_of("server", &server.slug, language), &unescape(&server.name)),
        escape_html(&facts.join(" · ")),
        paragraph(short.trim_end())
    )
}

/// Links to the neighbouring pages, the first pages and the last page.
fn parts(source: &NoscriptSource<'_>, total: u32) -> String {
    let (language, page) = (source.head.language, source.list_query.page);
    let last = total.div_ceil(SIZE).max(page);
    let mut pages: Vec<u32> =
        [1, 2, 3, page.saturating_sub(1), page, page + 1, page + 2, last].into();
    pages.retain(|part| (1..=last).contains(part));
    pages.sort_unstable();
    pages.dedup();
    if pages.len() < 2 {
        return String::new();
    }
    let links = pages.into_iter().map(|part| {
        let words = text(language, "part", &[("page", &part.to_string())]);
        if part == page {
            return format!("<span aria-current=\"page\">{}</span>", escape_html(&words));
        }
        link(&source.address_of(part), &words)
    });
    links_named(&text(language, "parts", &[]), links)
}
