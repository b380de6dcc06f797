//! Every error with its status, code and message; and that a failed request has no partial effect.

use serde_json::json;

use crate::library::{Library, config};

#[tokio::test]
async fn unknown_names_are_refused_with_hints() {
    let library = Library::open().await;
    let table = library.get("/bookz").await;
    assert_eq!(
        (table.status.as_u16(), table.json()),
        (
            404,
            json!({
                "code": "PGRST205",
                "message": "Could not find the table 'library.bookz' in the schema cache",
                "details": null,
                "hint": "Perhaps you meant the table 'library.books'"
            })
        )
    );
    let embed = library.get("/books?select=id,publisherz(name)").await;
    assert_eq!(
        (embed.status.as_u16(), embed.json()),
        (
            400,
            json!({
                "code": "PGRST200",
                "message": "Could not find a relationship between 'books' and 'publisherz' in the schema cache",
                "details": "Searched for a foreign key relationship between 'books' and 'publisherz' in the schema 'library', but no matches were found.",
                "hint": "Perhaps you meant 'publishers' instead of 'publisherz'."
            })
        )
    );
    let column = library.get("/books?select=nope").await;
    assert_eq!((column.status.as_u16(), column.json()["code"].as_str()), (400, Some("42703")));
    assert_eq!(column.json()["message"], json!("column books.nope does not exist"));
    let body = library.ask("POST", "/shelves", &[], r#"{"nope": 1}"#).await;
    assert_eq!(
        (body.status.as_u16(), body.json()["message"].as_str()),
        (400, Some("Could not find the 'nope' column of 'shelves' in the schema cache"))
    );
}

#[tokio::test]
async fn visitors_patterns_refer_back_to_nothing() {
    let library = Library::open().await;
    let refusal = json!({
        "code": "2201B",
        "message": "invalid regular expression: invalid backreference number",
        "details": null,
        "hint": "Without a user's token, match and imatch take no back references."
    });
    let user = library.bearer("authenticated", crate::library::ADA);
    for (filter, found) in [
        (r"title=match.(e).*%5C1", 400),
        (r"title=not.imatch.(e).*%5C1", 400),
        (r"title=match(any).{%22(e).*%5C%5C1%22}", 400),
        (r"title=match(all).{(e).*%5C%5C%221%22}", 400),
        (r"or=(id.eq.1,and(title.match.%22(e)%5C%5C1%22,id.eq.2))", 400),
        (r"select=id,authors!books_author_id_fkey(id)&authors.name=match.(e)%5C1", 400),
        (r"title=match.%5Cd0|%5C.1", 200),
        (r"title=eq.%5C1", 200),
    ] {
        let path = format!("/books?{filter}");
        let answer = library.get(&path).await;
        assert_eq!(answer.status.as_u16(), found, "{filter}");
        if found == 400 {
            assert_eq!(answer.json(), refusal, "{filter}");
            // The error is the same when the plan is cached.
            assert_eq!(library.get(&path).await.json(), refusal, "{filter}");
        }
    }
    let own = library.get_with(r"/books?title=match.(e).*%5C1", &[("authorization", &user)]).await;
    assert_eq!(own.status.as_u16(), 200, "{}", own.json());
}

#[tokio::test]
async fn an_ambiguous_embed_lists_the_choices() {
    let library = Library::open().await;
    let answer = library.get("/books?select=authors(name)").await;
    assert_eq!(answer.status.as_u16(), 300);
    let body = answer.json();
    assert_eq!(body["code"], json!("PGRST201"));
    assert_eq!(
        body["hint"],
        json!(
            "Try changing 'authors' to one of the following: 'authors!books_author_id_fkey', 'authors!books_editor_id_fkey'. Find the desired relationship in the 'details' key."
        )
    );
    assert_eq!(
        body["details"][0],
        json!({
            "cardinality": "many-to-one",
            "embedding": "books with authors",
            "relationship": "books_author_id_fkey using books(author_id) and authors(id)"
        })
    );
}

#[tokio::test]
async fn each_bad_request_has_its_code() {
    let library = Library::open().await;
    let table = [
        ("GET", "/books?id=bad.1", "", 400, "PGRST100"),
        ("GET", "/books?select=id,", "", 400, "PGRST100"),
        ("GET", "/books?order=id.upwards", "", 400, "PGRST100"),
        ("GET", "/books?or=(id.eq.1", "", 400, "PGRST100"),
        ("DELETE", "/rpc/add", "", 405, "PGRST101"),
        ("POST", "/books", "{", 400, "PGRST102"),
        ("POST", "/books", "", 400, "PGRST102"),
        ("POST", "/books", r#"[{"id":1},{"title":"x"}]"#, 400, "PGRST102"),
        ("GET", "/books?limit=-1", "", 416, "PGRST103"),
        ("GET", "/books?publishers.id=eq.1", "", 400, "PGRST108"),
        ("GET", "/books?publishers.limit=1", "", 400, "PGRST108"),
        ("TRACE", "/books", "", 405, "PGRST117"),
        ("GET", "/publishers?select=*,books(*)&order=books(id)", "", 400, "PGRST118"),
        ("GET", "/books?select=*,covers(*)&covers=eq.1", "", 400, "PGRST120"),
        ("GET", "/publishers?select=name,...books(id.count())", "", 400, "PGRST127"),
        ("GET", "/a/b/c", "", 404, "PGRST125"),
        ("GET", "/books?id=eq.x", "", 400, "22P02"),
        ("GET", "/books?select=id::nonsense", "", 400, "42704"),
        ("POST", "/shelves", r#"{"id":1,"label":"x"}"#, 409, "23505"),
        ("POST", "/covers", r#"{"book_id":99,"color":"x"}"#, 409, "23503"),
        ("POST", "/shelves", r#"{"id":77}"#, 400, "23502"),
        ("GET", "/withheld", "", 401, "42501"),
    ];
    for (method, path, body, status, code) in table {
        let answer = library.ask(method, path, &[], body).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}: {}", answer.text());
        assert_eq!(answer.json()["code"], json!(code), "{method} {path}: {}", answer.text());
        assert_eq!(answer.header("proxy-status"), format!("PostgREST; error={code}"), "{path}");
    }
}

#[tokio::test]
async fn unavailable_media_types_are_named() {
    let library = Library::open().await;
    let answer = library.get_with("/books", &[("accept", "image/png, text/unknown")]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()),
        (
            406,
            json!({
                "code": "PGRST107",
                "message": "None of these media types are available: image/png, text/unknown",
                "details": null,
                "hint": null
            })
        )
    );
}

#[tokio::test]
async fn strict_handling_refuses_what_it_does_not_know() {
    let library = Library::open().await;
    let answer = library.get_with("/books", &[("prefer", "handling=strict, foo=bar, baz")]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["details"].as_str()),
        (400, Some("Invalid preferences: foo=bar, baz"))
    );
    let lenient = library.get_with("/shelves?limit=0", &[("prefer", "foo=bar")]).await;
    assert_eq!((lenient.status.as_u16(), lenient.header("preference-applied")), (200, ""));
}

#[tokio::test]
async fn tokens_are_refused_before_anything_else() {
    let library = Library::open().await;
    let bad = library.get_with("/nowhere", &[("authorization", "Bearer a.b")]).await;
    assert_eq!((bad.status.as_u16(), bad.json()["code"].as_str()), (401, Some("PGRST301")));
    assert_eq!(
        bad.header("www-authenticate"),
        "Bearer error=\"invalid_token\", error_description=\"Expected 3 parts in JWT; got 2\""
    );
    let unknown_role = library.bearer("ghost", "x");
    let role = library.get_with("/books", &[("authorization", &unknown_role)]).await;
    assert_eq!((role.status.as_u16(), role.header("www-authenticate")), (401, "Bearer"));
}

#[tokio::test]
async fn a_caller_without_token_may_be_unwelcome() {
    let library = Library::with(compat_rest::Config { anon_role: None, ..config() }).await;
    let answer = library.get("/books").await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (401, Some("PGRST302")));
}

#[tokio::test]
async fn disabled_aggregates_and_plans_are_refused() {
    let config = compat_rest::Config { aggregates_enabled: false, plan_enabled: false, ..config() };
    let library = Library::with(config).await;
    let aggregate = library.get("/books?select=pages.sum()").await;
    assert_eq!(
        (aggregate.status.as_u16(), aggregate.json()["code"].as_str()),
        (400, Some("PGRST123"))
    );
    for spread in
        ["/publishers?select=...books(id.count())", "/books?select=...publishers(id.max())"]
    {
        let answer = library.get(spread).await;
        let found = (answer.status.as_u16(), answer.json()["code"].as_str().map(str::to_owned));
        assert_eq!(found, (400, Some("PGRST123".to_owned())), "{spread}");
    }
    // Arrays that a spread creates do not count as aggregates of the caller.
    let arrays = library.rows("/publishers?select=name,...books(ids:id)&id=eq.1").await;
    assert_eq!(arrays, json!([{"name": "North", "ids": [1, 2]}]));
    let plan = library.get_with("/books", &[("accept", "application/vnd.pgrst.plan+json")]).await;
    assert_eq!((plan.status.as_u16(), plan.json()["code"].as_str()), (406, Some("PGRST107")));
}

#[tokio::test]
async fn late_errors_still_decide_the_answer() {
    let library = Library::open().await;
    let good = r#"[{"id": 1, "next_id": 2}, {"id": 2, "next_id": null}]"#;
    assert_eq!(library.ask("POST", "/chained", &[], good).await.status.as_u16(), 201);
    let bad = library.ask("POST", "/chained", &[], r#"{"id": 3, "next_id": 99}"#).await;
    assert_eq!((bad.status.as_u16(), bad.json()["code"].as_str()), (409, Some("23503")));
    assert_eq!(library.rows("/chained?id=eq.3").await, json!([]));
}

#[tokio::test]
async fn a_body_too_large_is_refused_unread() {
    let library = Library::with(compat_rest::Config { max_body: 10, ..config() }).await;
    let answer = library.ask("POST", "/shelves", &[], r#"{"id": 3, "label": "long"}"#).await;
    assert_eq!(answer.status.as_u16(), 413);
}

#[tokio::test]
async fn unsupported_methods_are_refused_with_405() {
    let library = Library::open().await;
    let contract = [
        ("/shelves", "GET HEAD POST PUT PATCH DELETE OPTIONS", "PGRST117"),
        ("/rpc/numbers", "GET HEAD POST OPTIONS", "PGRST101"),
        ("/", "GET HEAD OPTIONS", "PGRST117"),
    ];
    let methods = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PURGE";
    for (path, answered, refusal) in contract {
        for method in methods.split(' ') {
            let answer = library.ask(method, path, &[("prefer", "tx=rollback")], "{}").await;
            let is_refused = answer.header("proxy-status") == format!("PostgREST; error={refusal}");
            assert_eq!(
                is_refused,
                !answered.split(' ').any(|known| known == method),
                "{method} {path}"
            );
            assert!(!is_refused || answer.status.as_u16() == 405, "{method} {path}");
        }
    }
}
