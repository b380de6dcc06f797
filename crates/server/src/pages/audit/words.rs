//! Title and description: there, of a length that is shown whole, and each page's own.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::look::{Around, Look};
use super::rule::{Rule, Verdict};

const TITLE: RangeInclusive<usize> = 10..=65;
const DESCRIPTION: RangeInclusive<usize> = 50..=160;

pub fn check(look: &Look<'_>, around: &Around, verdict: &mut Verdict) {
    let titles = (&*look.seen.titles, [Rule::TitleThere, Rule::TitleLength, Rule::TitleOwn]);
    held(look, titles.0, titles.1, &TITLE, &around.titles, verdict);
    let rules = [Rule::DescriptionThere, Rule::DescriptionLength, Rule::DescriptionOwn];
    held(look, &look.seen.descriptions, rules, &DESCRIPTION, &around.descriptions, verdict);
}

/// Length and sameness are asked of what search engines show only.
fn held(
    look: &Look<'_>,
    words: &[String],
    [there, length, own]: [Rule; 3],
    bounds: &RangeInclusive<usize>,
    borne: &BTreeMap<String, BTreeSet<String>>,
    verdict: &mut Verdict,
) {
    let first = words.first().map_or("", String::as_str);
    let is_there = words.len() == 1 && !first.is_empty();
    verdict.judge(there, is_there, words.join(" | "), "1");
    if !is_there || !look.is_indexed() {
        return;
    }
    let letters = first.chars().count();
    let wanted = format!("{}–{}", bounds.start(), bounds.end());
    verdict.judge(length, bounds.contains(&letters), format!("{letters}: {first}"), wanted);
    let bearers = borne.get(first).cloned().unwrap_or_default();
    let found = bearers.iter().cloned().collect::<Vec<_>>().join(" ");
    verdict.judge(own, bearers.len() < 2, found, "1");
}

#[cfg(test)]
mod tests {
    use super::super::look::tests::{broken, sample};
    use super::super::samples::Sample;
    use super::super::seen::Seen;
    use super::*;

    fn page(title: &str, description: &str) -> Seen {
        let html = format!("<title>{title}</title><meta name=description content='{description}'>");
        Seen::read(200, "", &html)
    }

    #[test]
    fn title_and_description_are_there_of_a_good_length_and_their_pages_own() {
        let (title, description) = ("a".repeat(65), "é".repeat(160));
        let fine = page(&title, &description);
        assert_eq!(broken(check, &sample(), &fine, Around::default()), []);
        let none = broken(check, &sample(), &Seen::default(), Around::default());
        assert_eq!(none, [Rule::TitleThere, Rule::DescriptionThere]);
        let odd = broken(check, &sample(), &page("short", "short"), Around::default());
        assert_eq!(odd, [Rule::TitleLength, Rule::DescriptionLength]);
        let two = || BTreeSet::from(["/a".to_owned(), "/b".to_owned()]);
        let around = Around {
            titles: [(title, two())].into(),
            descriptions: [(description, two())].into(),
            ..Around::default()
        };
        let shared = [Rule::TitleOwn, Rule::DescriptionOwn];
        assert_eq!(broken(check, &sample(), &fine, around), shared);
        let own = Sample { is_indexed: false, ..sample() };
        assert_eq!(broken(check, &own, &page("short", "short"), Around::default()), []);
    }
}
