//! The keywords of pages: lists for each kind of page and game. Only the server reads them, since
//! only crawlers do.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::head::texts::fill;
use page_registry::Language;

/// The largest number of keywords after the main one.
const MOST: usize = 20;

/// The keywords of a page, grouped by subject.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Lists {
    primary: String,
    versions: Vec<String>,
    seasons: Vec<String>,
    rates: Vec<String>,
    features: Vec<String>,
    roleplay: Vec<String>,
    games: Vec<String>,
    game_types: Vec<String>,
}

type Pages = BTreeMap<String, Lists>;

static FR: LazyLock<Pages> = LazyLock::new(|| parse(include_str!("keywords/fr.json")));
static EN: LazyLock<Pages> = LazyLock::new(|| parse(include_str!("keywords/en.json")));
static ES: LazyLock<Pages> = LazyLock::new(|| parse(include_str!("keywords/es.json")));

fn parse(json: &str) -> Pages {
    serde_json::from_str(json).unwrap_or_default()
}

fn of(language: Language) -> &'static Pages {
    match language {
        Language::Fr => &FR,
        Language::En => &EN,
        Language::Es => &ES,
    }
}

/// The keywords of a page or of a game's shortcut, the main one first, with the values in place of
/// their `{{names}}`. Empty for a page that must not be indexed.
pub fn keywords(language: Language, key: &str, values: &[(&str, &str)]) -> Vec<String> {
    let Some(lists) = of(language).get(key) else {
        return Vec::new();
    };
    let others = [
        &lists.versions,
        &lists.seasons,
        &lists.rates,
        &lists.features,
        &lists.roleplay,
        &lists.games,
        &lists.game_types,
    ];
    let others = others.into_iter().flatten().take(MOST);
    [&lists.primary].into_iter().chain(others).map(|word| fill(word, values)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page_registry::SHORTCUTS;

    #[test]
    fn every_language_has_keywords_for_the_same_pages() {
        let known: Vec<_> = FR.keys().collect();
        assert!(
            SHORTCUTS
                .keys()
                .chain(&["home".into(), "game".into(), "server".into()])
                .all(|word| FR.contains_key(word))
        );
        for language in Language::ALL {
            assert_eq!(of(language).keys().collect::<Vec<_>>(), known, "{language:?}");
            for (key, lists) in of(language) {
                assert!(!lists.primary.is_empty(), "{language:?} {key}");
                let words = keywords(language, key, &[("game", "Rust"), ("name", "Astra")]);
                assert!((2..=MOST + 1).contains(&words.len()), "{language:?} {key}");
                assert!(words.iter().all(|word| !word.contains("{{")), "{words:?}");
            }
        }
    }

    #[test]
    fn unlisted_page_has_no_keywords() {
        assert_eq!(keywords(Language::En, "profile", &[]), [""; 0]);
    }
}
