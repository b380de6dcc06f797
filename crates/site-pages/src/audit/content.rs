//! Rules for the content without script: the number of words, links to the servers, and a link to
//! the next page.

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};
use crate::address::paths::page_at;

/// The fewest words that a page must have.
const WORDS: usize = 40;

/// The number of servers on a page of a list.
const LISTED: i64 = 25;

pub fn check(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    if !check.is_indexed() {
        return;
    }
    let words = check.snapshot.words;
    results.record(Rule::TextThere, words >= WORDS, words.to_string(), format!("≥ {WORDS}"));
    let servers = check.sample.servers;
    if servers == 0 {
        return;
    }
    let here = context.path(check.snapshot.canonical()).unwrap_or_default();
    let mut linked: Vec<&str> =
        check.snapshot.links.iter().map(|link| path(context, link)).collect();
    // A page may link a server several times, with and without a fragment. The server counts once.
    linked.sort_unstable();
    linked.dedup();
    let is_server = |link: &&&str| page_at(link).is_some_and(|found| found.page.key == "server");
    let link_count = linked.iter().filter(is_server).count();
    let expected = servers.min(LISTED);
    let is_listed = i64::try_from(link_count).is_ok_and(|link_count| link_count >= expected);
    results.record(Rule::LinksServers, is_listed, link_count.to_string(), format!("≥ {expected}"));
    if servers > LISTED {
        let next = ["page=2", "page=3"].map(|page| leads_to(check, context, here, page));
        let expected = if servers > 2 * LISTED { 2 } else { 1 };
        let link_count = next.into_iter().filter(|leads| *leads).count();
        results.record(
            Rule::LinksPages,
            link_count >= expected,
            link_count.to_string(),
            "?page=2 ?page=3",
        );
    }
}

/// The path of a link, which may be absolute or relative to the site.
fn path<'a>(context: &SiteContext, link: &'a str) -> &'a str {
    let behind = context.path(link).unwrap_or(link);
    behind.split(['?', '#']).next().unwrap_or_default()
}

/// Whether a link leads to this list with `page` in its query.
fn leads_to(check: &PageCheck<'_>, context: &SiteContext, here: &str, page: &str) -> bool {
    let here = if here.is_empty() { "/" } else { here };
    check.snapshot.links.iter().any(|link| {
        let (before, query) = link.split_once('?').unwrap_or((link, ""));
        let query = query.split('#').next().unwrap_or_default();
        let before = path(context, before);
        query.split('&').any(|pair| pair == page) && (before.is_empty() || before == here)
    })
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{ORIGIN, broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    fn page(servers: usize, pages: &[&str]) -> PageSnapshot {
        let mut html = format!("<link rel=canonical href='{ORIGIN}/'><p>{}", "word ".repeat(40));
        for number in 0..servers {
            html +=
                &format!("<a href='/serveur/s{number}'>s</a> <a href='/serveur/s{number}#a'>s</a>");
        }
        for page in pages {
            html += &format!("<a href='{page}'>p</a>");
        }
        PageSnapshot::read(200, "", &html)
    }

    #[test]
    fn list_pages_must_link_servers_and_next_pages() {
        let broken_rules = |servers, snapshot: &PageSnapshot| {
            broken(check, &Sample { servers, ..sample() }, snapshot, SiteContext::default())
        };
        assert_eq!(broken_rules(0, &page(0, &[])), []);
        assert_eq!(broken_rules(3, &page(3, &[])), []);
        assert_eq!(broken_rules(3, &page(2, &[])), [Rule::LinksServers]);
        let pages = ["/?page=2", "https://p.example/?sort=votes&page=3#server-list"];
        assert_eq!(broken_rules(60, &page(25, &pages)), []);
        assert_eq!(broken_rules(26, &page(25, &pages[..1])), []);
        assert_eq!(
            broken_rules(60, &page(25, &["/game/x?page=2", "/?page=3"])),
            [Rule::LinksPages]
        );
        assert_eq!(broken_rules(0, &PageSnapshot::default()), [Rule::TextThere]);
    }
}
