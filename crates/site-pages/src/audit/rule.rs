//! The rules, and the results of checking a page.

use serde::Serialize;

/// The severity of a broken rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Search engines show the page less well than they could.
    Warning,
    /// Search engines do not find the page, or show false content.
    Error,
}

/// A rule for a page. The front end has a name and a sentence for each
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
    /// The severity of breaking this rule.
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

/// A broken rule, described without words of a language: by figures, addresses and text of the
/// page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The value that was found; empty when there is none.
    pub found: String,
    /// The value that is required.
    pub wanted: String,
}

/// The results of all rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RuleResults {
    pub findings: Vec<Finding>,
    pub passed: Vec<Rule>,
}

/// The longest text of a page that a finding quotes, in characters.
const QUOTED: usize = 300;

impl RuleResults {
    /// Records whether a rule is kept and, if not, the value that was found.
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

    /// Records a rule that has several parts, by those that are broken.
    pub fn record_all(&mut self, rule: Rule, broken: &[String], wanted: impl Into<String>) {
        self.record(rule, broken.is_empty(), broken.join("; "), wanted);
    }

    /// The highest severity among the findings; `None` when every rule is kept.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}
