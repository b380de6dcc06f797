//! Rules for the canonical address and the translations of a page: they are complete, and all
//! translations and the sitemap name the same ones.

use std::collections::BTreeSet;

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};
use page_registry::Language;

pub fn check(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    let (snapshot, canonical) = (check.snapshot, check.snapshot.canonical());
    let all = snapshot.canonicals.join(" ");
    results.record(Rule::CanonicalThere, snapshot.canonicals.len() == 1, &*all, check.address);
    let is_ours = context.path(canonical).is_some();
    results.record(Rule::CanonicalOrigin, is_ours, canonical, &*context.origin);
    if !check.is_indexed() {
        results.record(Rule::AlternatesThere, snapshot.alternates.is_empty(), codes(check), "0");
        return;
    }
    let named = context.pages.get(canonical);
    let is_listed = named.is_some_and(|page| page.status == 200 && page.canonical() == canonical);
    let actual = named.map(|page| format!("{} {}", page.status, page.canonical()));
    results.record(Rule::CanonicalKept, is_listed, actual.unwrap_or_default(), canonical);
    alternates(check, context, results);
}

fn codes(check: &PageCheck<'_>) -> String {
    check.snapshot.alternates.iter().map(|(code, _)| &**code).collect::<Vec<_>>().join(" ")
}

fn alternates(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    let (snapshot, canonical) = (check.snapshot, check.snapshot.canonical());
    let regions = Language::ALL.map(Language::region);
    let required: Vec<&str> = regions.into_iter().chain(["x-default"]).collect();
    let listed: BTreeSet<&str> = snapshot.alternates.iter().map(|(code, _)| &**code).collect();
    let is_whole = required.iter().all(|code| listed.contains(code))
        && snapshot.alternates.len() == required.len()
        && snapshot.alternates.iter().all(|(_, address)| context.path(address).is_some());
    results.record(Rule::AlternatesThere, is_whole, codes(check), required.join(" "));
    // Search engines ignore translations that do not name each other
    // (https://developers.google.com/search/docs/specialty/international/localized-versions).
    let mute: Vec<String> = snapshot
        .alternates
        .iter()
        .filter(|(_, address)| {
            let other = context.pages.get(address);
            !other.is_some_and(|other| {
                other.status == 200
                    && other.canonical() == address
                    && other.alternates.iter().any(|(_, back)| back == canonical)
            })
        })
        .map(|(code, address)| format!("{code} {address}"))
        .collect();
    results.record_all(Rule::AlternatesMutual, &mute, canonical);
    if let Some(mapped) = context.sitemap.alternates(canonical) {
        let set = |all: &[(String, String)]| all.iter().cloned().collect::<BTreeSet<_>>();
        let (stated, expected) = (set(&snapshot.alternates), set(mapped));
        let differ: Vec<String> = stated
            .symmetric_difference(&expected)
            .map(|(code, address)| format!("{code} {address}"))
            .collect();
        results.record_all(Rule::AlternatesMapped, &differ, "sitemap.xml");
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{ORIGIN, broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    const PATHS: [&str; 3] = ["/leaderboard", "/en/leaderboard", "/es/leaderboard"];

    fn page(canonical: &str, alternates: usize) -> PageSnapshot {
        let mut html = format!("<link rel=canonical href='{canonical}'>");
        let codes = ["fr-FR", "en-US", "es-ES", "x-default"];
        for (code, path) in codes.into_iter().zip([PATHS[0], PATHS[1], PATHS[2], PATHS[0]]) {
            html += &format!("<link rel=alternate hreflang={code} href='{ORIGIN}{path}'>");
        }
        let mut snapshot = PageSnapshot::read(200, "", &html);
        snapshot.alternates.truncate(alternates);
        snapshot
    }

    fn context(pages: &[(&str, usize)]) -> SiteContext {
        let pages = pages.iter().map(|(path, alternates)| {
            let address = format!("{ORIGIN}{path}");
            (address.clone(), page(&address, *alternates))
        });
        SiteContext { pages: pages.collect(), ..SiteContext::default() }
    }

    #[test]
    fn alternate_links_must_be_complete_and_mutual() {
        let address = format!("{ORIGIN}{}", PATHS[0]);
        let all = PATHS.map(|path| (path, 4));
        let broken_rules = |snapshot: &PageSnapshot, pages: &[(&str, usize)]| {
            broken(check, &sample(), snapshot, context(pages))
        };
        assert_eq!(broken_rules(&page(&address, 4), &all), []);
        assert_eq!(broken_rules(&page(&address, 3), &all), [Rule::AlternatesThere]);
        // The Spanish page does not name the French one.
        assert_eq!(
            broken_rules(&page(&address, 4), &[all[0], all[1], (PATHS[2], 0)]),
            [Rule::AlternatesMutual]
        );
        assert_eq!(
            broken_rules(&page("/leaderboard", 4), &all),
            [Rule::CanonicalOrigin, Rule::CanonicalKept, Rule::AlternatesMutual]
        );
        let withheld = Sample { is_indexed: false, ..sample() };
        let broken_rules = broken(check, &withheld, &page(&address, 1), SiteContext::default());
        assert_eq!(broken_rules, [Rule::AlternatesThere]);
    }

    #[test]
    fn the_sitemap_says_the_same() {
        let address = format!("{ORIGIN}{}", PATHS[0]);
        let mapped = |html: &str| {
            let mut context = context(&PATHS.map(|path| (path, 4)));
            let xml =
                format!("<urlset xmlns:xhtml='x'><url><loc>{address}</loc>{html}</url></urlset>");
            context.sitemap.take("a", &xml, ORIGIN, chrono::DateTime::UNIX_EPOCH);
            broken(check, &sample(), &page(&address, 4), context)
        };
        let link = |(code, path): (&str, &str)| {
            format!("<xhtml:link rel='alternate' hreflang='{code}' href='{ORIGIN}{path}'/>")
        };
        let codes = [("fr-FR", PATHS[0]), ("en-US", PATHS[1]), ("es-ES", PATHS[2])];
        let three: String = codes.into_iter().map(link).collect();
        assert_eq!(mapped(&three), [Rule::AlternatesMapped]);
        assert_eq!(mapped(&(three + &link(("x-default", PATHS[0])))), []);
    }
}
