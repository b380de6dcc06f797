//! A page that was looked at, and all that stands around it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::paths::Language;
use super::samples::Sample;
use super::seen::Seen;
use super::sitemap::Sitemap;

/// One page in one language.
pub struct Look<'a> {
    pub sample: &'a Sample,
    pub language: Language,
    /// Its whole address.
    pub address: &'a str,
    pub seen: &'a Seen,
}

impl Look<'_> {
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
pub struct Around {
    /// The site's address without a slash at its end.
    pub origin: String,
    pub sitemap: Sitemap,
    /// What robots may not fetch: beginnings of paths.
    pub forbidden: Vec<String>,
    /// Pages by their whole address.
    pub pages: BTreeMap<String, Seen>,
    /// Pictures by their whole address.
    pub pictures: BTreeMap<String, Picture>,
    /// The pages that bear a title, by their canonical addresses.
    pub titles: BTreeMap<String, BTreeSet<String>>,
    /// The pages that bear a description, each by the address it has for everybody: in another
    /// language it may be the same, where it is an owner's own.
    pub descriptions: BTreeMap<String, BTreeSet<String>>,
}

impl Around {
    /// Notes what a page is called and said to be.
    pub fn note(&mut self, look: &Look<'_>) {
        if !look.is_indexed() {
            return;
        }
        let canonical = look.seen.canonical().to_owned();
        for title in &look.seen.titles {
            self.titles.entry(title.clone()).or_default().insert(canonical.clone());
        }
        let default = look.seen.alternates.iter().find(|(code, _)| code == "x-default");
        let page = default.map_or(&canonical, |(_, address)| address);
        for description in &look.seen.descriptions {
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
    use super::super::rule::{Rule, Verdict};
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
            rating: Rating::Unasked,
        }
    }

    /// What a group of rules finds in a page.
    pub fn broken(
        check: fn(&Look<'_>, &Around, &mut Verdict),
        sample: &Sample,
        seen: &Seen,
        around: Around,
    ) -> Vec<Rule> {
        let around = Around { origin: ORIGIN.into(), ..around };
        let look =
            Look { sample, language: Language::Fr, address: "https://p.example/leaderboard", seen };
        let mut verdict = Verdict::default();
        check(&look, &around, &mut verdict);
        verdict.findings.into_iter().map(|finding| finding.rule).collect()
    }
}
