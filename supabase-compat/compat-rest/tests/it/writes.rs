//! Inserts, upserts, replacements, updates and deletes.

use serde_json::json;

use crate::library::{ADA, Library};

const FULL: (&str, &str) = ("prefer", "return=representation");

#[tokio::test]
async fn an_insert_answers_minimally_unless_asked() {
    let library = Library::open().await;
    let answer = library.ask("POST", "/shelves", &[], r#"{"id": 3, "label": "top"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (201, ""));
    assert_eq!(answer.header("content-range"), "*/*");
    assert_eq!(answer.header("content-type"), "");
    let full =
        library.ask("POST", "/shelves?select=label", &[FULL], r#"{"id": 4, "label": "low"}"#).await;
    assert_eq!((full.status.as_u16(), full.json()), (201, json!([{"label": "low"}])));
    assert_eq!(full.header("preference-applied"), "return=representation");
    assert_eq!(
        library.rows("/shelves?select=id&order=id").await,
        json!([{"id":1},{"id":2},{"id":3},{"id":4}])
    );
}

#[tokio::test]
async fn headers_only_returns_the_location() {
    let library = Library::open().await;
    let body = r#"{"book_id": 3, "shelf_id": 2}"#;
    let answer =
        library.ask("POST", "/placements", &[("prefer", "return=headers-only")], body).await;
    assert_eq!(answer.status.as_u16(), 201);
    assert_eq!(answer.header("location"), "/placements?book_id=eq.3&shelf_id=eq.2");
    assert_eq!(answer.header("preference-applied"), "return=headers-only");
}

#[tokio::test]
async fn bulk_insert_returns_rows_with_embeds() {
    let library = Library::open().await;
    let body = r#"[{"id": 11, "title": "x", "author_id": 1}, {"id": 12, "title": "y", "author_id": null}]"#;
    let path = "/books?columns=%22id%22,%22title%22,%22author_id%22&select=id,author_id(name),full_title&order=id.desc";
    let answer =
        library.ask("POST", path, &[("prefer", "return=representation,count=exact")], body).await;
    assert_eq!(
        answer.json(),
        json!([
            {"id": 12, "author_id": null, "full_title": "y (?)"},
            {"id": 11, "author_id": {"name": "Ada"}, "full_title": "x (?)"}
        ])
    );
    assert_eq!(answer.header("content-range"), "*/2");
}

#[tokio::test]
async fn empty_bodies_mean_what_they_say() {
    let library = Library::open().await;
    let none = library.ask("POST", "/shelves", &[FULL], "[]").await;
    assert_eq!((none.status.as_u16(), none.json()), (201, json!([])));
    let defaults = library.ask("POST", "/keyless", &[FULL], "{}").await;
    assert_eq!(
        (defaults.status.as_u16(), defaults.json()),
        (201, json!([{"word": null, "number": null}]))
    );
    for body in ["{}", "[]", "[{}]"] {
        let answer = library.ask("PATCH", "/shelves", &[], body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-range")),
            (204, "*/*"),
            "{body}"
        );
        let answer = library.ask("PATCH", "/shelves?select=id", &[FULL], body).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])), "{body}");
    }
}

#[tokio::test]
async fn values_of_every_kind_arrive_as_they_are() {
    let library = Library::open().await;
    let body = json!({
        "id": 20, "title": "é \" \\ \u{1F600}", "pages": 7, "in_print": false, "tags": ["a,b", "c\"d"],
        "data": {"x": [1, null]}, "details": [1, {"k": "v"}], "published": "[2020-01-01,2020-02-01)"
    });
    let select = "/books?select=id,title,pages,in_print,tags,data,details";
    let answer = library.ask("POST", select, &[FULL], &body.to_string()).await;
    let mut expected = body.clone();
    expected.as_object_mut().unwrap().remove("published");
    assert_eq!(answer.json(), json!([expected]));
}

#[tokio::test]
async fn missing_keys_can_stand_for_defaults() {
    let library = Library::open().await;
    let prefer = [("prefer", "return=representation, missing=default")];
    let body = r#"[{"name": "East"}, {"name": "West", "founded": 2000}]"#;
    let answer =
        library.ask("POST", "/publishers?columns=id,name,founded&order=name", &prefer, body).await;
    assert_eq!(
        answer.json(),
        json!([
            {"id": 11, "name": "East", "founded": 1900},
            {"id": 12, "name": "West", "founded": 2000}
        ])
    );
    assert_eq!(answer.header("preference-applied"), "missing=default, return=representation");
    let null = library
        .ask(
            "POST",
            "/publishers?columns=id,name,founded",
            &[FULL],
            r#"[{"id": 30, "name": "Up"}]"#,
        )
        .await;
    assert_eq!(null.json(), json!([{"id": 30, "name": "Up", "founded": null}]));
}

#[tokio::test]
async fn an_upsert_merges_or_ignores() {
    let library = Library::open().await;
    let merge = [("prefer", "return=representation,resolution=merge-duplicates")];
    let replaced = library.ask("POST", "/shelves", &merge, r#"[{"id": 1, "label": "new"}]"#).await;
    assert_eq!(
        (replaced.status.as_u16(), replaced.json()),
        (200, json!([{"id": 1, "label": "new"}]))
    );
    assert_eq!(
        replaced.header("preference-applied"),
        "resolution=merge-duplicates, return=representation"
    );
    let mixed = library
        .ask(
            "POST",
            "/shelves?order=id",
            &merge,
            r#"[{"id": 1, "label": "again"}, {"id": 9, "label": "ninth"}]"#,
        )
        .await;
    assert_eq!(mixed.status.as_u16(), 201);
    let ignore = [("prefer", "return=representation,resolution=ignore-duplicates")];
    let ignored = library
        .ask(
            "POST",
            "/shelves",
            &ignore,
            r#"[{"id": 1, "label": "lost"}, {"id": 10, "label": "tenth"}]"#,
        )
        .await;
    assert_eq!(
        (ignored.status.as_u16(), ignored.json()),
        (201, json!([{"id": 10, "label": "tenth"}]))
    );
    let named = library
        .ask(
            "POST",
            "/publishers?on_conflict=name&select=id,founded",
            &merge,
            r#"{"name": "North", "founded": 1}"#,
        )
        .await;
    assert_eq!((named.status.as_u16(), named.json()), (200, json!([{"id": 1, "founded": 1}])));
    let keys = library.ask("POST", "/only_keys", &merge, r#"[{"a": 1, "b": 2}]"#).await;
    assert_eq!(keys.status.as_u16(), 201);
    let nothing = library.ask("POST", "/shelves", &merge, "[]").await;
    assert_eq!((nothing.status.as_u16(), nothing.json()), (200, json!([])));
    let keyless = library.ask("POST", "/keyless", &merge, r#"{"word": "w"}"#).await;
    assert_eq!(
        (keyless.status.as_u16(), keyless.header("preference-applied")),
        (201, "return=representation")
    );
}

#[tokio::test]
async fn put_replaces_exactly_the_row_it_names() {
    let library = Library::open().await;
    let created =
        library.ask("PUT", "/shelves?id=eq.5", &[FULL], r#"{"id": 5, "label": "five"}"#).await;
    assert_eq!(
        (created.status.as_u16(), created.json()),
        (201, json!([{"id": 5, "label": "five"}]))
    );
    let replaced =
        library.ask("PUT", "/shelves?id=eq.5", &[FULL], r#"[{"id": 5, "label": "V"}]"#).await;
    assert_eq!(
        (replaced.status.as_u16(), replaced.json()),
        (200, json!([{"id": 5, "label": "V"}]))
    );
    let minimal = library.ask("PUT", "/shelves?id=eq.5", &[], r#"{"id": 5, "label": "v"}"#).await;
    assert_eq!((minimal.status.as_u16(), minimal.header("content-range")), (204, ""));
    let other = library.ask("PUT", "/shelves?id=eq.5", &[], r#"{"id": 6, "label": "six"}"#).await;
    assert_eq!((other.status.as_u16(), other.json()["code"].as_str()), (400, Some("PGRST115")));
    let unfiltered =
        library.ask("PUT", "/shelves?label=eq.x", &[], r#"{"id": 6, "label": "x"}"#).await;
    assert_eq!(
        (unfiltered.status.as_u16(), unfiltered.json()["code"].as_str()),
        (405, Some("PGRST105"))
    );
    let limited =
        library.ask("PUT", "/shelves?id=eq.5&limit=1", &[], r#"{"id": 5, "label": "x"}"#).await;
    assert_eq!((limited.status.as_u16(), limited.json()["code"].as_str()), (400, Some("PGRST114")));
    assert_eq!(library.rows("/shelves?id=gt.2").await, json!([{"id": 5, "label": "v"}]));
}

#[tokio::test]
async fn an_update_changes_what_the_filters_choose() {
    let library = Library::open().await;
    let minimal = library.ask("PATCH", "/books?id=eq.1", &[], r#"{"pages": 1}"#).await;
    assert_eq!((minimal.status.as_u16(), minimal.header("content-range")), (204, "0-0/*"));
    let path = "/books?or=(id.eq.2,id.eq.3)&select=id,pages,author_id(name)&order=id.desc&limit=1";
    let full = library
        .ask("PATCH", path, &[("prefer", "return=representation,count=exact")], r#"{"pages": 2}"#)
        .await;
    assert_eq!(
        full.json(),
        json!([
            {"id": 3, "pages": 2, "author_id": {"name": "Carl"}},
            {"id": 2, "pages": 2, "author_id": {"name": "Blaise"}}
        ])
    );
    assert_eq!((full.status.as_u16(), full.header("content-range")), (200, "0-1/2"));
    let none = library.ask("PATCH", "/books?id=eq.99&select=id", &[FULL], r#"{"pages": 2}"#).await;
    assert_eq!(
        (none.status.as_u16(), none.json(), none.header("content-range")),
        (200, json!([]), "*/*")
    );
}

#[tokio::test]
async fn a_delete_gives_back_what_it_took() {
    let library = Library::open().await;
    let full = library
        .ask(
            "DELETE",
            "/placements?book_id=eq.1&select=shelf_id,shelves(label)&order=shelf_id",
            &[FULL],
            "",
        )
        .await;
    assert_eq!(
        (full.status.as_u16(), full.json()),
        (
            200,
            json!([
                {"shelf_id": 1, "shelves": {"label": "left"}}, {"shelf_id": 2, "shelves": {"label": "right"}}
            ])
        )
    );
    let minimal = library.ask("DELETE", "/placements", &[("prefer", "count=exact")], "").await;
    assert_eq!((minimal.status.as_u16(), minimal.header("content-range")), (204, "*/1"));
    assert_eq!(library.rows("/placements").await, json!([]));
}

#[tokio::test]
async fn a_violated_preference_undoes_the_write() {
    let library = Library::open().await;
    let object = ("accept", "application/vnd.pgrst.object+json");
    let many = library.ask("PATCH", "/shelves", &[FULL, object], r#"{"label": "same"}"#).await;
    assert_eq!(many.status.as_u16(), 406);
    assert_eq!(many.json()["details"], json!("The result contains 2 rows"));
    let bounded = [("prefer", "handling=strict, max-affected=1")];
    let answer = library.ask("DELETE", "/shelves?id=gt.0", &bounded, "").await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()),
        (
            400,
            json!({
                "code": "PGRST124",
                "message": "Query result exceeds max-affected preference constraint",
                "details": "The query affects 2 rows",
                "hint": null
            })
        )
    );
    assert_eq!(
        library.rows("/shelves?select=label&order=id").await,
        json!([{"label": "left"}, {"label": "right"}])
    );
    let one =
        library.ask("POST", "/shelves", &[FULL, object], r#"{"id": 8, "label": "one"}"#).await;
    assert_eq!((one.status.as_u16(), one.json()), (201, json!({"id": 8, "label": "one"})));
}

#[tokio::test]
async fn a_client_may_ask_for_a_rollback() {
    let library = Library::open().await;
    let prefer = [("prefer", "return=representation, tx=rollback")];
    let answer = library.ask("POST", "/shelves", &prefer, r#"{"id": 3, "label": "x"}"#).await;
    assert_eq!(answer.json(), json!([{"id": 3, "label": "x"}]));
    assert_eq!(answer.header("preference-applied"), "return=representation, tx=rollback");
    assert_eq!(library.rows("/shelves?id=eq.3").await, json!([]));
}

#[tokio::test]
async fn forms_and_csv_are_bodies_too() {
    let library = Library::open().await;
    let csv = [FULL, ("content-type", "text/csv")];
    let answer =
        library.ask("POST", "/keyless?order=word", &csv, "word,number\na,1\nNULL,2\n").await;
    assert_eq!(answer.json(), json!([{"word": "a", "number": 1}, {"word": null, "number": 2}]));
    let form = [FULL, ("content-type", "application/x-www-form-urlencoded")];
    let answer = library.ask("POST", "/keyless", &form, "word=two+words&number=3").await;
    assert_eq!(answer.json(), json!([{"word": "two words", "number": 3}]));
}

#[tokio::test]
async fn row_security_decides_for_the_caller() {
    let library = Library::open().await;
    let ada = library.bearer("authenticated", ADA);
    let mine = library.get_with("/notes?select=body", &[("authorization", &ada)]).await;
    assert_eq!(mine.json(), json!([{"body": "of ada"}]));
    assert_eq!(library.rows("/notes?select=body").await, json!([]));
    let foreign = r#"{"owner_id": "bbbbbbbb-0000-4000-8000-000000000001", "body": "forged"}"#;
    let refusal = library.ask("POST", "/notes", &[("authorization", &ada)], foreign).await;
    assert_eq!((refusal.status.as_u16(), refusal.json()["code"].as_str()), (403, Some("42501")));
}
