use serde_json::json;

use super::*;

fn row() -> ObjectRow {
    serde_json::from_value(json!({
        "id": uuid::Uuid::nil(), "bucket_id": "b", "name": "k", "owner": null, "owner_id": null,
        "version": null, "created_at": null, "updated_at": null, "last_accessed_at": null,
        "metadata": {
            "eTag": "\"abc\"", "size": 10, "lastModified": "2026-01-02T03:04:05.678Z",
        },
        "user_metadata": null,
    }))
    .expect("a row")
}

fn evaluated(headers: &[(&str, &str)]) -> Result<ConditionOutcome, u16> {
    let pairs = headers.iter().map(|(name, value)| {
        (name.parse::<HeaderName>().expect("a name"), value.parse().expect("a value"))
    });
    evaluate(&HeaderMap::from_iter(pairs), &row()).map_err(|error| error.status().as_u16())
}

#[test]
fn ranges_are_parts_or_outside_or_none() {
    for (range, outcome) in [
        ("bytes=0-3", Ok(ConditionOutcome::Part(0..4))),
        ("bytes=4-", Ok(ConditionOutcome::Part(4..10))),
        ("bytes=-3", Ok(ConditionOutcome::Part(7..10))),
        ("bytes=0-99", Ok(ConditionOutcome::Part(0..10))),
        ("bytes=-99", Ok(ConditionOutcome::Part(0..10))),
        ("bytes=0-99999999999999999999999", Ok(ConditionOutcome::Part(0..10))),
        ("bytes=9-9", Ok(ConditionOutcome::Part(9..10))),
        ("bytes=10-", Err(416)),
        ("bytes=10-12", Err(416)),
        ("bytes=-0", Err(416)),
        ("bytes=3-1", Ok(ConditionOutcome::Whole)),
        ("bytes=0-1,3-4", Ok(ConditionOutcome::Whole)),
        ("bytes=x-", Ok(ConditionOutcome::Whole)),
        ("items=0-1", Ok(ConditionOutcome::Whole)),
        ("bytes=-", Ok(ConditionOutcome::Whole)),
    ] {
        assert_eq!(evaluated(&[("range", range)]), outcome, "{range}");
    }
}

#[test]
fn conditions_are_judged_in_their_order() {
    let (same, before, after) = (
        "Fri, 02 Jan 2026 03:04:05 GMT",
        "Fri, 02 Jan 2026 03:04:04 GMT",
        "Fri, 02 Jan 2026 03:04:06 GMT",
    );
    for (headers, outcome) in [
        (vec![("if-none-match", "\"abc\"")], ConditionOutcome::Unchanged),
        (vec![("if-none-match", "W/\"abc\"")], ConditionOutcome::Unchanged),
        (vec![("if-none-match", "abc")], ConditionOutcome::Unchanged),
        (vec![("if-none-match", "*")], ConditionOutcome::Unchanged),
        (vec![("if-none-match", "\"x\", \"abc\"")], ConditionOutcome::Unchanged),
        (vec![("if-none-match", "\"x\""), ("if-modified-since", after)], ConditionOutcome::Whole),
        (vec![("if-modified-since", same)], ConditionOutcome::Unchanged),
        (vec![("if-modified-since", after)], ConditionOutcome::Unchanged),
        (vec![("if-modified-since", before)], ConditionOutcome::Whole),
        (vec![("if-modified-since", "soon")], ConditionOutcome::Whole),
        (vec![("if-match", "\"abc\"")], ConditionOutcome::Whole),
        (vec![("if-match", "\"x\"")], ConditionOutcome::Failed),
        (vec![("if-match", "W/\"abc\"")], ConditionOutcome::Failed),
        (vec![("if-unmodified-since", before)], ConditionOutcome::Failed),
        (vec![("if-unmodified-since", same)], ConditionOutcome::Whole),
        (vec![("if-range", "\"abc\""), ("range", "bytes=1-2")], ConditionOutcome::Part(1..3)),
        (vec![("if-range", "\"x\""), ("range", "bytes=1-2")], ConditionOutcome::Whole),
        (vec![("if-range", same), ("range", "bytes=1-2")], ConditionOutcome::Part(1..3)),
        (vec![("if-range", before), ("range", "bytes=1-2")], ConditionOutcome::Whole),
    ] {
        assert_eq!(evaluated(&headers), Ok(outcome), "{headers:?}");
    }
}

#[test]
fn random_ranges_stay_within_the_object() {
    let ranges = ("[a-z=, ]{0,8}|bytes=", "[0-9x, -]{0,24}", proptest::prelude::any::<u64>());
    compat_testkit::property_test(
        "ranges",
        ranges,
        |(unit, range, size): (String, String, u64)| {
            if let ParsedRange::Part(part) = parse(&format!("{unit}{range}"), size) {
                assert!(part.start < part.end && part.end <= size, "{unit}{range} of {size}");
            }
        },
    );
}
