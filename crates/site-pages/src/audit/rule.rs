//! The rules, and what a page that was held against them hears.

use serde::Serialize;

/// How bad it is when a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Search engines show the page less well than they could.
    Warning,
    /// Search engines do not find the page, or something false.
    Error,
}

/// What is wanted of a page. The pages have a name and a sentence for each
/// (`locales/*/seo-audit.json`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Rule {
    Status,
    Language,
    TitleThere,
    TitleLength,
    TitleOwn,
    DescriptionThere,
    DescriptionLength,
    DescriptionOwn,
    HeadingOne,
    CanonicalThere,
    CanonicalOrigin,
    CanonicalKept,
    AlternatesThere,
    AlternatesMutual,
    AlternatesMapped,
    CardThere,
    CardAddress,
    CardPicture,
    StructuredRead,
    StructuredKinds,
    StructuredWhole,
    RatingReal,
    TextThere,
    LinksServers,
    LinksPages,
    RobotsMeta,
    RobotsFile,
    SitemapNames,
    SitemapRead,
    SitemapOnce,
    SitemapOrigin,
    SitemapSize,
    SitemapDates,
    RobotsSitemap,
}

impl Rule {
    /// How bad it is when it is broken.
    pub fn severity(self) -> Severity {
        match self {
            Self::TitleLength
            | Self::TitleOwn
            | Self::DescriptionLength
            | Self::DescriptionOwn
            | Self::CardThere
            | Self::TextThere
            | Self::LinksPages
            | Self::RobotsSitemap
            | Self::SitemapDates => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// A broken rule, in words of no language: figures, addresses, what stands in the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// What is there; empty when nothing is.
    pub found: String,
    /// What should be.
    pub wanted: String,
}

/// What became of the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RuleResults {
    pub findings: Vec<Finding>,
    pub passed: Vec<Rule>,
}

/// Of a page's own words no more than this is repeated.
const QUOTED: usize = 300;

impl RuleResults {
    /// Notes whether a rule is kept, and if not, what was found in its place.
    pub fn record(
        &mut self,
        rule: Rule,
        is_kept: bool,
        found: impl Into<String>,
        wanted: impl Into<String>,
    ) {
        if is_kept {
            self.passed.push(rule);
            return;
        }
        let found = found.into().chars().take(QUOTED).collect();
        let finding = Finding { rule, severity: rule.severity(), found, wanted: wanted.into() };
        self.findings.push(finding);
    }

    /// Notes a rule that asks several things of a page, by those it does not keep.
    pub fn record_all(&mut self, rule: Rule, broken: &[String], wanted: impl Into<String>) {
        self.record(rule, broken.is_empty(), broken.join("; "), wanted);
    }

    /// The worst of it; none when every rule is kept.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}
