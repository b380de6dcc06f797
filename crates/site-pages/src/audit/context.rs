//! A page that was looked at, and all that stands around it.

use std::collections::{BTreeMap, BTreeSet};

use super::samples::Sample;
use super::sitemap::Sitemap;
use super::snapshot::PageSnapshot;
use page_registry::Language;

/// One page in one language.
pub struct PageCheck<'a> {
    pub sample: &'a Sample,
    pub language: Language,
    /// Its whole address.
    pub address: &'a str,
    pub snapshot: &'a PageSnapshot,
}

impl PageCheck<'_> {
    /// Whether search engines are to find it and something is there.
    pub fn is_indexed(&self) -> bool {
        self.sample.is_indexed && self.sample.status == 200
    }
}

/// A picture of a card: how it was answered, and how large it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    pub status: u16,
    pub kind: String,
    pub size: Option<(usize, usize)>,
}

/// The rest of the site, as far as a page is held against it.
#[derive(Default)]
pub struct SiteContext {
    /// The site's address without a slash at its end.
    pub origin: String,
    pub sitemap: Sitemap,
    /// What robots may not fetch: beginnings of paths.
    pub forbidden: Vec<String>,
    /// Pages by their whole address.
    pub pages: BTreeMap<String, PageSnapshot>,
    /// Pictures by their whole address.
    pub pictures: BTreeMap<String, Picture>,
    /// The pages that bear a title, by their canonical addresses.
    pub titles: BTreeMap<String, BTreeSet<String>>,
    /// The pages that bear a description, each by the address it has for everybody: in another
    /// language it may be the same, where it is an owner's own.
    pub descriptions: BTreeMap<String, BTreeSet<String>>,
}

impl SiteContext {
    /// Notes what a page is called and said to be.
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

    /// What of an address of this site follows its origin.
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

    /// A kind of page with an address.
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

    /// What a group of rules finds in a page.
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
