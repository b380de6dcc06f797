//! Random requests: whatever is asked, nothing of ours breaks and nothing forbidden changes.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::library::Library;

/// Parts that requests are made of; most are valid somewhere, few are valid together.
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

#[tokio::test]
async fn no_request_breaks_the_service_or_changes_what_it_may_not() {
    let library = Library::open().await;
    let mut runner = TestRunner::deterministic();
    let strategy = (
        proptest::sample::select(PATHS),
        query(),
        proptest::sample::select(&[
            "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE",
        ]),
        proptest::sample::select(&[
            "",
            "{}",
            "[]",
            "{\"id\": 1}",
            "[{\"a\": 1}]",
            "{\"id\": {\"x\": [null]}}",
            "nonsense",
            "{\"secret\": \"\\u0000\"}",
        ]),
        proptest::sample::select(&[
            "return=representation",
            "return=minimal",
            "count=exact",
            "count=planned",
            "resolution=merge-duplicates",
            "missing=default, return=representation",
        ]),
        proptest::sample::select(&[
            "*/*",
            "application/vnd.pgrst.object+json",
            "text/csv",
            "application/vnd.pgrst.plan+json",
        ]),
    );
    for _ in 0..600 {
        let (path, query, method, body, prefer, accept) =
            strategy.new_tree(&mut runner).expect("a request").current();
        let uri = format!("{path}?{query}");
        let headers = [("prefer", format!("{prefer}, tx=rollback")), ("accept", accept.to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let answer = library.ask(method, &uri, &headers, body).await;
        let status = answer.status.as_u16();
        // 21000 is the contract's own 500: the data the caller chose collides with itself.
        let allowed = status < 500 || answer.text().contains("\"21000\"");
        assert!(allowed, "{method} {uri} {body}: {status} {}", answer.text());
    }
    let count = async |sql: &str| library.number(sql).await;
    assert_eq!(count("select count(*) from library.withheld where secret = 'hidden'").await, 1);
    assert_eq!(count("select count(*) from library.books").await, 4);
    assert_eq!(library.rows("/shelves?select=id&order=id").await, json!([{"id": 1}, {"id": 2}]));
}
