//! Rules for the status, the language and the heading of a page.

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};

pub fn check(check: &PageCheck<'_>, _: &SiteContext, results: &mut RuleResults) {
    let snapshot = check.snapshot;
    let status = (snapshot.status, check.sample.status);
    results.record(Rule::Status, status.0 == status.1, status.0.to_string(), status.1.to_string());
    let language = check.language.code();
    results.record(Rule::Language, snapshot.language == language, &*snapshot.language, language);
    if check.is_indexed() {
        let has_one = matches!(&*snapshot.headings, [only] if !only.is_empty());
        let headings = format!("{} {}", snapshot.headings.len(), snapshot.headings.join(" | "));
        results.record(Rule::HeadingOne, has_one, headings.trim(), "1");
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    #[test]
    fn status_language_and_single_heading_are_checked() {
        let page = |status, html| PageSnapshot::read(status, "", html);
        let fine = page(200, "<html lang=fr><h1>x</h1>");
        assert_eq!(broken(check, &sample(), &fine, SiteContext::default()), []);
        let two = page(500, "<html lang=en><h1>x</h1><h1>y</h1>");
        let all = [Rule::Status, Rule::Language, Rule::HeadingOne];
        assert_eq!(broken(check, &sample(), &two, SiteContext::default()), all);
        let missing = Sample { status: 404, is_indexed: false, ..sample() };
        assert_eq!(
            broken(check, &missing, &page(404, "<html lang=fr>"), SiteContext::default()),
            []
        );
        assert_eq!(broken(check, &missing, &fine, SiteContext::default()), [Rule::Status]);
    }
}
