//! The registry of pages, `frontend/src/lib/pages.json`, which the front end reads, too. Routes,
//! page heads and the sitemap know exactly the pages that are listed there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::Language;

/// One page.
#[derive(Debug)]
pub struct PageEntry {
    /// The key of the page in the registry, and of its texts in `locales/*/seo.json`.
    pub key: String,
    /// Whether search engines may index the page; false while the page is only announced.
    pub indexed: bool,
    /// Whether the path differs by language.
    pub worded: bool,
    /// The segments of the path, for each language in the order of [`Language::ALL`].
    patterns: [Vec<Segment>; 3],
}

impl PageEntry {
    /// The segments of the path in a language.
    pub fn pattern(&self, language: Language) -> &[Segment] {
        &self.patterns[language as usize]
    }

    /// Whether the path has parameters, such as the slug of a server.
    pub fn has_params(&self) -> bool {
        self.patterns[0].iter().any(|segment| segment.param.is_some())
    }
}

/// A segment of a path: fixed text, and the parameter behind it if there is one.
#[derive(Debug)]
pub struct Segment {
    /// The fixed text at the start of the segment.
    pub text: String,
    /// The parameter after the text.
    pub param: Option<Param>,
}

/// A variable part of a path.
#[derive(Debug)]
pub struct Param {
    /// The name of the parameter.
    pub name: String,
    kind: ParamKind,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ParamKind {
    Slug,
    Uuid,
    Shortcut,
    Month,
}

/// Games with a short address, together or alone.
#[derive(Debug, Deserialize)]
pub struct Shortcut {
    /// The common name of the games; `None` where the name of the only game is used.
    pub name: Option<String>,
    /// The slugs of the games.
    pub games: Vec<String>,
}

#[derive(Deserialize)]
struct RegistryEntry {
    path: LocalizedPath,
    indexed: bool,
    #[serde(default)]
    params: BTreeMap<String, ParamKind>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LocalizedPath {
    Same(String),
    Worded { fr: String, en: String, es: String },
}

/// Every page.
pub static PAGES: LazyLock<Vec<PageEntry>> = LazyLock::new(|| {
    let raw: BTreeMap<String, RegistryEntry> =
        serde_json::from_str(include_str!("../../../frontend/src/lib/pages.json"))
            .unwrap_or_default();
    raw.into_iter().map(|(key, page)| entry(key, page)).collect()
});

/// The short addresses of games, by their first path segment.
pub static SHORTCUTS: LazyLock<BTreeMap<String, Shortcut>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../frontend/src/lib/shortcuts.json"))
        .unwrap_or_default()
});

fn entry(key: String, page: RegistryEntry) -> PageEntry {
    let read = |path: &str| segments(path, &page.params);
    let (patterns, worded) = match &page.path {
        LocalizedPath::Same(path) => ([read(path), read(path), read(path)], false),
        LocalizedPath::Worded { fr, en, es } => ([read(fr), read(en), read(es)], true),
    };
    PageEntry { key, indexed: page.indexed, worded, patterns }
}

fn segments(path: &str, kinds: &BTreeMap<String, ParamKind>) -> Vec<Segment> {
    path.split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| match segment.split_once(':') {
            Some((text, name)) => Segment {
                text: text.to_owned(),
                param: kinds.get(name).map(|kind| Param { name: name.to_owned(), kind: *kind }),
            },
            None => Segment { text: segment.to_owned(), param: None },
        })
        .collect()
}

/// A page and the parameters of its path.
#[derive(Debug)]
pub struct PageMatch {
    /// The page.
    pub page: &'static PageEntry,
    params: Vec<(&'static str, String)>,
}

impl PageMatch {
    /// The value of a parameter; empty where the page has no such parameter.
    pub fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// All parameters with their values.
    pub fn params(&self) -> Vec<(&str, &str)> {
        self.params.iter().map(|(name, value)| (*name, &**value)).collect()
    }
}

/// The page with this path, given as its segments without a language.
pub fn find(rest: &[String]) -> Option<PageMatch> {
    PAGES.iter().find_map(|page| {
        let params =
            Language::ALL.into_iter().find_map(|language| read(page.pattern(language), rest))?;
        Some(PageMatch { page, params })
    })
}

fn read(pattern: &'static [Segment], rest: &[String]) -> Option<Vec<(&'static str, String)>> {
    if pattern.len() != rest.len() {
        return None;
    }
    let mut params = Vec::new();
    for (part, segment) in pattern.iter().zip(rest) {
        match &part.param {
            None if *segment == part.text => {}
            None => return None,
            Some(param) => {
                let value = segment.strip_prefix(&part.text)?;
                if !is_of_kind(param.kind, value) {
                    return None;
                }
                params.push((&*param.name, value.to_owned()));
            }
        }
    }
    Some(params)
}

/// Whether a value is of this kind. No slug looks like an id, so one address can contain either.
fn is_of_kind(kind: ParamKind, value: &str) -> bool {
    match kind {
        ParamKind::Uuid => is_uuid(value),
        ParamKind::Shortcut => SHORTCUTS.contains_key(value),
        ParamKind::Month => is_month(value),
        ParamKind::Slug => is_slug(value) && !is_uuid(value),
    }
}

/// The longest slug of a server or a game.
const LONGEST_SLUG: usize = 200;

/// Whether this may be the slug of a server or a game, as the database has it: `[a-z0-9_]+` with
/// single hyphens between.
pub fn is_slug(text: &str) -> bool {
    text.len() <= LONGEST_SLUG
        && text.split('-').all(|word| {
            !word.is_empty()
                && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        })
}

/// Whether this is a month such as `2026-10`.
fn is_month(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() == 7
        && text.split_once('-').is_some_and(|(year, month)| {
            year.len() == 4
                && digits(year)
                && digits(month)
                && (1..=12).contains(&month.parse().unwrap_or(0))
        })
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_can_be_read() {
        assert!(PAGES.len() > 30 && PAGES.iter().any(|page| page.key == "home"));
        assert_eq!(SHORTCUTS["dofus"].name.as_deref(), Some("Dofus"));
        for page in PAGES.iter() {
            let named = page.patterns[0].iter().filter(|part| part.param.is_some()).count();
            let raw = include_str!("../../../frontend/src/lib/pages.json");
            let raw: serde_json::Value = serde_json::from_str(raw).expect("the registry");
            let kinds = raw[&page.key]["params"].as_object().map_or(0, serde_json::Map::len);
            assert_eq!(named, kinds, "{}", page.key);
        }
    }
}
