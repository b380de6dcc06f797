//! A page to check, and the rest of the site with which it is compared.

use std::collections::{BTreeMap, BTreeSet};

use super::samples::Sample;
use super::sitemap::Sitemap;
use super::snapshot::PageSnapshot;
use page_registry::Language;

/// One page in one language.
pub struct PageCheck<'a> {
    pub sample: &'a Sample,
    pub language: Language,
    /// The absolute address of the page.
    pub address: &'a str,
    pub snapshot: &'a PageSnapshot,
}

impl PageCheck<'_> {
    /// Whether search engines may index the page and the page exists.
    pub fn is_indexed(&self) -> bool {
        self.sample.is_indexed && self.sample.status == 200
    }
}

/// A picture of a card: its status, type and size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    pub status: u16,
    pub kind: String,
    pub size: Option<(usize, usize)>,
}

/// The parts of the site with which a page is compared.
#[derive(Default)]
pub struct SiteContext {
    /// The site's address without a slash at its end.
    pub origin: String,
    pub sitemap: Sitemap,
    /// The path prefixes that `robots.txt` forbids.
    pub forbidden: Vec<String>,
    /// Pages by their absolute address.
    pub pages: BTreeMap<String, PageSnapshot>,
    /// Pictures by their absolute address.
    pub pictures: BTreeMap<String, Picture>,
    /// The canonical addresses of the pages with each title.
    pub titles: BTreeMap<String, BTreeSet<String>>,
    /// The pages with each description, by their default address: the translations of a page may
    /// share a description that its owner wrote.
    pub descriptions: BTreeMap<String, BTreeSet<String>>,
}

impl SiteContext {
    /// Records the title and the description of a page.
    pub fn note(&mut self, check: &PageCheck<'_>) {
        if !check.is_indexed() {
            return;
        }
        let canonical = check.snapshot.canonical().to_owned();
        for title in &check.snapshot.titles {
            self.titles.entry(title.clone()).or_default().insert(canonical.clone());
        }
        let default = check.snapshot.alternates.iter().find(|(code, _)| code == "x-default");
        let page = default.map_or(&canonical, |(_, address)| address);
        for description in &check.snapshot.descriptions {
            self.descriptions.entry(description.clone()).or_default().insert(page.clone());
        }
    }

    /// The path of an absolute address of this site; `None` for other addresses.
    pub fn path<'a>(&self, address: &'a str) -> Option<&'a str> {
        let path = address.strip_prefix(&*self.origin)?;
        (path.is_empty() || path.starts_with('/')).then_some(path)
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::rule::{Rule, RuleResults};
    use super::super::samples::Rating;
    use super::*;

    pub const ORIGIN: &str = "https://p.example";

    /// A sample page that has an address.
    pub fn sample() -> Sample {
        Sample {
            kind: "leaderboard",
            path: Some("/leaderboard".into()),
            query: String::new(),
            is_indexed: true,
            status: 200,
            servers: 0,
            structured: &[],
            rating: Rating::NotApplicable,
        }
    }

    /// The rules of a group that a page breaks.
    pub fn broken(
        check: fn(&PageCheck<'_>, &SiteContext, &mut RuleResults),
        sample: &Sample,
        snapshot: &PageSnapshot,
        context: SiteContext,
    ) -> Vec<Rule> {
        let context = SiteContext { origin: ORIGIN.into(), ..context };
        let page = PageCheck {
            sample,
            language: Language::Fr,
            address: "https://p.example/leaderboard",
            snapshot,
        };
        let mut results = RuleResults::default();
        check(&page, &context, &mut results);
        results.findings.into_iter().map(|finding| finding.rule).collect()
    }
}
