//! Operators' SQL.

use std::time::Duration;

use compat_testkit::TestResponse;
use serde_json::{Value, json};

use crate::world::{Browser, World, of, refusal};

const THINGS: &str = "
    create table public.things (id int primary key, name text, tags text[], data jsonb, price numeric);
    insert into public.things values (1, 'one', '{a,\"b c\"}', '{\"a\": [1]}', 1.10), (2, null, null, null, null);
    create function public.add_thing() returns int language sql as
        'insert into public.things (id) values (9) returning id';
    create procedure public.commit_and_add() language plpgsql as
        'begin commit; insert into public.things (id) values (10); end'";

#[tokio::test]
async fn results_have_columns_types_and_values() {
    let world = World::with(THINGS).await;
    let owner = world.owner().await;
    let mut answer = owner.query("select *, id > 1 as is_later from public.things").await.json();
    assert!(answer["duration_ms"].as_f64().is_some());
    answer.as_object_mut().unwrap().remove("duration_ms");
    let column = |name: &str, kind: &str| json!({"name": name, "type": kind});
    assert_eq!(
        answer,
        json!({
            "columns": [
                column("id", "integer"), column("name", "text"), column("tags", "text[]"),
                column("data", "jsonb"), column("price", "numeric"), column("is_later", "boolean")
            ],
            "rows": [
                [1, "one", "{a,\"b c\"}", {"a": [1]}, "1.10", false],
                [2, null, null, null, null, true]
            ],
            "row_count": 2,
            "truncated": false,
            "command": "SELECT",
        })
    );
}

#[tokio::test]
async fn several_statements_give_a_result_each() {
    let world = World::with(THINGS).await;
    let owner = world.owner().await;
    let text = "insert into public.things (id) values (3), (4); -- two\n select count(*) from public.things";
    let answer = owner.query(text).await.json();
    assert_eq!(answer["rows"], json!([[4]]));
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!((&results[0]["command"], &results[0]["row_count"]), (&json!("INSERT"), &json!(2)));
    let text = "insert into public.things (id) values (5); select 1/0";
    assert_eq!(owner.query(text).await.json()["error"]["sqlstate"], "22012");
    let count = world.text("select count(*)::text from public.things").await;
    assert_eq!(count.as_deref(), Some("4"), "all or nothing");
}

#[tokio::test]
async fn database_errors_include_sqlstate_and_position() {
    let world = World::new().await;
    let owner = world.owner().await;
    let answer = owner.query("select 'é'; select nothing").await;
    assert_eq!(answer.status, 400);
    let error = &answer.json()["error"];
    assert_eq!(error["code"], "database_error");
    assert_eq!(error["sqlstate"], "42703");
    assert_eq!(error["position"], 20);
    assert_eq!(refusal(&owner.query(" -- nothing\n").await), of(400, "empty_query"));
    let copy = owner.query("copy (select 1) to stdout").await;
    assert_eq!(refusal(&copy), of(400, "copy_not_supported"));
    let open = owner.query("begin; create temporary table scratch (id int)").await;
    assert_eq!(refusal(&open), of(400, "transaction_open"));
}

#[tokio::test]
async fn rows_beyond_the_limit_are_left_out() {
    let world = World::new().await;
    let owner = world.owner().await;
    let body = json!({"query": "select generate_series(1, 1000000)", "max_rows": 3});
    let answer = owner.post("/query", body).await.json();
    assert_eq!((&answer["rows"], &answer["truncated"]), (&json!([[1], [2], [3]]), &json!(true)));
    let all = owner.query("select generate_series(1, 1000)").await.json();
    assert_eq!((all["rows"].as_array().unwrap().len(), &all["truncated"]), (1000, &json!(false)));
    let large = owner.query("select repeat('x', 40000000)").await;
    assert_eq!(refusal(&large), of(400, "result_too_large"));
}

#[tokio::test]
async fn parameters_are_for_one_statement() {
    let world = World::new().await;
    let owner = world.owner().await;
    let body = json!({"query": "select $1::int + 1 as n, $2::text", "parameters": [41, null]});
    assert_eq!(owner.post("/query", body).await.json()["rows"], json!([[42, null]]));
    let body = json!({"query": "select $1::int; select 2", "parameters": [1]});
    assert_eq!(refusal(&owner.post("/query", body).await), of(400, "invalid_parameters"));
}

/// Texts that would write, each in another way.
const WRITES: [&str; 13] = [
    "insert into public.things (id) values (3)",
    "select public.add_thing()",
    "set transaction read write; select public.add_thing()",
    "set transaction_read_only = off; select public.add_thing()",
    "commit; insert into public.things (id) values (3)",
    "rollback; insert into public.things (id) values (3)",
    "end; begin; insert into public.things (id) values (3); commit",
    "select 1; /* x */ CoMMit and chain; select public.add_thing()",
    "call public.commit_and_add()",
    "do $$ begin perform public.add_thing(); end $$",
    "do $$ begin commit; perform public.add_thing(); end $$",
    "set session characteristics as transaction read write; commit; select public.add_thing()",
    "with added as (insert into public.things (id) values (3) returning id) select * from added",
];

async fn try_writes(world: &World, browser: &Browser<'_>, is_read_only: bool) {
    for text in WRITES {
        for method in [text.to_owned(), format!("select 1; {text}")] {
            let answer =
                browser.post("/query", json!({"query": method, "read_only": is_read_only})).await;
            assert_eq!(answer.status, 400, "{method}: {}", answer.text());
        }
    }
    let count = world.text("select count(*)::text from public.things").await;
    assert_eq!(count.as_deref(), Some("2"));
}

#[tokio::test]
async fn reader_writes_by_no_statement() {
    let world = World::with(THINGS).await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    try_writes(&world, &reader, false).await;
    let rows = reader.query("select count(*) from public.things").await.json();
    assert_eq!(rows["rows"], json!([[2]]));
    let signal =
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'console_writer'";
    let ended = reader.query(signal).await.json();
    assert!(ended["rows"].as_array().is_none_or(Vec::is_empty), "{ended}");
}

#[tokio::test]
async fn owner_who_reads_only_writes_by_no_statement() {
    let world = World::with(THINGS).await;
    let owner = world.owner().await;
    try_writes(&world, &owner, true).await;
    assert_eq!(owner.query("select public.add_thing()").await.json()["rows"], json!([[9]]));
}

#[tokio::test]
async fn statement_that_never_ends_is_stopped_in_time() {
    let world = World::new().await;
    let owner = world.owner().await;
    let body = json!({"query": "select pg_sleep(600)", "timeout_ms": 200});
    assert_eq!(refusal(&owner.post("/query", body).await), of(400, "timeout"));
    until_idle(&world).await;
}

#[tokio::test]
async fn statement_is_cancelled_by_its_id() {
    let world = World::new().await;
    let owner = world.owner().await;
    let reader = world.invited(&owner, "read_only", "cy@example.test").await;
    let id = "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a";
    let path = format!("/query/{id}");
    assert_eq!(owner.delete(&path).await.status, 204, "none runs yet");
    let body = json!({"query": "select pg_sleep(600)", "id": id, "timeout_ms": 600_000});
    let cancelling = async {
        // Waits until the statement runs.
        let question =
            "select count(*)::text from pg_stat_activity where query = 'select pg_sleep(600)'
            and state = 'active' and datname = current_database()";
        while world.text(question).await.as_deref() != Some("1") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let again = owner.post("/query", body.clone()).await;
        assert_eq!(refusal(&again), of(409, "already_running"));
        assert_eq!(reader.delete(&path).await.status, 204);
        let still = owner.post("/query", body.clone()).await;
        assert_eq!(refusal(&still), of(409, "already_running"), "it was not theirs to end");
        owner.delete(&path).await
    };
    let (answer, cancelled): (TestResponse, TestResponse) =
        tokio::join!(owner.post("/query", body.clone()), cancelling);
    assert_eq!(cancelled.status, 204);
    assert_eq!(refusal(&answer), of(400, "cancelled"));
    until_idle(&world).await;
}

#[tokio::test]
async fn abandoned_query_is_cancelled_and_audited() {
    let world = World::new().await;
    let owner = world.owner().await;
    let body = json!({"query": "select pg_sleep(601)", "timeout_ms": 600_000});
    let running = "select count(*)::text from pg_stat_activity where query = 'select pg_sleep(601)'
        and state = 'active' and datname = current_database()";
    let leaving = async {
        while world.text(running).await.as_deref() != Some("1") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        answer = owner.post("/query", body) => panic!("{}", answer.text()),
        () = leaving => {}
    }
    until_idle(&world).await;
    let entry =
        "select max(status)::text from _console.audit_log where summary like '%pg_sleep(601)%'";
    while world.text(entry).await.as_deref() != Some("400") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the server runs no statement.
async fn until_idle(world: &World) {
    let question = "select count(*)::text from pg_stat_activity
        where query like 'select pg_sleep%' and datname = current_database()";
    while world.text(question).await.as_deref() != Some("0") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn overview_shows_the_hour_and_the_database() {
    let world = World::new().await;
    let owner = world.owner().await;
    let overview = owner.get("/overview").await.json();
    assert_eq!(overview["services"], json!([{"name": "rest", "status": "up"}]));
    assert!(overview["database"]["size_bytes"].as_i64().unwrap() > 0);
    let requests = overview["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 60);
    let counts = |at: usize| {
        ["requests", "client_errors", "server_errors"]
            .map(|name| requests[at][name].as_u64().unwrap())
    };
    assert_eq!((counts(0), counts(59)), ([9, 3, 1], [0, 0, 0]));
    assert_eq!(overview["slow_statements_available"], Value::from(false));
    assert_eq!(overview["last_backup"], Value::Null);
}
