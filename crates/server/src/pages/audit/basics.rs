//! That the page is there, in its language, under one heading.

use super::look::{Around, Look};
use super::rule::{Rule, Verdict};

pub fn check(look: &Look<'_>, _: &Around, verdict: &mut Verdict) {
    let seen = look.seen;
    let status = (seen.status, look.sample.status);
    verdict.judge(Rule::Status, status.0 == status.1, status.0.to_string(), status.1.to_string());
    let language = look.language.code();
    verdict.judge(Rule::Language, seen.language == language, &*seen.language, language);
    if look.is_indexed() {
        let has_one = matches!(&*seen.headings, [only] if !only.is_empty());
        let found = format!("{} {}", seen.headings.len(), seen.headings.join(" | "));
        verdict.judge(Rule::HeadingOne, has_one, found.trim(), "1");
    }
}

#[cfg(test)]
mod tests {
    use super::super::look::tests::{broken, sample};
    use super::super::samples::Sample;
    use super::super::seen::Seen;
    use super::*;

    #[test]
    fn a_page_is_there_in_its_language_under_one_heading() {
        let page = |status, html| Seen::read(status, "", html);
        let fine = page(200, "<html lang=fr><h1>x</h1>");
        assert_eq!(broken(check, &sample(), &fine, Around::default()), []);
        let two = page(500, "<html lang=en><h1>x</h1><h1>y</h1>");
        let all = [Rule::Status, Rule::Language, Rule::HeadingOne];
        assert_eq!(broken(check, &sample(), &two, Around::default()), all);
        let missing = Sample { status: 404, is_indexed: false, ..sample() };
        assert_eq!(broken(check, &missing, &page(404, "<html lang=fr>"), Around::default()), []);
        assert_eq!(broken(check, &missing, &fine, Around::default()), [Rule::Status]);
    }
}
