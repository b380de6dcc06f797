//! Procedures by GET, HEAD and POST, with every shape of result.

use serde_json::json;

use crate::library::{ADA, Library};

#[tokio::test]
async fn every_shape_of_result_has_its_body() {
    let library = Library::open().await;
    let table = [
        ("/rpc/add?a=1&b=2", json!(3)),
        ("/rpc/add?a=1", json!(2)),
        ("/rpc/nothing", json!(null)),
        ("/rpc/numbers", json!([1, 2, 3])),
        ("/rpc/statistics", json!([{"books": 4, "authors": 3}])),
        ("/rpc/single_out", json!({"answer": 42})),
        ("/rpc/swap?a=1&b=2", json!({"a": 2, "b": 1})),
        ("/rpc/one_book?book=2&select=id,title", json!({"id": 2, "title": "Triangles"})),
        ("/rpc/books_over?min_pages=200&select=id&order=id.desc", json!([{"id": 3}, {"id": 1}])),
        (
            "/rpc/books_over?min_pages=200&id=eq.1&select=id,publishers(name),full_title",
            json!([{"id": 1, "publishers": {"name": "North"}, "full_title": "Engines (320)"}]),
        ),
        ("/rpc/join_words?words=a&words=b", json!("a-b")),
        ("/rpc/join_words?words=%7Ba,b%7D", json!("{a,b}")),
    ];
    for (path, expected) in table {
        let answer = library.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, expected), "{path}");
    }
    let record = library.get("/rpc/some_record").await;
    assert_eq!(record.status.as_u16(), 200, "{}", record.text());
}

#[tokio::test]
async fn rpc_arguments_come_from_json_or_form_bodies() {
    let library = Library::open().await;
    let post = async |path: &str, kind: &str, body: &str| {
        let answer = library.ask("POST", path, &[("content-type", kind)], body).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text());
        answer.json()
    };
    let json = "application/json";
    assert_eq!(post("/rpc/add", json, r#"{"a": 2, "b": 5}"#).await, json!(7));
    assert_eq!(post("/rpc/add", json, r#"[{"a": 2, "b": 5}]"#).await, json!(7));
    assert_eq!(post("/rpc/add", "application/x-www-form-urlencoded", "a=3&b=4").await, json!(7));
    assert_eq!(post("/rpc/numbers", json, "").await, json!([1, 2, 3]));
    assert_eq!(post("/rpc/join_words", json, r#"{"words": ["x", "y"]}"#).await, json!("x-y"));
    assert_eq!(
        post("/rpc/echo", json, r#"{"any": ["thing", 1]}"#).await,
        json!({"any": ["thing", 1]})
    );
    assert_eq!(
        post("/rpc/books_over?select=id&order=id", json, r#"{"min_pages": 100}"#).await,
        json!([{"id": 1}, {"id": 2}, {"id": 3}])
    );
    let void = library.ask("POST", "/rpc/forget", &[], "{}").await;
    assert_eq!((void.status.as_u16(), void.text().as_str()), (204, ""));
}

#[tokio::test]
async fn get_may_only_read() {
    let library = Library::open().await;
    let answer = library.get("/rpc/rename_author?author=1&new_name=Eve").await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (405, Some("25006")));
    let posted = library
        .ask("POST", "/rpc/rename_author?select=name", &[], r#"{"author": 1, "new_name": "Eve"}"#)
        .await;
    assert_eq!((posted.status.as_u16(), posted.json()), (200, json!([{"name": "Eve"}])));
}

#[tokio::test]
async fn missing_and_ambiguous_functions_are_explained() {
    let library = Library::open().await;
    let missing = library.ask("POST", "/rpc/add", &[], r#"{"a": 1, "c": 2}"#).await;
    assert_eq!(missing.status.as_u16(), 404);
    assert_eq!(
        missing.json(),
        json!({
            "code": "PGRST202",
            "message": "Could not find the function library.add(a, c) in the schema cache",
            "details": "Searched for the function library.add with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.",
            "hint": "Perhaps you meant to call the function library.add(a, b)"
        })
    );
    let near = library.get("/rpc/statistic").await;
    assert_eq!(
        near.json()["hint"],
        json!("Perhaps you meant to call the function library.statistics")
    );
    let ambiguous = library.get("/rpc/same?x=1").await;
    assert_eq!(ambiguous.status.as_u16(), 300);
    assert_eq!(
        ambiguous.json()["message"],
        json!(
            "Could not choose the best candidate function between: library.same(x => integer), library.same(x => text)"
        )
    );
}

#[tokio::test]
async fn a_function_can_dictate_status_headers_and_errors() {
    let library = Library::open().await;
    let answer = library.ask("POST", "/rpc/with_headers", &[], "").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (202, json!("done")));
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies, ["a=1", "b=2"]);
    assert_eq!(answer.header("cache-control"), "no-store");
    let bad = library.ask("POST", "/rpc/bad_headers", &[], "").await;
    assert_eq!((bad.status.as_u16(), bad.json()["code"].as_str()), (500, Some("PGRST111")));
    let teapot = library.ask("POST", "/rpc/teapot", &[], "").await;
    assert_eq!(
        (teapot.status.as_u16(), teapot.json()),
        (
            418,
            json!({"code": "PT418", "message": "short and stout", "details": "tip me", "hint": "over"})
        )
    );
    let dictated = library.ask("POST", "/rpc/dictate", &[], "").await;
    assert_eq!(
        (dictated.status.as_u16(), dictated.json()),
        (332, json!({"code": "123", "message": "all of it", "details": "d", "hint": "h"}))
    );
    assert_eq!(dictated.header("x-mine"), "yes");
}

#[tokio::test]
async fn the_database_can_read_the_request() {
    let library = Library::open().await;
    let ada = library.bearer("authenticated", ADA);
    let headers =
        [("authorization", ada.as_str()), ("x-test", "t"), ("prefer", "timezone=America/Lima")];
    let answer = library.get_with("/rpc/who", &headers).await;
    let request = answer.json();
    assert_eq!(request["role"], json!("authenticated"));
    assert_eq!(request["claims"]["sub"], json!(ADA));
    assert_eq!((&request["method"], &request["path"]), (&json!("GET"), &json!("/rpc/who")));
    assert_eq!((&request["agent"], &request["timezone"]), (&json!("t"), &json!("America/Lima")));
    assert_eq!(answer.header("preference-applied"), "timezone=America/Lima");
    let anonymous = library.get("/rpc/who").await.json();
    assert_eq!(
        (&anonymous["role"], &anonymous["claims"]),
        (&json!("anon"), &json!({"role": "anon"}))
    );
    let wrong = library.get_with("/rpc/who", &[("prefer", "timezone=Nowhere/At_All")]).await;
    assert_eq!(wrong.status.as_u16(), 400);
}

#[tokio::test]
async fn responses_to_a_users_token_are_not_cacheable() {
    let library = Library::open().await;
    let ada = library.bearer("authenticated", ADA);
    for path in ["/books?select=id", "/rpc/who"] {
        let own = library.get_with(path, &[("authorization", &ada)]).await;
        assert_eq!((own.status.as_u16(), own.header("cache-control")), (200, "no-store"), "{path}");
        assert!(!library.get(path).await.headers.contains_key("cache-control"), "{path}");
    }
}

#[tokio::test]
async fn options_return_the_allowed_methods() {
    let library = Library::open().await;
    let table = [
        ("/shelves", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
        ("/keyless", "OPTIONS,GET,HEAD,POST,PATCH,DELETE"),
        ("/authors_kept", "OPTIONS,GET,HEAD"),
        ("/rpc/numbers", "OPTIONS,GET,HEAD,POST"),
        ("/rpc/forget", "OPTIONS,POST"),
        ("/", "OPTIONS,GET,HEAD"),
    ];
    for (path, allowed) in table {
        let answer = library.ask("OPTIONS", path, &[], "").await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (200, allowed), "{path}");
        assert_eq!(answer.header("vary"), "Accept, Prefer, Range", "{path}");
    }
}

#[tokio::test]
async fn a_procedure_runs_whatever_result_is_requested() {
    let library = Library::open().await;
    let calls = [
        ("POST", "/rpc/guard_stable", "{}"),
        ("GET", "/rpc/guard_stable", ""),
        ("HEAD", "/rpc/guard_stable", ""),
        ("POST", "/rpc/guard_immutable", r#"{"name": "x"}"#),
        ("GET", "/rpc/guard_immutable?name=x", ""),
        ("HEAD", "/rpc/guard_value", ""),
        ("HEAD", "/rpc/guard_rows", ""),
        ("HEAD", "/rpc/guard_inlined", ""),
        ("HEAD", "/rpc/guard_inlined?select=", ""),
    ];
    let preferences = ["", "count=exact", "count=planned", "return=minimal", "tx=rollback"];
    for (method, path, body) in calls {
        for prefer in preferences {
            let answer = library.ask(method, path, &[("prefer", prefer)], body).await;
            assert_eq!(answer.status.as_u16(), 403, "{method} {path} {prefer}");
        }
    }
    for method in ["GET", "POST", "HEAD"] {
        let withheld = library.ask(method, "/rpc/guard_withheld", &[], "").await;
        assert_eq!(withheld.status.as_u16(), 401, "{method}");
        let passed = library.ask(method, "/rpc/guard_passed", &[], "").await;
        assert_eq!((passed.status.as_u16(), passed.text().as_str()), (204, ""), "{method}");
    }
}

#[tokio::test]
async fn unnamed_parameter_receives_the_raw_body() {
    let library = Library::open().await;
    let call = async |path: &str, body: &str| {
        let answer = library.ask("POST", path, &[], body).await;
        (answer.status.as_u16(), answer.json())
    };
    let arguments = r#"{"": "a"}"#;
    assert_eq!(call("/rpc/shout", arguments).await, (200, json!(r#"{"": "A"}"#)));
    assert_eq!(call("/rpc/several", arguments).await, (200, json!(arguments)));
    assert_eq!(call("/rpc/several", "{}").await, (200, json!("none")));
    assert_eq!(call("/rpc/several", r#"{"a": 1, "b": 2}"#).await, (200, json!("two")));
    assert_eq!(call("/rpc/kept", arguments).await, (200, json!({"": "a"})));
    assert_eq!(library.get("/rpc/kept").await.json(), json!({}));
    // The body is bound as received, so PostgreSQL decides whether it is valid.
    let (status, refused) = call("/rpc/kept", "[1").await;
    assert_eq!((status, &refused["code"]), (400, &json!("PGRST102")));
    assert_eq!(
        call("/rpc/either", arguments).await,
        (200, json!(arguments)),
        "not the integer one"
    );
    let (status, ambiguous) = call("/rpc/both", "{}").await;
    assert_eq!((status, &ambiguous["code"]), (300, &json!("PGRST203")));
    assert_eq!(
        ambiguous["message"],
        json!(
            "Could not choose the best candidate function between: library.both( => json), library.both( => text)"
        )
    );
}

#[tokio::test]
async fn unsuitable_unnamed_parameters_hide_the_function() {
    let library = Library::open().await;
    for (path, body) in
        [("/rpc/measured", r#"{"": 5}"#), ("/rpc/measured", "5"), ("/rpc/two", "{}")]
    {
        let answer = library.ask("POST", path, &[], body).await;
        let outcome = (answer.status.as_u16(), answer.json()["code"].clone());
        assert_eq!(outcome, (404, json!("PGRST202")), "{path} {body}");
    }
    let (status, document) = {
        let answer = library.get("/").await;
        (answer.status.as_u16(), answer.json())
    };
    assert_eq!(status, 200);
    assert_eq!(document["paths"]["/rpc/measured"], json!(null));
    assert_ne!(document["paths"]["/rpc/measure"], json!(null));
}

#[tokio::test]
async fn functions_with_unnamed_parameters_are_not_hinted() {
    let library = Library::open().await;
    let answer = library.ask("POST", "/rpc/measured", &[], r#"{"x": 1}"#).await;
    let hint = &answer.json()["hint"];
    assert_eq!(*hint, json!("Perhaps you meant to call the function library.measure"));
}

#[tokio::test]
async fn function_rows_are_counted_without_a_cte() {
    let library = Library::open().await;
    let path = "/rpc/books_over?min_pages=1";
    let plan = [("prefer", "count=exact"), ("accept", "application/vnd.pgrst.plan")];
    let all_rows = library.get_with(path, &plan).await.text();
    assert!(!all_rows.contains("CTE"), "{all_rows}");
    let counted = library.get_with(path, &[("prefer", "count=exact")]).await;
    assert_eq!((counted.status.as_u16(), counted.header("content-range")), (200, "0-2/3"));
    let cut = library.get_with(&format!("{path}&limit=1"), &[("prefer", "count=exact")]).await;
    assert_eq!((cut.status.as_u16(), cut.header("content-range")), (206, "0-0/3"));
}
