//! Rules for titles and descriptions: each page has its own, short enough to be shown completely.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};

const TITLE: RangeInclusive<usize> = 10..=65;
const DESCRIPTION: RangeInclusive<usize> = 50..=160;

pub fn check(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    let titles = (&*check.snapshot.titles, [Rule::TitleThere, Rule::TitleLength, Rule::TitleOwn]);
    check_text(check, titles.0, titles.1, &TITLE, &context.titles, results);
    let rules = [Rule::DescriptionThere, Rule::DescriptionLength, Rule::DescriptionOwn];
    check_text(
        check,
        &check.snapshot.descriptions,
        rules,
        &DESCRIPTION,
        &context.descriptions,
        results,
    );
}

/// Length and uniqueness are checked only on pages that search engines may show.
fn check_text(
    check: &PageCheck<'_>,
    words: &[String],
    [there, length, unique]: [Rule; 3],
    bounds: &RangeInclusive<usize>,
    owners_of_text: &BTreeMap<String, BTreeSet<String>>,
    results: &mut RuleResults,
) {
    let first = words.first().map_or("", String::as_str);
    let is_there = words.len() == 1 && !first.is_empty();
    results.record(there, is_there, words.join(" | "), "1");
    if !is_there || !check.is_indexed() {
        return;
    }
    let character_count = first.chars().count();
    let expected = format!("{}–{}", bounds.start(), bounds.end());
    results.record(
        length,
        bounds.contains(&character_count),
        format!("{character_count}: {first}"),
        expected,
    );
    let pages = owners_of_text.get(first).cloned().unwrap_or_default();
    let page_list = pages.iter().cloned().collect::<Vec<_>>().join(" ");
    results.record(unique, pages.len() < 2, page_list, "1");
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    fn page(title: &str, description: &str) -> PageSnapshot {
        let html = format!("<title>{title}</title><meta name=description content='{description}'>");
        PageSnapshot::read(200, "", &html)
    }

    #[test]
    fn title_and_description_length_and_uniqueness_are_checked() {
        let (title, description) = ("a".repeat(65), "é".repeat(160));
        let fine = page(&title, &description);
        assert_eq!(broken(check, &sample(), &fine, SiteContext::default()), []);
        let none = broken(check, &sample(), &PageSnapshot::default(), SiteContext::default());
        assert_eq!(none, [Rule::TitleThere, Rule::DescriptionThere]);
        let findings = broken(check, &sample(), &page("short", "short"), SiteContext::default());
        assert_eq!(findings, [Rule::TitleLength, Rule::DescriptionLength]);
        let two = || BTreeSet::from(["/a".to_owned(), "/b".to_owned()]);
        let context = SiteContext {
            titles: [(title, two())].into(),
            descriptions: [(description, two())].into(),
            ..SiteContext::default()
        };
        let shared = [Rule::TitleOwn, Rule::DescriptionOwn];
        assert_eq!(broken(check, &sample(), &fine, context), shared);
        let unindexed = Sample { is_indexed: false, ..sample() };
        assert_eq!(broken(check, &unindexed, &page("short", "short"), SiteContext::default()), []);
    }
}
