//! Random requests: no request causes an internal error or changes rows without permission.

use compat_testkit::property_test_async;
use proptest::prelude::*;
use serde_json::json;

use crate::library::Library;

/// Parts of requests; most are valid somewhere, few are valid together.
const PARTS: &[&str] = &[
    "select=",
    "order=",
    "limit=",
    "offset=",
    "and=",
    "or=",
    "not.or=",
    "columns=",
    "on_conflict=",
    "id=",
    "title=",
    "books.id=",
    "authors.order=",
    "data->>rank=",
    "eq.",
    "in.(",
    "not.",
    "is.null",
    "like.*",
    "fts(english).",
    "cs.{",
    "(",
    ")",
    ",",
    ".",
    "!",
    "!inner",
    "*",
    "...",
    "::int",
    "::text",
    "->",
    "->>",
    "\"",
    "'",
    ";",
    "--",
    "\\",
    "{",
    "}",
    "count()",
    "pages.sum()",
    "books(",
    "authors(",
    "shelves(",
    "id",
    "title",
    "1",
    "-1",
    "99999999999999999999",
    "x",
    "null",
    "desc",
    "nullslast",
    "%00",
    "%27",
    "é",
    "$1",
    "$$",
    " ",
];

const PATHS: &[&str] = &[
    "/books",
    "/authors",
    "/withheld",
    "/books_public",
    "/rpc/add",
    "/rpc/books_over",
    "/rpc/echo",
    "/nowhere",
    "/",
    "/Odd%20Names",
];

fn encode(text: &str) -> String {
    compat_rest_core::request::query::encode(text)
}

fn query() -> impl Strategy<Value = String> {
    let parameter = (
        proptest::sample::select(PARTS),
        proptest::collection::vec(proptest::sample::select(PARTS), 0..7),
    )
        .prop_map(|(key, parts)| {
            let key = key.trim_end_matches('=');
            format!("{}={}", encode(key), encode(&parts.concat().replace("%00", "\0")))
        });
    proptest::collection::vec(parameter, 0..4).prop_map(|all| all.join("&"))
}

/// Valid requests, which the test corrupts.
const GOOD: &[(&str, &str, &str)] = &[
    ("GET", "/books?select=id,title,authors(name)&order=title.desc.nullslast&limit=2", ""),
    ("GET", "/books?or=(id.eq.1,and(title.like.*a*,pages.gt.10))&select=id::text", ""),
    ("GET", "/books?id=in.(1,2,\"3\")&tags=cs.{math}&data->deep->>key=eq.v", ""),
    ("GET", "/books?select=*,...authors(author:name),covers!inner(color)&covers.color=eq.red", ""),
    ("GET", "/books?select=pages.sum(),publisher_id&summary=fts(english).pattern", ""),
    (
        "GET",
        "/publishers?select=id,b:books(id,authors(name))&b.order=id&b.limit=1&b=not.is.null",
        "",
    ),
    ("GET", "/withheld?select=*&secret=eq.hidden", ""),
    ("GET", "/rpc/add?a=1&b=2", ""),
    ("POST", "/rpc/books_over?select=id,title", "{\"min_pages\": 100}"),
    ("POST", "/shelves?columns=id,label&select=id", "[{\"id\": 7, \"label\": \"x\"}]"),
    ("POST", "/shelves?on_conflict=id", "{\"id\": 1, \"label\": \"y\"}"),
    ("PATCH", "/withheld?secret=eq.hidden", "{\"secret\": \"told\"}"),
    ("PATCH", "/shelves?id=eq.1&select=label", "{\"label\": \"z\"}"),
    ("PUT", "/shelves?id=eq.1", "[{\"id\": 1, \"label\": \"w\"}]"),
    ("DELETE", "/withheld?secret=not.is.null", ""),
    ("DELETE", "/shelves?id=gt.0&limit=1&order=id", ""),
];

/// Corrupts one byte: removes, duplicates, swaps or replaces it.
fn corrupt(text: &str, place: usize, corruption: u8, other: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = place.checked_rem(bytes.len()).unwrap_or(0);
    match corruption % 4 {
        _ if bytes.is_empty() => bytes.push(other),
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, bytes[at]),
        2 if at > 0 => bytes.swap(at - 1, at),
        _ => bytes[at] = other,
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The path, encoded as a client must send it.
fn encode_path(path: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "/?&=.,:;()*!-_~'@$+%".contains(c);
    let mut buffer = [0; 4];
    path.chars()
        .map(|c| if harmless(c) { c.to_string() } else { encode(c.encode_utf8(&mut buffer)) })
        .collect()
}

/// Sends a request that must not cause an internal error.
async fn ask(library: &Library, method: &str, uri: &str, headers: [&str; 2], body: &str) {
    let [prefer, accept] = headers;
    let headers = [("prefer", prefer), ("accept", accept)];
    let answer = library.ask(method, uri, &headers, body).await;
    let status = answer.status.as_u16();
    // The contract has status 500 for 21000: the caller's own data conflicts with itself.
    let allowed = status < 500 || answer.text().contains("\"21000\"");
    assert!(allowed, "{method} {uri} {body}: {status} {}", answer.text());
}

/// Counts the row that the caller must not access.
const HIDDEN: &str = "select count(*) from library.withheld where secret = 'hidden'";

#[tokio::test]
async fn random_damaged_requests_are_answered_or_refused() {
    let library = Library::open().await;
    let rows = library.number("select count(*) from library.withheld").await;
    let corruptions =
        proptest::collection::vec((any::<usize>(), any::<u8>(), 1..128_u8, any::<bool>()), 1..4);
    let strategy = (proptest::sample::select(GOOD), corruptions);
    property_test_async(
        "of spoilt requests",
        strategy,
        async |((method, path, body), corruptions)| {
            let (mut path, mut body) = (path.to_owned(), body.to_owned());
            for (place, corruption, other, in_body) in corruptions {
                let target = if in_body && !body.is_empty() { &mut body } else { &mut path };
                *target = corrupt(target, place, corruption, other);
            }
            let uri = format!("/{}", encode_path(&path).trim_start_matches('/'));
            let headers = ["return=representation, count=exact", "application/json"];
            ask(&library, method, &uri, headers, &body).await;
        },
    )
    .await;
    // Nothing was rolled back: rows that the caller may change may have changed, and no others.
    assert_eq!(library.number(HIDDEN).await, 1);
    assert_eq!(library.number("select count(*) from library.withheld").await, rows);
}

const METHODS: &[&str] =
    &["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"];

const BODIES: &[&str] = &[
    "",
    "{}",
    "[]",
    "{\"id\": 1}",
    "[{\"a\": 1}]",
    "{\"id\": {\"x\": [null]}}",
    "nonsense",
    "{\"secret\": \"\\u0000\"}",
    "{\"\": 1}",
];

const PREFERENCES: &[&str] = &[
    "return=representation",
    "return=minimal",
    "count=exact",
    "count=planned",
    "resolution=merge-duplicates",
    "missing=default, return=representation",
];

const ACCEPTED: &[&str] =
    &["*/*", "application/vnd.pgrst.object+json", "text/csv", "application/vnd.pgrst.plan+json"];

#[tokio::test]
async fn random_requests_change_no_hidden_rows() {
    let library = Library::open().await;
    let one_of = proptest::sample::select::<&str>;
    let request = (one_of(PATHS), query(), one_of(METHODS), one_of(BODIES));
    let strategy = (request, one_of(PREFERENCES), one_of(ACCEPTED));
    property_test_async(
        "of requests",
        strategy,
        async |((path, query, method, body), prefer, accept)| {
            let uri = format!("{path}?{query}");
            let prefer = format!("{prefer}, tx=rollback");
            ask(&library, method, &uri, [&prefer, accept], body).await;
        },
    )
    .await;
    assert_eq!(library.number(HIDDEN).await, 1);
    assert_eq!(library.number("select count(*) from library.books").await, 4);
    assert_eq!(library.rows("/shelves?select=id&order=id").await, json!([{"id": 1}, {"id": 2}]));
}
