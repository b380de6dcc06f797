//! The site's path and language rules, for the HTML that crawlers and link previews read.
//!
//! The browser applies the same rules (`frontend/src/lib/routing/paths.ts`); both implementations
//! are tested with `frontend/src/lib/paths.vectors.json`. Rules that need the visitor's stored
//! language run only in the browser.

use page_registry::{PAGES, PageEntry, PageMatch, Segment, join, prefix_of};

pub use page_registry::path_of;

use page_registry::Language;

/// A path split into its language prefix and the following segments, in lower case.
struct SplitPath {
    prefix: Option<Language>,
    rest: Vec<String>,
}

/// Splits a path. Empty segments are ignored, repeated prefixes collapse to the first, and a
/// backslash is a slash, as in browsers.
fn split(path: &str) -> SplitPath {
    let path = small(path);
    let segments: Vec<&str> =
        path.split(['/', '\\']).filter(|segment| !segment.is_empty()).collect();
    let prefix = segments.first().and_then(|first| Language::parse(first));
    let rest = segments
        .into_iter()
        .skip_while(|segment| Language::parse(segment).is_some())
        .map(str::to_owned)
        .collect();
    SplitPath { prefix, rest }
}

/// The path in lower case, except for percent-encoded characters.
fn small(path: &str) -> String {
    let mut encoded = 0;
    let mut rest = path.chars();
    let mut out = String::with_capacity(path.len());
    while let Some(character) = rest.next() {
        let mut digits = rest.clone().take(2);
        if encoded == 0
            && character == '%'
            && digits.next().is_some_and(|digit| digit.is_ascii_hexdigit())
            && digits.next().is_some_and(|digit| digit.is_ascii_hexdigit())
        {
            encoded = 3;
        }
        out.push(if encoded == 0 { character.to_ascii_lowercase() } else { character });
        encoded = usize::saturating_sub(encoded, 1);
    }
    out
}

/// The page whose path starts with a word of its own in each language, and the language of that
/// word unless several languages share it.
fn wording(rest: &[String]) -> Option<(&'static PageEntry, Option<Language>)> {
    PAGES.iter().filter(|page| page.worded).find_map(|page| {
        let mut languages =
            Language::ALL.into_iter().filter(|language| opens(page.pattern(*language), rest));
        let language = languages.next()?;
        Some((page, languages.next().is_none().then_some(language)))
    })
}

/// Whether a path begins with the first word of a pattern and has enough segments for it.
fn opens(pattern: &[Segment], rest: &[String]) -> bool {
    let (Some(first), Some(word)) = (pattern.first(), rest.first()) else {
        return false;
    };
    rest.len() >= pattern.len()
        && match first.param {
            None => *word == first.text,
            Some(_) => word.starts_with(&first.text),
        }
}

/// The language that a path determines by its prefix or by its words.
pub fn language_of_path(path: &str) -> Option<Language> {
    let SplitPath { prefix, rest } = split(path);
    prefix.or_else(|| wording(&rest)?.1)
}

fn is_admin(rest: &[String]) -> bool {
    rest.first().is_some_and(|word| word == "admin")
}

/// Whether a path is only the word for servers, without a server after it.
fn is_server_word_alone(rest: &[String]) -> bool {
    let is_word = |word: &String| {
        PAGES.iter().filter(|page| page.key == "server").any(|page| {
            Language::ALL.iter().any(|language| {
                page.pattern(*language).first().is_some_and(|first| first.text == *word)
            })
        })
    };
    matches!(rest, [word] if is_word(word))
}

/// Whether a path names a server by its id. Such a path is the same in every language.
fn is_server_by_id(rest: &[String]) -> bool {
    page_registry::find(rest).is_some_and(|route| route.page.key == "serverById")
}

/// The new segments for the old address of a game.
fn renamed(rest: &[String]) -> Option<Vec<String>> {
    matches!(rest, [word, _] if word == "games").then(|| vec!["game".to_owned(), rest[1].clone()])
}

/// Translates the first segment into the word of the given language, where there is one.
fn translate(rest: &[String], to: Language) -> Vec<String> {
    let mut translated = rest.to_vec();
    if let Some((page, Some(from))) = wording(rest)
        && !is_server_by_id(rest)
        && let (Some(from), Some(to)) = (page.pattern(from).first(), page.pattern(to).first())
        && let Some(behind) = rest[0].strip_prefix(&from.text)
    {
        translated[0] = format!("{}{behind}", to.text);
    }
    translated
}

/// The path to redirect to; `None` when the path is canonical.
///
/// The stored language is known only to the browser. It shows pages without a language of their own
/// in that language, and removes the prefix from paths of the administration.
pub fn canonical_path(path: &str) -> Option<String> {
    let SplitPath { prefix, rest } = split(path);
    let target = if is_admin(&rest) {
        join(prefix, &rest)
    } else if is_server_word_alone(&rest) {
        join(prefix, &[])
    } else if let Some(renamed) = renamed(&rest) {
        join(prefix, &renamed)
    } else if let Some(language) = prefix {
        join(prefix, &translate(&rest, language))
    } else {
        match wording(&rest).and_then(|(_, language)| language) {
            Some(language) if !is_server_by_id(&rest) => {
                join(prefix_of(language), &translate(&rest, language))
            }
            _ => join(None, &rest),
        }
    };
    (target != path).then_some(target)
}

/// The path of the same page in another language. The administration has one path for all
/// languages.
pub fn switch_language(path: &str, to: Language) -> String {
    let SplitPath { rest, .. } = split(path);
    if is_admin(&rest) {
        return join(None, &rest);
    }
    if is_server_word_alone(&rest) {
        return join(prefix_of(to), &[]);
    }
    // The path by id contains an English word, so it needs an explicit prefix for French, too.
    let prefix = if is_server_by_id(&rest) { Some(to) } else { prefix_of(to) };
    join(prefix, &renamed(&rest).unwrap_or_else(|| translate(&rest, to)))
}

/// The page of the registry at a path, with the parameters of the path.
pub fn page_at(path: &str) -> Option<PageMatch> {
    page_registry::find(&split(path).rest)
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn random_paths_lead_to_one_address() {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "/",
                "//",
                "\\",
                "fr",
                "en",
                "es",
                "server",
                "serveur",
                "servidor",
                "servers-",
                "rust",
                "games",
                "game",
                "admin",
                "%00",
                "%",
                "%ff",
                "guide-votifier",
                "é",
                "EN",
                "Serveur",
                "%C3%8e",
                "..",
                ".",
                "00000000-0000-0000-0000-000000000000",
            ])
            .prop_map(str::to_owned),
            any::<String>(),
        ];
        let paths =
            prop::collection::vec(piece, 0..8).prop_map(|pieces| format!("/{}", pieces.concat()));
        property_test("paths", paths, |path| {
            let target = canonical_path(&path).unwrap_or(path);
            assert_eq!(canonical_path(&target), None, "{target:?}");
            assert!(target.starts_with('/') && !target.starts_with("//"), "{target:?}");
            for language in Language::ALL {
                assert!(!switch_language(&target, language).starts_with("//"), "{target:?}");
            }
        });
    }

    fn vectors(kind: &str) -> Vec<Value> {
        let all: Value =
            serde_json::from_str(include_str!("../../../../frontend/src/lib/paths.vectors.json"))
                .expect("vectors");
        all[kind].as_array().expect("a list").clone()
    }

    fn text(value: &Value) -> &str {
        value.as_str().expect("a text")
    }

    #[test]
    fn languages_are_detected_as_the_pages_detect_them() {
        for vector in vectors("detect") {
            let by_path = language_of_path(text(&vector["path"])).map(Language::code);
            if let Some(language) = by_path {
                assert_eq!(language, vector["language"], "{vector}");
            }
        }
    }

    #[test]
    fn redirects_are_those_of_the_pages() {
        for vector in vectors("redirects") {
            let path = text(&vector["path"]);
            let redirect = vector.get("server").unwrap_or(&vector["redirect"]);
            assert_eq!(canonical_path(path).as_deref(), redirect.as_str(), "{vector}");
        }
    }

    #[test]
    fn a_redirect_ends_where_it_leads() {
        for vector in vectors("redirects") {
            if let Some(target) = canonical_path(text(&vector["path"])) {
                assert_eq!(canonical_path(&target), None, "{target}");
            }
        }
    }

    #[test]
    fn switching_languages_is_that_of_the_pages() {
        for vector in vectors("switches") {
            let to = Language::parse(text(&vector["to"])).expect("a language");
            assert_eq!(switch_language(text(&vector["path"]), to), vector["switched"], "{vector}");
        }
    }

    #[test]
    fn pages_stand_where_they_do_for_the_pages() {
        for vector in vectors("pages") {
            let found = page_at(text(&vector["path"]));
            assert_eq!(
                found.as_ref().map(|found| &*found.page.key),
                vector["page"].as_str(),
                "{vector}"
            );
            for (name, value) in vector["params"].as_object().into_iter().flatten() {
                let param = found.as_ref().map(|found| found.param(name));
                assert_eq!(param, value.as_str(), "{vector}");
            }
        }
    }
}
