//! The site's path and language rules, for the HTML that crawlers and link previews read.
//!
//! The pages apply the same rules in the browser (`frontend/src/lib/paths.ts`); both sides are
//! held to `frontend/src/lib/paths.vectors.json`. What only a browser knows (a stored choice) is
//! decided there alone.

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// French, the default, which needs no prefix.
    Fr,
    /// English.
    En,
    /// Spanish.
    Es,
}

use Language::{En, Es, Fr};

impl Language {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Fr, En, Es];

    /// `fr`, `en`, `es`.
    pub fn code(self) -> &'static str {
        match self {
            Fr => "fr",
            En => "en",
            Es => "es",
        }
    }

    /// The form social cards use.
    pub fn locale(self) -> &'static str {
        match self {
            Fr => "fr_FR",
            En => "en_US",
            Es => "es_ES",
        }
    }

    fn of_prefix(segment: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == segment)
    }

    fn server_word(self) -> &'static str {
        match self {
            Fr => "serveur",
            En => "server",
            Es => "servidor",
        }
    }

    fn servers_prefix(self) -> &'static str {
        match self {
            Fr => "serveurs-",
            En => "servers-",
            Es => "servidores-",
        }
    }

    fn guide_word(self) -> &'static str {
        match self {
            Fr => "guide-votifier",
            En => "votifier-guide",
            Es => "guia-votifier",
        }
    }
}

/// What a path shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// The ranking.
    Home,
    /// The ranking of one game, by the game's slug.
    Game(String),
    /// The ranking of one of the games with a short address, by the word in it.
    Shortcut(String),
    /// A server by its slug.
    Server(String),
    /// A server by its id.
    ServerById(String),
    /// One of the pages with a fixed text, by its key in `locales/*/seo.json`.
    Fixed(&'static str),
    /// The administration, which search engines leave alone.
    Admin,
    /// Nothing.
    Missing,
}

/// The games with a short address.
const SHORTCUTS: [&str; 8] =
    ["minecraft", "dofus", "wow", "cs2", "gta-rp", "rust", "garry-mod", "dayz"];

/// Paths with a fixed text and their keys.
const FIXED: [(&str, &str); 15] = [
    ("profile", "profile"),
    ("add-server", "addServer"),
    ("favorites", "favorites"),
    ("leaderboard", "leaderboard"),
    ("my-votes", "myVotes"),
    ("reset-password", "resetPassword"),
    ("privacy", "privacy"),
    ("terms", "terms"),
    ("terms-of-sale", "termsOfSale"),
    ("api-docs", "apiDocs"),
    ("creator-tools", "creatorTools"),
    ("seo-audit", "seoAudit"),
    ("arcade-spots-management", "arcadeSpotsManagement"),
    ("arcade-spots/success", "arcadeSpotsSuccess"),
    ("prestige/success", "prestigeSuccess"),
];

/// The key of the Votifier guide, whose path differs by language.
const GUIDE: &str = "votifierGuide";

/// A path taken apart: its language prefix, and the segments behind it.
struct Split<'a> {
    prefix: Option<Language>,
    rest: Vec<&'a str>,
}

/// Empty segments do not count, repeated prefixes collapse to the first, and a backslash is a
/// slash, as it is for browsers.
fn split(path: &str) -> Split<'_> {
    let segments: Vec<&str> =
        path.split(['/', '\\']).filter(|segment| !segment.is_empty()).collect();
    let prefix = segments.first().and_then(|first| Language::of_prefix(first));
    let rest =
        segments.into_iter().skip_while(|segment| Language::of_prefix(segment).is_some()).collect();
    Split { prefix, rest }
}

fn join(language: Option<Language>, rest: &[String]) -> String {
    let prefix = language.map(|language| language.code().to_owned());
    let segments: Vec<String> = prefix.into_iter().chain(rest.iter().cloned()).collect();
    format!("/{}", segments.join("/"))
}

/// The language whose own word for this kind of page stands first.
fn language_of_words(rest: &[&str]) -> Option<Language> {
    let first = *rest.first()?;
    Language::ALL.into_iter().find(|language| {
        (first == language.server_word() && rest.len() > 1)
            || first.starts_with(language.servers_prefix())
            || first == language.guide_word()
    })
}

/// The language a path asks for by itself.
pub fn language_of_path(path: &str) -> Option<Language> {
    let Split { prefix, rest } = split(path);
    prefix.or_else(|| language_of_words(&rest))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// An address by id reads the same in every language.
fn is_server_by_id(rest: &[&str]) -> bool {
    matches!(rest, [word, id] if *word == En.server_word() && is_uuid(id))
}

/// The first segment in the given language's own word, where there is one.
fn translate(rest: &[&str], language: Language) -> Vec<String> {
    let mut translated: Vec<String> = rest.iter().map(|segment| (*segment).to_owned()).collect();
    let Some(from) = language_of_words(rest).filter(|_| !is_server_by_id(rest)) else {
        return translated;
    };
    translated[0] = if rest[0] == from.server_word() {
        language.server_word().to_owned()
    } else if rest[0] == from.guide_word() {
        language.guide_word().to_owned()
    } else {
        format!("{}{}", language.servers_prefix(), &rest[0][from.servers_prefix().len()..])
    };
    translated
}

fn is_old_games_path(rest: &[&str]) -> bool {
    matches!(rest, ["games", _])
}

/// Where a path should redirect to, or none when it is right as it is.
pub fn canonical_path(path: &str) -> Option<String> {
    let Split { prefix, rest } = split(path);
    let plain = || rest.iter().map(|segment| (*segment).to_owned()).collect::<Vec<_>>();
    let target = if rest.first() == Some(&"admin") {
        join(None, &plain())
    } else if is_old_games_path(&rest) {
        join(prefix, &["game".to_owned(), rest[1].to_owned()])
    } else if let Some(language) = prefix {
        join(prefix, &translate(&rest, language))
    } else {
        match language_of_words(&rest).filter(|_| !is_server_by_id(&rest)) {
            Some(language) => {
                join((language != Fr).then_some(language), &translate(&rest, language))
            }
            None => join(None, &plain()),
        }
    };
    (target != path).then_some(target)
}

/// The same page in another language.
pub fn switch_language(path: &str, to: Language) -> String {
    let Split { rest, .. } = split(path);
    let page = match rest.as_slice() {
        ["games", game] => vec!["game".to_owned(), (*game).to_owned()],
        rest if rest.first() == Some(&"admin") => {
            return join(None, &translate(rest, to));
        }
        rest => translate(rest, to),
    };
    // An address by id carries an English word, so French has to be said aloud there.
    let unprefixed = to == Fr && !is_server_by_id(&rest);
    join((!unprefixed).then_some(to), &page)
}

/// What a path shows.
pub fn page_of(path: &str) -> Page {
    let Split { rest, .. } = split(path);
    let fixed = |path: &str| FIXED.iter().find(|(known, _)| *known == path).map(|(_, key)| *key);
    match rest.as_slice() {
        [] => Page::Home,
        ["admin", ..] => Page::Admin,
        ["game" | "games", slug] => decode(slug).map_or(Page::Missing, Page::Game),
        _ if is_server_by_id(&rest) => Page::ServerById(rest[1].to_owned()),
        [word, slug] if Language::ALL.iter().any(|language| language.server_word() == *word) => {
            decode(slug).map_or(Page::Missing, Page::Server)
        }
        [word] if Language::ALL.iter().any(|language| language.guide_word() == *word) => {
            Page::Fixed(GUIDE)
        }
        [word] => shortcut(word)
            .map(|game| Page::Shortcut(game.to_owned()))
            .or_else(|| fixed(word).map(Page::Fixed))
            .unwrap_or(Page::Missing),
        _ => fixed(&rest.join("/")).map_or(Page::Missing, Page::Fixed),
    }
}

fn shortcut(word: &str) -> Option<&str> {
    let game =
        Language::ALL.iter().find_map(|language| word.strip_prefix(language.servers_prefix()))?;
    SHORTCUTS.contains(&game).then_some(game)
}

/// A slug as it is stored; `None` for what none can be: bytes that are no text, and NUL, which no
/// text in PostgreSQL holds.
fn decode(segment: &str) -> Option<String> {
    let text = percent_encoding::percent_decode_str(segment).decode_utf8().ok()?;
    (!text.contains('\0')).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use compat_testkit::storm;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_storm_of_paths_is_led_to_one_address_and_no_further() {
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
                "..",
                ".",
                "00000000-0000-0000-0000-000000000000",
            ])
            .prop_map(str::to_owned),
            any::<String>(),
        ];
        let paths =
            prop::collection::vec(piece, 0..8).prop_map(|pieces| format!("/{}", pieces.concat()));
        storm("paths", paths, |path| {
            let target = canonical_path(&path).unwrap_or(path);
            assert_eq!(canonical_path(&target), None, "{target:?}");
            assert!(target.starts_with('/') && !target.starts_with("//"), "{target:?}");
            if let Page::Server(slug) | Page::Game(slug) = page_of(&target) {
                assert!(!slug.contains('\0'));
            }
            for language in Language::ALL {
                assert!(!switch_language(&target, language).starts_with("//"), "{target:?}");
            }
        });
    }

    #[test]
    fn a_slug_that_nothing_can_have_is_no_page() {
        for path in [
            "/serveur/%00",
            "/serveur/a%00b",
            "/en/server/a%00b",
            "/es/servidor/%00",
            "/game/%00",
            "/fr/games/x%00",
            "/serveur/%ff",
            "/game/%c3%28",
            "/serveurs-%00",
            "/%00",
        ] {
            assert_eq!(page_of(path), Page::Missing, "{path}");
        }
        assert_eq!(page_of("/serveur/l%27%C3%AEle"), Page::Server("l'île".to_owned()));
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
        // A page without a language of its own goes where the browser's stored choice says.
        let needs_the_browser = |path: &str| path.trim_end_matches('/') == "/api-docs";
        for vector in vectors("redirects") {
            let path = text(&vector["path"]);
            if !needs_the_browser(path) {
                assert_eq!(
                    canonical_path(path).as_deref(),
                    vector["redirect"].as_str(),
                    "{vector}"
                );
            }
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
            let to = Language::of_prefix(text(&vector["to"])).expect("a language");
            assert_eq!(switch_language(text(&vector["path"]), to), vector["switched"], "{vector}");
        }
    }

    #[test]
    fn every_screen_of_the_site_is_known() {
        let id = "6f0c4f6e-3c1f-4a55-9a55-0d6a7d1c2b3e";
        assert_eq!(page_of("/es"), Page::Home);
        assert_eq!(page_of("/en/game/garrys-mod"), Page::Game("garrys-mod".into()));
        assert_eq!(page_of("/es/servidores-gta-rp"), Page::Shortcut("gta-rp".into()));
        assert_eq!(page_of("/serveurs-tetris"), Page::Missing);
        assert_eq!(page_of("/en/server/astra"), Page::Server("astra".into()));
        assert_eq!(page_of(&format!("/server/{id}")), Page::ServerById(id.into()));
        assert_eq!(page_of("/guia-votifier"), Page::Fixed("votifierGuide"));
        assert_eq!(page_of("/prestige/success"), Page::Fixed("prestigeSuccess"));
        assert_eq!(page_of("/admin/tags"), Page::Admin);
        assert_eq!(page_of("/nothing/here"), Page::Missing);
    }
}
