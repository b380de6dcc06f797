//! What is seen of a page before its script runs: its heading, the words below it, and boxes where
//! the rest will stand. How each looks is in the pages' style sheet (`boot-…` in `base.css`), which
//! gives them the measures of what the app draws in their place.

use super::head::escape;
use super::paths::Language;
use super::texts::{every, hero};

/// The heading of a page, and how the page begins.
#[derive(Debug, Clone, PartialEq)]
pub enum FirstSight {
    /// The ranking: its title, what can be done, and what stands there on wide screens only.
    List {
        /// The heading.
        title: String,
        /// The sentence below it.
        lead: String,
        /// One more where there is room.
        more: Option<String>,
    },
    /// A server's page, by the server's name.
    Server(String),
}

impl FirstSight {
    /// The home page, where one votes every so many seconds.
    pub fn home(language: Language, cooldown_seconds: i64) -> Self {
        let every = every(language, cooldown_seconds);
        Self::List {
            title: hero(language, "title", &[]),
            lead: hero(language, "lead", &[("every", &every)]),
            more: Some(hero(language, "leadMore", &[])),
        }
    }

    /// The ranking of a game.
    pub fn game(language: Language, cooldown_seconds: i64, name: &str) -> Self {
        let every = every(language, cooldown_seconds);
        Self::List {
            title: hero(language, "gameTitle", &[("game", name)]),
            lead: hero(language, "gameLead", &[("game", name), ("every", &every)]),
            more: None,
        }
    }

    /// As HTML.
    pub fn render(&self) -> String {
        match self {
            Self::List { title, lead, more } => {
                let (title, lead) = (escape(title), escape(lead));
                let more = more.as_deref().map(|more| format!(" <span>{}</span>", escape(more)));
                let more = more.unwrap_or_default();
                format!(
                    "<div class=\"boot-list\"><h1>{title}</h1><p>{lead}{more}</p>\
                     <i></i><i></i><i></i></div>"
                )
            }
            Self::Server(name) => {
                format!("<div class=\"boot-server\"><i></i><h1>{}</h1><i></i></div>", escape(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_text_wherever_it_is_shown() {
        let sights =
            [FirstSight::Server("<b>".into()), FirstSight::game(Language::Fr, 7200, "<b>")];
        for sight in sights {
            let html = sight.render();
            assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
        }
    }

    #[test]
    fn the_home_page_begins_with_its_heading_in_the_language_of_its_address() {
        let html = FirstSight::home(Language::En, 7200).render();
        assert!(html.contains("every 2 hours"), "{html}");
        assert_eq!(html.matches("<h1>").count(), 1, "{html}");
    }
}
