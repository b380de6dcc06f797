//! Searches the documentation by words. There are few sections, so each search reads them all.

use serde_json::{Value, json};

/// The pages, as path and text.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The most characters of a section that are shown.
const LONGEST: usize = 4_000;
/// The most words of a query that are searched.
const WORDS: usize = 12;
/// The score of a word in a heading.
const HEADING: usize = 8;
/// The highest score of a word in one section, so that long lists do not outweigh better matches.
const MOST: usize = 6;

struct Section<'a> {
    page: &'a str,
    title: &'a str,
    text: &'a str,
}

/// The sections that match a query best, at most `limit`, best first.
pub(crate) fn search(question: &str, limit: usize) -> Vec<Value> {
    let words: Vec<String> = question
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.chars().count() > 1)
        .take(WORDS)
        .map(str::to_lowercase)
        .collect();
    let sections = PAGES.iter().flat_map(|(page, text)| sections(page, text));
    let mut matches: Vec<(usize, Section<'_>)> = sections
        .map(|section| (score(&section, &words), section))
        .filter(|(score, _)| *score > 0)
        .collect();
    matches.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    matches.into_iter().take(limit).map(|(_, section)| section.json()).collect()
}

impl Section<'_> {
    fn json(&self) -> Value {
        let end = self.text.char_indices().nth(LONGEST).map_or(self.text.len(), |(at, _)| at);
        json!({
            "title": self.title,
            "href": format!("{}#{}", self.page, anchor(self.title)),
            "content": self.text.get(..end).unwrap_or_default().trim(),
        })
    }
}

/// Splits a page at its headings.
fn sections<'a>(page: &'a str, text: &'a str) -> Vec<Section<'a>> {
    let mut list = Vec::new();
    let (mut from, mut title, mut at, mut is_code) = (0, page, 0, false);
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if line.starts_with('#') && !is_code {
            list.push(Section { page, title, text: text.get(from..at).unwrap_or_default() });
            (from, title) = (at, line.trim_start_matches('#').trim());
        }
        at += line.len();
    }
    list.push(Section { page, title, text: text.get(from..).unwrap_or_default() });
    list.retain(|section| !section.text.trim().is_empty());
    list
}

fn score(section: &Section<'_>, words: &[String]) -> usize {
    let (title, text) = (section.title.to_lowercase(), section.text.to_lowercase());
    let of_word = |word: &String| {
        let heading = if title.contains(word.as_str()) { HEADING } else { 0 };
        heading + text.matches(word.as_str()).count().min(MOST)
    };
    let scores: Vec<usize> = words.iter().map(of_word).collect();
    // A section with all of the words ranks before one that repeats a single word.
    scores.iter().sum::<usize>() * scores.iter().filter(|score| **score > 0).count()
}

/// The anchor of a heading, as GitHub generates it.
fn anchor(title: &str) -> String {
    let is_of_anchor = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    title.to_lowercase().chars().filter(is_of_anchor).collect::<String>().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;

    use super::*;

    #[test]
    fn pages_are_cut_at_their_headings() {
        let text = "# A\none\n```\n# no heading\n```\n## B `x`\ntwo\n";
        let titles: Vec<&str> =
            sections("p.md", text).iter().map(|section| section.title).collect();
        assert_eq!(titles, ["A", "B `x`"]);
        assert_eq!(anchor("The embedded one"), "the-embedded-one");
    }

    #[test]
    fn sections_that_fit_come_first() {
        let results = search("read-only transaction agent", 3);
        assert!(results.len() <= 3);
        assert!(
            results
                .iter()
                .all(|one| one["href"].as_str().is_some_and(|href| href.starts_with("docs/")))
        );
        assert_eq!(search("", 3), Vec::<Value>::new());
    }

    #[test]
    fn random_questions_are_answered() {
        property_test("questions", ".{0,60}", |question: String| {
            assert!(search(&question, 2).len() <= 2);
        });
    }
}
