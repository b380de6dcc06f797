//! Imports of CSV files into a table.

use axum::body::{Body, Bytes};
use compat_testkit::TestResponse;
use futures_util::{StreamExt as _, stream};
use http::Method;
use serde_json::{Value, json};

use crate::world::{Browser, World, of, refusal};

const SONGS: &str = "
    create table public.artists (id int primary key);
    insert into public.artists values (1), (2);
    create table public.songs (
        id bigint generated always as identity primary key, title text not null unique, price numeric,
        artist int references public.artists, check (price > 0)
    );
    create table public.\"odd \"\"name\" (\"a, line 1\" int)";

fn order(columns: &[&str]) -> Value {
    let column = |name: &&str| match *name {
        "" => Value::Null,
        name => json!({ "name": name }),
    };
    let columns: Vec<Value> = columns.iter().map(column).collect();
    json!({"schema": "public", "table": "songs", "columns": columns, "delimiter": ","})
}

async fn import(browser: &Browser<'_>, order: &Value, file: impl Into<Bytes>) -> TestResponse {
    let pieces = [Bytes::from(format!("{order}\n")), file.into()];
    let body = Body::from_stream(stream::iter(pieces).map(Ok::<_, std::io::Error>));
    browser.send_body(Method::POST, "/import", body, &[("content-type", "text/csv")]).await
}

async fn count(world: &World) -> String {
    world.text("select count(*)::text from public.songs").await.unwrap_or_default()
}

#[tokio::test]
async fn hundred_thousand_rows_are_one_transaction() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let order = order(&["title", "", "price"]);
    let pieces = (0..=200).map(|part: u64| match part {
        0 => Bytes::from("title,left out,price\n"),
        part => {
            let numbers = (part - 1) * 500..part * 500;
            let text: String = numbers.map(|row| format!("Song {row},\"x, y\",1.5\n")).collect();
            Bytes::from(text)
        }
    });
    let body = |last: &str| {
        let order = Bytes::from(format!("{order}\n"));
        let all =
            std::iter::once(order).chain(pieces.clone()).chain([Bytes::from(last.to_owned())]);
        Body::from_stream(stream::iter(all.collect::<Vec<_>>()).map(Ok::<_, std::io::Error>))
    };
    let send = async |last: &str| owner.send_body(Method::POST, "/import", body(last), &[]).await;
    let response = send("Song 100000,,many\nSong 7,,1\n").await;
    assert_eq!(refusal(&response), of(422, "rows_refused"), "{}", response.text());
    let row = |row: u64, column: Value, state: &str, message: &str, detail: Value| {
        json!({
            "row": row, "line": row + 1, "column": column, "sqlstate": state,
            "message": message, "detail": detail,
        })
    };
    assert_eq!(
        response.json()["error"]["outcome"],
        json!({
            "imported": 0,
            "truncated": false,
            "refused": [
                row(100_001, json!("price"), "22P02", "invalid input syntax for type numeric: \"many\"", json!(null)),
                row(100_002, json!(null), "23505",
                    "duplicate key value violates unique constraint \"songs_title_key\"",
                    json!("Key (title)=(Song 7) already exists.")),
            ],
        })
    );
    assert_eq!(count(&world).await, "0", "all or nothing");
    let done = send("\n").await;
    assert_eq!(done.status, 200, "{}", done.text());
    assert_eq!(done.json(), json!({"imported": 100_000, "refused": [], "truncated": false}));
    assert_eq!(count(&world).await, "100000");
    let transactions =
        "select count(distinct xmin::text)::text || ' ' || min(price) from public.songs";
    assert!(world.text(transactions).await.unwrap().ends_with(" 1.5"));
    let log = "select string_agg(summary || ' ' || status, '|' order by id) from _console.audit_log
        where path = '/import'";
    assert_eq!(
        world.text(log).await.as_deref(),
        Some(
            "import into public.songs: no row, 2 refused 422|import into public.songs: 100000 rows, 0 refused 200"
        )
    );
}

#[tokio::test]
async fn every_refused_row_is_named() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let file =
        "title,artist,price\na,1,1\n\"b\nc\",9,1\nd,1,-1\n,2,\ne,2,1,f\ng,x,1\nh,2,,\na,1,1\n";
    let mut order = order(&["title", "artist", "price"]);
    let answer = import(&owner, &order, file).await;
    assert_eq!(refusal(&answer), of(422, "rows_refused"));
    let outcome = answer.json()["error"]["outcome"].clone();
    let places: Vec<String> = outcome["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{} {} {} {}", row["row"], row["line"], row["column"], row["sqlstate"]))
        .collect();
    let expected = [
        r#"2 3 null "23503""#,
        r#"3 5 null "23514""#,
        r#"4 6 "title" "23502""#,
        r#"5 7 null "22P04""#,
        r#"6 8 "artist" "22P02""#,
        r#"8 10 null "23505""#,
    ];
    assert_eq!(places, expected);
    assert_eq!(count(&world).await, "0");
    order["skips_refused"] = true.into();
    let answer = import(&owner, &order, file).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["imported"], 2);
    let titles = "select string_agg(title || coalesce(price::text, '-'), ',' order by title) from public.songs";
    assert_eq!(world.text(titles).await.as_deref(), Some("a1,h-"));
}

#[tokio::test]
async fn file_without_a_good_row_is_given_up() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let mut order = order(&["title", "price"]);
    order["skips_refused"] = true.into();
    let file = format!("title,price\nfirst,1\n{}", "x,none\n".repeat(20_000));
    let answer = import(&owner, &order, file).await;
    assert_eq!(refusal(&answer), of(422, "rows_refused"));
    let outcome = &answer.json()["error"]["outcome"];
    assert_eq!(
        (&outcome["truncated"], outcome["refused"].as_array().unwrap().len()),
        (&json!(true), 1_000)
    );
    assert_eq!(count(&world).await, "0");
}

#[tokio::test]
async fn imported_empty_cells_become_null_or_stay_empty() {
    let world = World::with("create table public.songs (title text, note text)").await;
    let owner = world.owner().await;
    let mut order = order(&["title", "note"]);
    order["columns"][0]["keeps_empty"] = true.into();
    let answer = import(&owner, &order, "a,b\n,\\N\n\"x\ty\\\",\n").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let rows = "select string_agg(coalesce(title, 'null') || '|' || coalesce(note, 'null'), ';') from public.songs";
    assert_eq!(world.text(rows).await.as_deref(), Some("|\\N;x\ty\\|null"));
}

#[tokio::test]
async fn invalid_imports_are_refused_without_any_row() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    let file = "title\na\n";
    assert_eq!(refusal(&import(&reader, &order(&["title"]), file).await), of(403, "forbidden"));
    for (name, value) in [
        ("columns", json!([])),
        ("columns", json!([null])),
        ("delimiter", json!("\"")),
        ("delimiter", json!("ab")),
        ("schema", json!("a\0b")),
        ("unknown", json!(1)),
    ] {
        let mut order = order(&["title"]);
        order[name] = value;
        let answer = import(&owner, &order, file).await;
        assert_eq!(refusal(&answer), of(400, "invalid_request"), "{order}");
    }
    let body_of =
        async |body: Vec<u8>| owner.send_body(Method::POST, "/import", Body::from(body), &[]).await;
    assert_eq!(refusal(&body_of(vec![]).await), of(400, "invalid_request"));
    assert_eq!(refusal(&body_of(vec![b' '; 600_000]).await), of(400, "invalid_request"));
    let open = import(&owner, &order(&["title"]), "title\n\"a\n").await;
    assert_eq!(refusal(&open), of(422, "unreadable_file"));
    let mut elsewhere = order(&["title"]);
    elsewhere["table"] = "missing".into();
    let answer = import(&owner, &elsewhere, file).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["error"]["sqlstate"]),
        (400, &json!("42P01"))
    );
    let operators = json!({
        "schema": "_console", "table": "operators", "columns": [{"name": "email"}], "delimiter": ","
    });
    let answer = import(&owner, &operators, "email\nx@example.test\n").await;
    assert_ne!(answer.status, 200, "{}", answer.text());
    let bytes = import(&owner, &order(&["title"]), &b"title\n\xff\n"[..]).await;
    assert_eq!(bytes.json()["error"]["outcome"]["refused"][0]["sqlstate"], "22021");
    assert_eq!(count(&world).await, "0");
}

#[tokio::test]
async fn odd_names_are_names() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let order = json!({
        "schema": "public", "table": "odd \"name", "columns": [{"name": "a, line 1"}], "delimiter": ";"
    });
    let answer = import(&owner, &order, "a\n1\nx\n").await;
    let refusal = &answer.json()["error"]["outcome"]["refused"][0];
    assert_eq!((&refusal["row"], &refusal["column"]), (&json!(2), &json!("a, line 1")));
}

#[tokio::test]
async fn file_that_breaks_off_leaves_nothing() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let order = order(&["title"]);
    let pieces =
        [Ok(Bytes::from(format!("{order}\ntitle\na\nb\n"))), Err(std::io::Error::other("lost"))];
    let body = Body::from_stream(stream::iter(pieces));
    let answer = owner.send_body(Method::POST, "/import", body, &[]).await;
    assert_eq!(refusal(&answer), of(400, "invalid_request"));
    assert_eq!(count(&world).await, "0");
}

#[tokio::test]
async fn import_under_way_is_cancelled_by_its_id() {
    let world = World::with(SONGS).await;
    let owner = world.owner().await;
    let mut order = order(&["title"]);
    let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
    order["id"] = id.into();
    let start =
        stream::iter([Ok::<_, std::io::Error>(Bytes::from(format!("{order}\ntitle\na\n")))]);
    let body = Body::from_stream(start.chain(stream::pending()));
    // A cancellation before the import began is answered like one after it, so it is repeated.
    let cancellations = async {
        loop {
            owner.delete(&format!("/query/{id}")).await;
            tokio::task::yield_now().await;
        }
    };
    let answer = tokio::select! {
        answer = owner.send_body(Method::POST, "/import", body, &[]) => answer,
        () = cancellations => unreachable!("cancellations are repeated until the import ends"),
    };
    assert_eq!(refusal(&answer), of(400, "cancelled"));
    assert_eq!(count(&world).await, "0");
}
