//! Rules for structured data: it can be parsed, has the types that the kind of page needs with all
//! their properties, and contains no invented rating.

use serde_json::{Map, Value};

use super::context::{PageCheck, SiteContext};
use super::rule::{Rule, RuleResults};
use super::samples::Rating;

/// The properties that an object of each type needs; each may have one of several names.
const REQUIRED: [(&str, &[&[&str]]); 10] = [
    ("WebSite", &[&["name"], &["url"]]),
    ("Organization", &[&["name"], &["url"], &["logo"]]),
    ("CollectionPage", &[&["name"], &["url"]]),
    ("GameServer", &[&["name"], &["url"], &["game"], &["serverStatus"]]),
    ("VideoGame", &[&["name"]]),
    ("Event", &[&["name"], &["startDate"], &["location"]]),
    ("ItemList", &[&["numberOfItems", "itemListElement"]]),
    ("BreadcrumbList", &[&["itemListElement"]]),
    ("ListItem", &[&["position"], &["name", "item", "url"]]),
    ("AggregateRating", &[&["ratingValue"], &["ratingCount", "reviewCount"]]),
];

pub fn check(check: &PageCheck<'_>, _: &SiteContext, results: &mut RuleResults) {
    if !check.is_indexed() {
        return;
    }
    let mut broken = Vec::new();
    let mut objects = Vec::new();
    for structured in &check.snapshot.structured {
        match structured {
            Err(error) => broken.push(error.clone()),
            Ok(value) if !is_of_schema_org(value) => broken.push("@context".to_owned()),
            Ok(value) => collect(value, &mut objects),
        }
    }
    results.record_all(Rule::StructuredRead, &broken, "JSON-LD, https://schema.org");
    let missing: Vec<String> = check
        .sample
        .structured
        .iter()
        .filter(|expected| !objects.iter().any(|object| is_a(object, expected)))
        .map(|expected| (*expected).to_owned())
        .collect();
    results.record_all(Rule::StructuredKinds, &missing, check.sample.structured.join(" "));
    let lacking: Vec<String> = objects.iter().flat_map(|object| lacks(object)).collect();
    results.record_all(Rule::StructuredWhole, &lacking, "schema.org");
    rating(check.sample.rating, &objects, results);
}

fn is_of_schema_org(value: &Value) -> bool {
    let context = value["@context"].as_str().unwrap_or_default();
    matches!(context.trim_end_matches('/'), "https://schema.org" | "http://schema.org")
}

/// Collects every object in a value, at any depth.
fn collect<'a>(value: &'a Value, objects: &mut Vec<&'a Map<String, Value>>) {
    match value {
        Value::Object(object) => {
            objects.push(object);
            object.values().for_each(|value| collect(value, objects));
        }
        Value::Array(all) => all.iter().for_each(|value| collect(value, objects)),
        _ => {}
    }
}

/// Whether an object is of a type; for an event, any kind of event is accepted.
fn is_a(object: &Map<String, Value>, expected: &str) -> bool {
    let is = |kind: &Value| {
        let kind = kind.as_str().unwrap_or_default();
        kind == expected || (expected == "Event" && kind.ends_with("Event"))
    };
    match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(kind) => is(kind),
        None => false,
    }
}

/// The required properties that an object lacks. An object that only refers to another by id lacks
/// none.
fn lacks(object: &Map<String, Value>) -> Vec<String> {
    let has_value = |name: &str| object.get(name).is_some_and(|value| !is_empty(value));
    if object.contains_key("@id") && object.len() <= 2 {
        return Vec::new();
    }
    REQUIRED
        .iter()
        .filter(|(kind, _)| is_a(object, kind))
        .flat_map(|(kind, all)| all.iter().map(move |names| (kind, names)))
        .filter(|(_, names)| !names.iter().any(|name| has_value(name)))
        .map(|(kind, names)| format!("{kind}.{}", names.join("|")))
        .collect()
}

/// Whether a value is null or an empty text. An empty list is not regarded as empty.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(str::is_empty)
}

fn rating(expected: Rating, objects: &[&Map<String, Value>], results: &mut RuleResults) {
    let figure = |object: &Map<String, Value>, names: [&str; 2]| {
        names.iter().find_map(|name| {
            let value = object.get(*name)?;
            // schema.org allows `ratingValue` to be a number or a text.
            value.as_f64().or_else(|| value.as_str()?.parse().ok())
        })
    };
    let count = |object: &Map<String, Value>| figure(object, ["reviewCount", "ratingCount"]);
    let rated: Vec<_> = objects.iter().filter(|object| is_a(object, "AggregateRating")).collect();
    let is_bounded = rated.iter().all(|object| {
        let value = figure(object, ["ratingValue", "ratingValue"]);
        // `None` is less than any `Some`, so that a rating without a count is out of bounds.
        value.is_some_and(|value| (1.0..=5.0).contains(&value)) && count(object) >= Some(1.0)
    });
    let is_real = is_bounded
        && match expected {
            Rating::NotApplicable | Rating::Fallback => true,
            Rating::Reviews(0) => rated.is_empty(),
            Rating::Reviews(reviews) => {
                rated.iter().any(|object| count(object) == Some(f64::from(reviews)))
            }
        };
    let ratings: Vec<String> =
        rated.iter().map(|object| Value::Object((**object).clone()).to_string()).collect();
    let expected = match expected {
        Rating::Reviews(reviews) => reviews.to_string(),
        Rating::NotApplicable | Rating::Fallback => "1–5".to_owned(),
    };
    results.record(Rule::RatingReal, is_real, ratings.join(" "), expected);
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{broken, sample};
    use super::super::samples::Sample;
    use super::super::snapshot::PageSnapshot;
    use super::*;

    fn broken_rules(json: &str, sample: &Sample) -> Vec<Rule> {
        let html = format!("<script type='application/ld+json'>{json}</script>");
        broken(check, sample, &PageSnapshot::read(200, "", &html), SiteContext::default())
    }

    #[test]
    fn each_kind_needs_its_whole_structured_data() {
        let home = Sample { structured: &["WebSite", "Organization"], ..sample() };
        let site = r#"{"@type":"WebSite","name":"n","url":"u"}"#;
        let data = r#"{"@type":"Organization","name":"n","url":"u","logo":"l"}"#;
        let graph = |all: &str| format!(r#"{{"@context":"https://schema.org","@graph":[{all}]}}"#);
        assert_eq!(broken_rules(&graph(&format!("{site},{data}")), &home), []);
        let part = data.replace(r#","logo":"l""#, "");
        let partly = broken_rules(&graph(&format!("{site},{part}")), &home);
        assert_eq!(partly, [Rule::StructuredWhole]);
        assert_eq!(broken_rules(&graph(site), &home), [Rule::StructuredKinds]);
        let refers = r#"{"@type":"Organization","@id":"x"}"#;
        assert_eq!(broken_rules(&graph(&format!("{site},{refers}")), &home), []);
        let both = [Rule::StructuredRead, Rule::StructuredKinds];
        assert_eq!(broken_rules("{oops", &home), both);
        assert_eq!(broken_rules(site, &home), both);
        let event = Sample { structured: &["Event"], ..sample() };
        let sports = r#"{"@context":"https://schema.org","@type":"SportsEvent"#;
        let data = format!(r#"{sports}","name":"n","startDate":"2026-11-24","location":"l"}}"#);
        assert_eq!(broken_rules(&data, &event), []);
        assert_eq!(broken_rules(&format!(r#"{sports}"}}"#), &event), [Rule::StructuredWhole]);
    }

    #[test]
    fn a_rating_stands_where_people_gave_one() {
        let rated = |count: i32, value: f64| {
            format!(
                r#"{{"@context":"https://schema.org","aggregateRating":{{
                "@type":"AggregateRating","ratingValue":{value},"ratingCount":{count}}}}}"#
            )
        };
        let of = |rating| Sample { rating, ..sample() };
        assert_eq!(broken_rules(&rated(3, 4.5), &of(Rating::Reviews(3))), []);
        assert_eq!(broken_rules(&rated(900, 4.5), &of(Rating::Fallback)), []);
        assert_eq!(
            broken_rules(r#"{"@context":"https://schema.org"}"#, &of(Rating::Reviews(0))),
            []
        );
        for (json, rating) in [
            (rated(900, 4.5), Rating::Reviews(0)),
            (rated(900, 4.5), Rating::Reviews(3)),
            (r#"{"@context":"https://schema.org"}"#.to_owned(), Rating::Reviews(3)),
            (rated(3, 5.5), Rating::Reviews(3)),
            (rated(0, 4.0), Rating::Fallback),
        ] {
            assert_eq!(broken_rules(&json, &of(rating)), [Rule::RatingReal], "{json}");
        }
    }
}
