//! What robots may fetch and list, said alike in the page, beside it and in the sitemap.

use super::look::{Around, Look};
use super::rule::{Rule, Verdict};

pub fn check(look: &Look<'_>, around: &Around, verdict: &mut Verdict) {
    let (seen, is_indexed) = (look.seen, look.is_indexed());
    let wanted = if is_indexed { "index" } else { "noindex" };
    verdict.judge(Rule::RobotsMeta, seen.is_withheld() != is_indexed, &*seen.robots, wanted);
    let canonical = seen.canonical();
    if !is_indexed {
        let named = around.sitemap.names(canonical) || around.sitemap.names(look.address);
        verdict.judge(Rule::SitemapNames, !named, canonical, "");
        return;
    }
    let path = around.path(look.address).unwrap_or_default();
    let rule = around.forbidden.iter().find(|rule| path.starts_with(&***rule));
    verdict.judge(Rule::RobotsFile, rule.is_none(), rule.cloned().unwrap_or_default(), path);
    // Of a large site not every file is read; its servers may stand in another.
    if around.sitemap.is_whole || !is_about_a_row(look) {
        verdict.judge(Rule::SitemapNames, around.sitemap.names(canonical), "", canonical);
    }
}

fn is_about_a_row(look: &Look<'_>) -> bool {
    matches!(look.sample.kind, "server" | "reviewedServer" | "serverById")
}

#[cfg(test)]
mod tests {
    use super::super::look::tests::{ORIGIN, broken, sample};
    use super::super::samples::Sample;
    use super::super::seen::Seen;
    use super::*;

    #[test]
    fn page_robots_and_sitemap_say_the_same() {
        let canonical = format!("<link rel=canonical href='{ORIGIN}/leaderboard'>");
        let (listed, withheld) =
            (Seen::read(200, "", &canonical), Seen::read(200, "noindex", &canonical));
        let around = |is_named: bool, forbidden: &[&str]| {
            let forbidden = forbidden.iter().map(|&rule| rule.into()).collect();
            let mut around = Around { forbidden, ..Around::default() };
            let path = if is_named { "/leaderboard" } else { "/" };
            let xml = format!("<urlset><url><loc>{ORIGIN}{path}</loc></url></urlset>");
            around.sitemap.take("a", &xml, ORIGIN, "2026-11-24");
            around
        };
        let own = Sample { is_indexed: false, ..sample() };
        assert_eq!(broken(check, &sample(), &listed, around(true, &["/admin"])), []);
        assert_eq!(broken(check, &own, &withheld, around(false, &[])), []);
        let hidden = broken(check, &sample(), &withheld, around(false, &["/lead"]));
        assert_eq!(hidden, [Rule::RobotsMeta, Rule::RobotsFile, Rule::SitemapNames]);
        let shown = broken(check, &own, &listed, around(true, &[]));
        assert_eq!(shown, [Rule::RobotsMeta, Rule::SitemapNames]);
    }
}
