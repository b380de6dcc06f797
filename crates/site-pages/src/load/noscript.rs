//! A page's text for readers without script: what its first rows say, as plain HTML with links.
//!
//! It stands below what is seen first and is shown where no script runs; elsewhere the app takes its
//! place. Names and texts are as stored, so they are read back before they are written.

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

/// What the text of a page is made of.
pub struct NoscriptSource<'a> {
    pub head: &'a Head,
    pub answers: &'a RestAnswers,
    pub list_query: &'a ListQuery<'a>,
    /// Whether the rows of the list came the last first.
    pub is_reversed: bool,
}

impl NoscriptSource<'_> {
    /// Where another part of the list is.
    fn address_of(&self, page: u32) -> String {
        let part = ListQuery { page, ..self.list_query.clone() };
        format!("{}{}", self.head.path, part.query(self.list_query.game))
    }
}

/// The text of a page, and what of it is for machines.
#[derive(Debug, Default)]
pub struct NoscriptText {
    /// As HTML; empty where there is nothing.
    pub html: String,
    /// A schema.org object beside those of the head.
    pub structured: Option<Value>,
}

impl NoscriptText {
    /// The text of the page with this key.
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

/// What the page is about, where nothing else says it.
fn heading(head: &Head) -> String {
    let title = head.title.split(" | ").next().unwrap_or_default();
    format!("<h1>{}</h1><p>{}</p>", escape_html(title), escape_html(&head.description))
}

/// Where else there is something to read.
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

/// A list of links, and what it is called.
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

/// A game as rows name it.
#[derive(Debug, Deserialize)]
struct Game {
    name: String,
    slug: String,
    page_slug: String,
}

impl Game {
    /// The game's page: its own, or the one it shares.
    fn path(&self, language: Language) -> String {
        let page = path_of("game", &self.page_slug, language);
        if self.slug == self.page_slug { page } else { format!("{page}?game={}", self.slug) }
    }
}

/// In the order of [`Language::ALL`].
static TEXTS: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [
        include_str!("noscript/fr.json"),
        include_str!("noscript/en.json"),
        include_str!("noscript/es.json"),
    ]
    .map(|json| serde_json::from_str(json).unwrap_or_default())
});

/// A text of these pages, `{{names}}` filled in.
fn text(language: Language, name: &str, values: &[(&str, &str)]) -> String {
    fill(TEXTS[language as usize][name].as_str().unwrap_or_default(), values)
}

#[cfg(test)]
mod tests;
