//! The part of a page that is visible before its script runs: its heading, the text below it, and
//! boxes in the place of the rest. The pages' style sheet (`boot-…` in `base.css`) gives each
//! element the size of the one with which the app replaces it.

use compat_http::escape_html;
use ranking::{GameFacts, SiteFacts};

use crate::head::texts::{every, hero};
use page_registry::Language;

/// The backdrop of the ranking unless the operator has chosen another picture.
const BACKDROP: &str = "/pictures/backdrop.svg";

/// The heading of a page, and how the page begins.
#[derive(Debug, Clone, PartialEq)]
pub enum AboveFold {
    /// The ranking: its title and its lead.
    List {
        /// The heading.
        title: String,
        /// The sentence below it.
        lead: String,
        /// The address of the picture behind the heading.
        backdrop: String,
    },
    /// A server's page.
    Server {
        /// The server's name.
        name: String,
        /// The address of the picture behind the top of the page.
        backdrop: Option<String>,
    },
}

impl AboveFold {
    /// The home page; its lead names the cooldown of votes.
    pub fn home(language: Language, facts: &SiteFacts) -> Self {
        let every = every(language, facts.vote_cooldown_seconds);
        Self::List {
            title: hero(language, "title", &[]),
            lead: hero(language, "lead", &[("every", &every)]),
            backdrop: backdrop(facts, None),
        }
    }

    /// The ranking of a game, or of several games under one name; `game` is then the first of them.
    pub fn game(language: Language, facts: &SiteFacts, name: &str, game: &GameFacts) -> Self {
        let every = every(language, facts.vote_cooldown_seconds);
        Self::List {
            title: hero(language, "gameTitle", &[("game", name)]),
            lead: hero(language, "gameLead", &[("game", name), ("every", &every)]),
            backdrop: backdrop(facts, game.backdrop_url.as_deref()),
        }
    }

    /// Renders the part as HTML.
    pub fn render(&self) -> String {
        match self {
            Self::List { title, lead, backdrop } => {
                let (title, lead, backdrop) =
                    (escape_html(title), escape_html(lead), picture(backdrop));
                format!(
                    "<div class=\"boot-list\"><div class=\"part-backdrop\">{backdrop}</div>\
                     <h1>{title}</h1><p>{lead}</p>\
                     <i></i><i></i><i></i></div>"
                )
            }
            Self::Server { name, backdrop } => {
                let scene = backdrop.as_deref().map(picture);
                let scene =
                    scene.map(|picture| format!("<div class=\"part-scene\">{picture}</div>"));
                let (scene, name) = (scene.unwrap_or_default(), escape_html(name));
                format!("<div class=\"boot-server\">{scene}<i></i><h1>{name}</h1><i></i></div>")
            }
        }
    }
}

/// A decorative picture, without an alternative text.
fn picture(address: &str) -> String {
    format!("<img src=\"{}\" alt=\"\">", escape_html(address))
}

/// The backdrop. The app draws the same picture at the same place, so that it is fetched once.
fn backdrop(facts: &SiteFacts, of_game: Option<&str>) -> String {
    of_game.or(facts.backdrop_url.as_deref()).unwrap_or(BACKDROP).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> SiteFacts {
        SiteFacts { vote_cooldown_seconds: 7200, ..SiteFacts::default() }
    }

    fn game(backdrop_url: Option<&str>) -> GameFacts {
        GameFacts { backdrop_url: backdrop_url.map(str::to_owned), ..GameFacts::default() }
    }

    #[test]
    fn a_name_stays_text_wherever_it_is_shown() {
        let cases = [
            AboveFold::Server { name: "<b>".into(), backdrop: Some("<b>\"".into()) },
            AboveFold::game(Language::Fr, &facts(), "<b>", &game(Some("<b>\""))),
        ];
        for case in cases {
            let html = case.render();
            assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
        }
    }

    #[test]
    fn home_page_has_one_localized_heading() {
        let html = AboveFold::home(Language::En, &facts()).render();
        assert!(html.contains("every 2 hours"), "{html}");
        assert_eq!(html.matches("<h1>").count(), 1, "{html}");
    }

    #[test]
    fn server_without_backdrop_has_no_backdrop_element() {
        let render = |backdrop: Option<&str>| {
            let backdrop = backdrop.map(str::to_owned);
            AboveFold::Server { name: "x".into(), backdrop }.render()
        };
        assert!(render(Some("/a.svg")).contains("<div class=\"part-scene\"><img src=\"/a.svg\""));
        assert!(!render(None).contains("part-scene"));
    }

    #[test]
    fn game_backdrop_falls_back_to_site_then_default() {
        let chosen = SiteFacts { backdrop_url: Some("/site.svg".into()), ..facts() };
        for (facts, game, expected) in [
            (&chosen, game(Some("/game.svg")), "/game.svg"),
            (&chosen, game(None), "/site.svg"),
            (&facts(), game(None), BACKDROP),
        ] {
            let html = AboveFold::game(Language::Fr, facts, "x", &game).render();
            assert!(html.contains(&format!("src=\"{expected}\"")), "{html}");
        }
    }
}
