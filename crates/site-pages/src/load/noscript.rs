//! A page's text for clients without script: the content of its first rows as plain HTML with
//! links.
//!
//! The text follows the part above the fold. It is shown if no script runs; otherwise the app
//! replaces it. Names and texts are stored with escaped characters, so they are unescaped before
//! they are escaped for HTML.

pub mod list;
mod places;
pub mod server;

use std::sync::LazyLock;

use compat_http::escape_html;
use serde::Deserialize;
use serde_json::Value;

use crate::address::list_query::ListQuery;
use crate::address::paths::path_of;
use crate::head::Head;
use crate::head::texts::{fill, page_name};
use crate::load::prefetch::RestAnswers;
use page_registry::Language;

/// The data of which the text of a page is made.
pub struct NoscriptSource<'a> {
    pub head: &'a Head,
    pub answers: &'a RestAnswers,
    pub list_query: &'a ListQuery<'a>,
    /// Whether the rows of the list are in reverse order.
    pub is_reversed: bool,
}

impl NoscriptSource<'_> {
    /// The address of another page of the list.
    fn address_of(&self, page: u32) -> String {
        let part = ListQuery { page, ..self.list_query.clone() };
        format!("{}{}", self.head.path, part.query(self.list_query.game))
    }
}

/// The text of a page, and its structured data.
#[derive(Debug, Default)]
pub struct NoscriptText {
    /// The text as HTML.
    pub html: String,
    /// A schema.org object to add to those of the head.
    pub structured: Option<Value>,
}

impl NoscriptText {
    /// Renders the text of the page with this key.
    pub fn of(key: &str, source: &NoscriptSource<'_>, origin: &str) -> Self {
        let language = source.head.language;
        let (body, structured) = match key {
            "home" | "game" | "shortcut" => list::read(source, origin),
            "server" | "serverById" => (server::read(source), None),
            "leaderboard" | "gameHall" | "competitiveEvent" | "monthArchive"
            | "gameMonthArchive" => (places::read(key, source), None),
            "hallOfFame" => (places::months(source), None),
            _ => (String::new(), None),
        };
        let heading = match source.head.above_fold {
            Some(_) => String::new(),
            None => heading(source.head),
        };
        let site = site_links(language);
        let html = format!("<div class=\"reading\">{heading}{body}{site}</div>");
        Self { html, structured }
    }
}

/// The title and the description, for a page without a heading above the fold.
fn heading(head: &Head) -> String {
    let title = head.title.split(" | ").next().unwrap_or_default();
    format!("<h1>{}</h1><p>{}</p>", escape_html(title), escape_html(&head.description))
}

/// Links to the main pages of the site.
fn site_links(language: Language) -> String {
    const PAGES: [&str; 8] = [
        "home",
        "leaderboard",
        "hallOfFame",
        "howRanking",
        "apiDocs",
        "votifierGuide",
        "privacy",
        "terms",
    ];
    let links = PAGES.map(|key| link(&path_of(key, "", language), &page_name(language, key)));
    links_named(&text(language, "site", &[]), links)
}

/// A list of links under a heading; empty without links.
fn links_named(name: &str, links: impl IntoIterator<Item = String>) -> String {
    let items: String = links.into_iter().map(|link| format!("<li>{link}</li>")).collect();
    if items.is_empty() {
        return items;
    }
    format!(
        "<nav aria-label=\"{name}\"><h2>{name}</h2><ul>{items}</ul></nav>",
        name = escape_html(name)
    )
}

fn link(address: &str, words: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escape_html(address), escape_html(words))
}

fn paragraph(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("<p>{}</p>", escape_html(words)) }
}

/// A game as embedded in other rows.
#[derive(Debug, Deserialize)]
struct Game {
    name: String,
    slug: String,
    page_slug: String,
}

impl Game {
    /// The path of the game's page, which several games may share.
    fn path(&self, language: Language) -> String {
        let page = path_of("game", &self.page_slug, language);
        if self.slug == self.page_slug { page } else { format!("{page}?game={}", self.slug) }
    }
}

/// The texts in the order of [`Language::ALL`].
static TEXTS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        include_str!("noscript/fr.json"),
        include_str!("noscript/en.json"),
        include_str!("noscript/es.json"),
    ]
    .map(|json| serde_json::from_str(json).unwrap_or_default())
});

/// The text with this name, with the values in place of its `{{names}}`.
fn text(language: Language, name: &str, values: &[(&str, &str)]) -> String {
    fill(TEXTS[language as usize][name].as_str().unwrap_or_default(), values)
}

#[cfg(test)]
mod tests;
