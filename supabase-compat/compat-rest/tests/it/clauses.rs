//! Property tests of the parsers of all clauses: any input is parsed or rejected with a position,
//! never causes a panic, and never yields more than the text can contain.

use compat_rest_core::request::filter::{looks_like_filter, parse_operation};
use compat_rest_core::request::media::{self, MediaType};
use compat_rest_core::request::payload::{self, Payload};
use compat_rest_core::request::prefer::Preferences;
use compat_rest_core::request::query::{Query, QueryFault};
use compat_rest_core::request::range;
use compat_rest_core::request::select::{self, SelectItem};
use compat_rest_core::request::{MAX_DEPTH, ParseFailure, logic, order};
use compat_testkit::property_test;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select as one_of;

/// Tokens with a meaning in some clause, and separators.
const WORDS: &[&str] = &[
    "a",
    "id",
    "x y",
    "\u{e9}",
    "\"",
    "\"q\\\"\"",
    "\\",
    "\0",
    " ",
    "\n",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    ",",
    ".",
    "..",
    "...",
    ":",
    "::",
    "::int",
    "!",
    "!inner",
    "!left",
    "*",
    "->",
    "->>",
    "->a",
    "-1",
    "-",
    "0",
    "1",
    "9223372036854775807",
    "99999999999999999999",
    "not",
    "not.",
    "and",
    "or",
    "and(",
    "or(",
    "eq.",
    "in.(",
    "is.null",
    "is.",
    "like(any).",
    "fts(english).",
    "fts(",
    "cs.{",
    "isdistinct.",
    "asc",
    "desc",
    ".nullsfirst",
    ".nullslast",
    "count()",
    ".sum()",
    ".avg",
    "select=",
    "order=",
    "limit=",
    "offset=",
    "and=",
    "a.or=",
    "columns=",
    "on_conflict=",
    "&",
    ";",
    "=",
    "%",
    "%00",
    "+",
    "b.limit=",
    "b(",
    "...b(",
];

/// A clause: concatenated tokens, sometimes one token repeated very often, sometimes arbitrary
/// text.
fn clause() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => vec(one_of(WORDS), 0..24).prop_map(|words| words.concat()),
        2 => (one_of(WORDS), 1..3_000_usize, one_of(WORDS))
            .prop_map(|(word, times, end)| format!("a{}{end}", word.repeat(times))),
        1 => any::<String>(),
    ]
}

/// Checks that the reported position lies within the text, which the parser may have prefixed with
/// an operator.
fn assert_position(failure: &ParseFailure, text: &str) {
    let position =
        failure.message.rsplit_once("(line ").map(|(_, position)| position.trim_end_matches(')'));
    let (line, column) =
        position.and_then(|position| position.split_once(", column ")).expect("a position");
    let (line, column): (usize, usize) =
        (line.parse().expect("a line"), column.parse().expect("a column"));
    let longest = text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(line >= 1 && line <= text.matches('\n').count() + 1, "{}", failure.message);
    assert!(column >= 1 && column <= longest + "not.and".len() + 1, "{}", failure.message);
    assert!(!failure.details.is_empty());
}

fn assert_read<T>(read: Result<T, ParseFailure>, text: &str) -> Option<T> {
    read.inspect_err(|failure| assert_position(failure, text)).ok()
}

/// The number of items, and their nesting depth.
fn extent(items: &[SelectItem]) -> (usize, usize) {
    let (mut count, mut deepest) = (items.len(), 1);
    for item in items {
        if let SelectItem::Embed(embed) = item {
            let (inside, depth) = extent(&embed.items);
            count += inside;
            deepest = deepest.max(depth + 1);
        }
    }
    (count, deepest)
}

#[test]
fn random_selects_never_panic_the_parser() {
    property_test("select", clause(), |text| {
        if let Some(items) = assert_read(select::parse(&text), &text) {
            let (count, depth) = extent(&items);
            assert!(count <= text.len().max(1) && depth <= MAX_DEPTH + 1);
        }
    });
}

#[test]
fn random_filters_never_panic_the_parser() {
    property_test("filter", clause(), |text| {
        let read = assert_read(parse_operation(&text), &text);
        assert!(read.is_none() || looks_like_filter(&text));
    });
}

#[test]
fn random_logic_never_panics_the_parser() {
    property_test("logic", (clause(), clause()), |(key, value)| {
        assert_read(logic::parse(&key, &value), &format!("{key}\n{value}"));
        assert_read(logic::parse("or", &value), &value);
    });
}

#[test]
fn random_orders_never_panic_the_parser() {
    property_test("order", clause(), |text| {
        let terms = assert_read(order::parse(&text), &text);
        assert!(terms.is_none_or(|terms| terms.len() <= text.len()));
    });
}

#[test]
fn random_ranges_never_panic_the_parser() {
    let number = || prop_oneof![any::<i64>().prop_map(|n| n.to_string()), clause()];
    property_test("range", (number(), number(), "[0-9 -]{0,24}"), |(limit, offset, header)| {
        let query = range::slice(Some(&limit), Some(&offset));
        let header = range::header(&header);
        if let (Ok(query), Ok(header)) = (query, header)
            && let Ok(slice) = range::top_level(query, header)
        {
            assert!(slice.offset >= 0 && slice.limit.is_none_or(|limit| limit >= 0));
        }
    });
}

#[test]
fn random_preferences_never_panic_the_parser() {
    let known =
        "(return|count|tx|missing|handling|max-affected|timezone|resolution)=[a-z0-9-]{0,12}";
    let header = || prop_oneof![known.prop_map(|text: String| text), clause()];
    property_test("prefer", vec(header(), 0..6), |headers| {
        let read = Preferences::parse(headers.iter().map(String::as_str), true);
        let tokens: usize = headers.iter().map(|header| header.split(',').count()).sum();
        assert!(read.invalid.len() <= tokens);
        let again = read.applied().map(|applied| {
            let read = Preferences::parse([applied.as_str()], true);
            (read.applied() == Some(applied), read.invalid)
        });
        assert!(again.is_none_or(|(same, invalid)| same && invalid.is_empty()));
    });
}

#[test]
fn random_media_types_never_panic_the_parser() {
    let words = &[
        "application/json",
        "text/csv",
        "*/*",
        "text/*",
        ";",
        ",",
        "q=0.5",
        "q=",
        "q=NaN",
        "for=",
        "\"",
        "options=",
        "|",
        "analyze",
        "application/vnd.pgrst.plan+json",
        "application/vnd.pgrst.object",
        "nulls=stripped",
        " ",
        "=",
        "/",
    ];
    let header = vec(one_of(words.as_slice()), 0..16).prop_map(|words| words.concat());
    property_test("media", prop_oneof![header, any::<String>()], |text| {
        assert!(media::accepted(Some(&text)).len() <= text.split(',').count().max(1));
        let read = MediaType::parse(&text);
        assert!(!read.essence().is_empty() && !read.content_type().is_empty());
    });
}

#[test]
fn random_bodies_never_panic_the_parser() {
    let words = &[
        "{", "}", "[", "]", ":", ",", "\"a\"", "\"", "\\", "1", "null", "NULL", "a", "\n", "\r\n",
        "\u{feff}", "=", "&", "%zz", "\u{0}",
    ];
    let text = vec(one_of(words.as_slice()), 0..40).prop_map(|words| words.concat().into_bytes());
    let deep = (one_of(&["[", "{\"a\":"]), 1..3_000_usize)
        .prop_map(|(open, times)| open.repeat(times).into_bytes());
    let bytes = prop_oneof![text, deep, vec(any::<u8>(), 0..64)];
    let kinds = [
        MediaType::Json,
        MediaType::Csv,
        MediaType::UrlEncoded,
        MediaType::PlainText,
        MediaType::OctetStream,
        MediaType::Any,
    ];
    let columns = proptest::option::of(vec("[a-c]", 0..3));
    property_test("payload", (bytes, one_of(kinds.to_vec()), columns, any::<bool>()), |case| {
        let (body, kind, columns, is_call) = case;
        if let Ok(read) = payload::parse(&body, &kind, columns.as_deref(), is_call)
            && let Payload::Json { text, keys, .. } = read
        {
            // The text never grows beyond the longest escape of each byte.
            assert!(text.len() <= 8 * body.len().max(8) * keys.len().max(1));
        }
    });
}

#[test]
fn random_query_strings_never_panic_the_parser() {
    property_test("query", (clause(), any::<bool>()), |(text, arguments)| {
        match Query::parse(&text, arguments) {
            Ok(query) => {
                let slices = query.slices.iter().map(|(_, slice)| slice).chain([&query.top]);
                assert!(slices.into_iter().all(|slice| slice.offset >= 0));
            }
            Err(QueryFault::Parse(failure)) => assert!(failure.message.contains("column")),
            Err(QueryFault::Range(_)) => {}
        }
    });
}
