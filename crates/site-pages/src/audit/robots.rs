//! Rules for what robots may fetch and index: the page, its headers, `robots.txt` and the sitemap
//! must agree.

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};

pub fn check(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    let (snapshot, is_indexed) = (check.snapshot, check.is_indexed());
    let expected = if is_indexed { "index" } else { "noindex" };
    results.record(
        Rule::RobotsMeta,
        snapshot.is_withheld() != is_indexed,
        &*snapshot.robots,
        expected,
    );
    let canonical = snapshot.canonical();
    if !is_indexed {
        let named = context.sitemap.names(canonical) || context.sitemap.names(check.address);
        results.record(Rule::SitemapNames, !named, canonical, "");
        return;
    }
    let path = context.path(check.address).unwrap_or_default();
    let rule = context.forbidden.iter().find(|rule| path.starts_with(&***rule));
    results.record(Rule::RobotsFile, rule.is_none(), rule.cloned().unwrap_or_default(), path);
    // On a large site some files of the sitemap are not read, and a server may be in one of those.
    if context.sitemap.is_whole || !is_about_a_row(check) {
        results.record(Rule::SitemapNames, context.sitemap.names(canonical), "", canonical);
    }
}

fn is_about_a_row(check: &PageCheck<'_>) -> bool {
    matches!(check.sample.kind, "server" | "reviewedServer" | "serverById")
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{ORIGIN, broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    #[test]
    fn page_robots_and_sitemap_say_the_same() {
        let canonical = format!("<link rel=canonical href='{ORIGIN}/leaderboard'>");
        let (listed, withheld) = (
            PageSnapshot::read(200, "", &canonical),
            PageSnapshot::read(200, "noindex", &canonical),
        );
        let context = |is_named: bool, forbidden: &[&str]| {
            let forbidden = forbidden.iter().map(|&rule| rule.into()).collect();
            let mut context = SiteContext { forbidden, ..SiteContext::default() };
            let path = if is_named { "/leaderboard" } else { "/" };
            let xml = format!("<urlset><url><loc>{ORIGIN}{path}</loc></url></urlset>");
            context.sitemap.take("a", &xml, ORIGIN, chrono::DateTime::UNIX_EPOCH);
            context
        };
        let unindexed = Sample { is_indexed: false, ..sample() };
        assert_eq!(broken(check, &sample(), &listed, context(true, &["/admin"])), []);
        assert_eq!(broken(check, &unindexed, &withheld, context(false, &[])), []);
        let hidden = broken(check, &sample(), &withheld, context(false, &["/lead"]));
        assert_eq!(hidden, [Rule::RobotsMeta, Rule::RobotsFile, Rule::SitemapNames]);
        let rules = broken(check, &unindexed, &listed, context(true, &[]));
        assert_eq!(rules, [Rule::RobotsMeta, Rule::SitemapNames]);
    }
}
