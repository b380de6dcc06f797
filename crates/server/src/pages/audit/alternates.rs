//! The page's one address, and the same page in the other languages: whole, and said alike by
//! every page it is said of, and by the sitemap.

use std::collections::BTreeSet;

use super::super::paths::Language;
use super::look::{Around, Look};
use super::rule::{Rule, Verdict};

pub fn check(look: &Look<'_>, around: &Around, verdict: &mut Verdict) {
    let (seen, canonical) = (look.seen, look.seen.canonical());
    let all = seen.canonicals.join(" ");
    verdict.judge(Rule::CanonicalThere, seen.canonicals.len() == 1, &*all, look.address);
    let is_ours = around.path(canonical).is_some();
    verdict.judge(Rule::CanonicalOrigin, is_ours, canonical, &*around.origin);
    if !look.is_indexed() {
        verdict.judge(Rule::AlternatesThere, seen.alternates.is_empty(), codes(look), "0");
        return;
    }
    let named = around.pages.get(canonical);
    let kept = named.is_some_and(|page| page.status == 200 && page.canonical() == canonical);
    let says = named.map(|page| format!("{} {}", page.status, page.canonical()));
    verdict.judge(Rule::CanonicalKept, kept, says.unwrap_or_default(), canonical);
    alternates(look, around, verdict);
}

fn codes(look: &Look<'_>) -> String {
    look.seen.alternates.iter().map(|(code, _)| &**code).collect::<Vec<_>>().join(" ")
}

fn alternates(look: &Look<'_>, around: &Around, verdict: &mut Verdict) {
    let (seen, canonical) = (look.seen, look.seen.canonical());
    let regions = Language::ALL.map(Language::region);
    let wanted: Vec<&str> = regions.into_iter().chain(["x-default"]).collect();
    let given: BTreeSet<&str> = seen.alternates.iter().map(|(code, _)| &**code).collect();
    let is_whole = wanted.iter().all(|code| given.contains(code))
        && seen.alternates.len() == wanted.len()
        && seen.alternates.iter().all(|(_, address)| around.path(address).is_some());
    verdict.judge(Rule::AlternatesThere, is_whole, codes(look), wanted.join(" "));
    let mute: Vec<String> = seen
        .alternates
        .iter()
        .filter(|(_, address)| {
            let other = around.pages.get(address);
            !other.is_some_and(|other| {
                other.status == 200
                    && other.canonical() == address
                    && other.alternates.iter().any(|(_, back)| back == canonical)
            })
        })
        .map(|(code, address)| format!("{code} {address}"))
        .collect();
    verdict.judge_all(Rule::AlternatesMutual, &mute, canonical);
    if let Some(mapped) = around.sitemap.alternates(canonical) {
        let set = |all: &[(String, String)]| all.iter().cloned().collect::<BTreeSet<_>>();
        let (here, there) = (set(&seen.alternates), set(mapped));
        let differ: Vec<String> = here
            .symmetric_difference(&there)
            .map(|(code, address)| format!("{code} {address}"))
            .collect();
        verdict.judge_all(Rule::AlternatesMapped, &differ, "sitemap.xml");
    }
}

#[cfg(test)]
mod tests {
    use super::super::look::tests::{ORIGIN, broken, sample};
    use super::super::samples::Sample;
    use super::super::seen::Seen;
    use super::*;

    const PATHS: [&str; 3] = ["/leaderboard", "/en/leaderboard", "/es/leaderboard"];

    fn page(canonical: &str, alternates: usize) -> Seen {
        let mut html = format!("<link rel=canonical href='{canonical}'>");
        let codes = ["fr-FR", "en-US", "es-ES", "x-default"];
        for (code, path) in codes.into_iter().zip([PATHS[0], PATHS[1], PATHS[2], PATHS[0]]) {
            html += &format!("<link rel=alternate hreflang={code} href='{ORIGIN}{path}'>");
        }
        let mut seen = Seen::read(200, "", &html);
        seen.alternates.truncate(alternates);
        seen
    }

    fn around(pages: &[(&str, usize)]) -> Around {
        let pages = pages.iter().map(|(path, alternates)| {
            let address = format!("{ORIGIN}{path}");
            (address.clone(), page(&address, *alternates))
        });
        Around { pages: pages.collect(), ..Around::default() }
    }

    #[test]
    fn every_page_names_the_others_and_they_name_it() {
        let address = format!("{ORIGIN}{}", PATHS[0]);
        let all = PATHS.map(|path| (path, 4));
        let found =
            |seen: &Seen, pages: &[(&str, usize)]| broken(check, &sample(), seen, around(pages));
        assert_eq!(found(&page(&address, 4), &all), []);
        assert_eq!(found(&page(&address, 3), &all), [Rule::AlternatesThere]);
        // The Spanish page does not name the French one.
        assert_eq!(
            found(&page(&address, 4), &[all[0], all[1], (PATHS[2], 0)]),
            [Rule::AlternatesMutual]
        );
        assert_eq!(
            found(&page("/leaderboard", 4), &all),
            [Rule::CanonicalOrigin, Rule::CanonicalKept, Rule::AlternatesMutual]
        );
        let withheld = Sample { is_indexed: false, ..sample() };
        let found = broken(check, &withheld, &page(&address, 1), Around::default());
        assert_eq!(found, [Rule::AlternatesThere]);
    }

    #[test]
    fn the_sitemap_says_the_same() {
        let address = format!("{ORIGIN}{}", PATHS[0]);
        let mapped = |html: &str| {
            let mut around = around(&PATHS.map(|path| (path, 4)));
            let xml =
                format!("<urlset xmlns:xhtml='x'><url><loc>{address}</loc>{html}</url></urlset>");
            around.sitemap.take("a", &xml, ORIGIN, "2026-11-24");
            broken(check, &sample(), &page(&address, 4), around)
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
