//! Database changes: which subscribers receive which rows, depending on filters, columns,
//! permissions and failures of the replication stream.

use serde_json::{Value, json};

use crate::world::{Client, World};

const TABLES: &str = "
    create table notes (
        id bigint primary key, owner text, body text, price numeric, tags text[], made timestamptz, more jsonb
    );
    create table plain (id int, word text);
    create table left_out (id int primary key);
    grant select on notes, plain to anon, authenticated, service_role;
    alter publication supabase_realtime add table notes, plain;
";

const SECURED: &str = "
    alter table notes enable row level security;
    create policy own on notes for select to authenticated
    using (owner = current_setting('request.jwt.claims', true)::json ->> 'email');
";

async fn world() -> World {
    let world = World::new().await;
    world.sql(TABLES).await;
    world
}

/// A client that subscribed to these bindings, and the system message about them.
async fn listener(world: &World, user: Option<&str>, bindings: Value) -> (Client, Value) {
    let mut client = world.client().await;
    let token = user.map(|name| world.personas.user_token(name, json!({})));
    let payload = json!({"config": {"postgres_changes": bindings}, "access_token": token});
    let (_, reply) = client.try_join("realtime:any", payload).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    let (event, system) = client.event().await;
    assert_eq!((event.as_str(), &system["extension"]), ("system", &json!("postgres_changes")));
    (client, system)
}

/// Like [`listener`], for bindings that the server must accept.
async fn subscribed(world: &World, user: Option<&str>, bindings: Value) -> Client {
    let (client, system) = listener(world, user, bindings).await;
    let expected = json!({
        "message": "Subscribed to PostgreSQL", "status": "ok", "extension": "postgres_changes", "channel": "any",
    });
    assert_eq!(system, expected);
    client
}

async fn change(client: &mut Client) -> Value {
    let (event, payload) = client.event().await;
    assert_eq!(event, "postgres_changes", "{payload}");
    payload
}

/// The ids of the received rows up to this one.
async fn rows_until(client: &mut Client, last: i64) -> Vec<i64> {
    let mut rows = Vec::new();
    while rows.last() != Some(&last) {
        let data = change(client).await["data"].take();
        let row = if data["type"] == "DELETE" { &data["old_record"] } else { &data["record"] };
        rows.push(row["id"].as_i64().expect("an id"));
    }
    rows
}

#[tokio::test]
async fn endless_policy_delays_no_other_subscriber() {
    let world = world().await;
    world
        .sql(
            "create table slow (id int primary key);
            grant select on slow to authenticated;
            alter table slow enable row level security;
            create function never() returns boolean language plpgsql as $$
            begin
                perform pg_sleep(600);
                return true;
            end
            $$;
            create policy never on slow for select to authenticated using (never());
            alter publication supabase_realtime add table slow;",
        )
        .await;
    let binding = |table: &str| json!([{"event": "*", "schema": "public", "table": table}]);
    let mut slow = subscribed(&world, Some("ada"), binding("slow")).await;
    let mut other = subscribed(&world, None, binding("notes")).await;
    world.sql("insert into slow values (1)").await;
    world.sql("insert into notes (id) values (1)").await;
    assert_eq!(change(&mut other).await["data"]["record"]["id"], 1);
    slow.assert_no_message().await;
}

#[tokio::test]
async fn change_is_sent_in_the_contracts_format() {
    let world = world().await;
    let binding = json!({"event": "*", "schema": "public", "table": "notes"});
    let mut client = world.client().await;
    let payload = json!({"config": {"postgres_changes": [binding]}});
    let (_, reply) = client.try_join("realtime:any", payload).await;
    let id = reply["response"]["postgres_changes"][0]["id"].clone();
    client.event().await;
    world
        .sql(
            "insert into notes values (
                9007199254740993, 'ada', null, 1.50, '{a,\"b c\"}', '2024-01-02 03:04:05.678+00', '{\"a\": [1]}'
            )",
        )
        .await;
    let mut message = change(&mut client).await;
    let at = message["data"]["commit_timestamp"].take();
    let at = at.as_str().expect("a time");
    assert_eq!((at.len(), &at[10..11], &at[23..]), (24, "T", "Z"), "{at}");
    let columns = json!([
        {"name": "id", "type": "int8"}, {"name": "owner", "type": "text"}, {"name": "body", "type": "text"},
        {"name": "price", "type": "numeric"}, {"name": "tags", "type": "_text"},
        {"name": "made", "type": "timestamptz"}, {"name": "more", "type": "jsonb"},
    ]);
    let record = json!({
        "id": 9007199254740993i64, "owner": "ada", "body": null, "price": 1.50, "tags": ["a", "b c"],
        "made": "2024-01-02T03:04:05.678+00:00", "more": {"a": [1]},
    });
    let expected = json!({"ids": [id], "data": {
        "schema": "public", "table": "notes", "type": "INSERT", "commit_timestamp": null,
        "columns": columns, "record": record, "errors": null,
    }});
    assert_eq!(message, expected);
    world.sql("update notes set id = 2, owner = 'bob'; delete from notes").await;
    let updated = change(&mut client).await["data"].take();
    assert_eq!((&updated["type"], &updated["record"]["owner"]), (&json!("UPDATE"), &json!("bob")));
    assert_eq!(updated["old_record"], json!({"id": 9007199254740993i64}));
    let deleted = change(&mut client).await["data"].take();
    assert_eq!((&deleted["type"], &deleted["old_record"]), (&json!("DELETE"), &json!({"id": 2})));
    assert_eq!(deleted.get("record"), None);
}

#[tokio::test]
async fn filters_and_events_choose_rows() {
    let world = world().await;
    world.sql("alter table notes replica identity full").await;
    for (binding, expected) in [
        (json!({"event": "INSERT", "filter": "owner=eq.ada"}), vec![1, 3, 9]),
        (json!({"event": "INSERT", "filter": "price=gt.2,owner=not.eq.ada"}), vec![2, 9]),
        (json!({"event": "INSERT", "filter": "price=lte.1.50"}), vec![1, 9]),
        (json!({"event": "INSERT", "filter": "id=in.(2,3)"}), vec![2, 3, 9]),
        (json!({"event": "INSERT", "filter": "body=is.null"}), vec![2, 9]),
        (json!({"event": "INSERT", "filter": "body=like.h%"}), vec![1, 9]),
        (json!({"event": "INSERT", "filter": "body=imatch.^HE"}), vec![1, 9]),
        (json!({"event": "INSERT", "filter": "body=gte.u"}), vec![3, 9]),
        (json!({"event": "INSERT", "filter": "made=gt.2024-01-01T00:00:00+02:00"}), vec![3, 9]),
        (json!({"event": "INSERT", "filter": "owner=isdistinct.ada"}), vec![2, 9]),
        (json!({"event": "UPDATE", "filter": "owner=eq.bob"}), vec![2, 9]),
        (json!({"event": "delete", "filter": "owner=eq.bob"}), vec![2, 9]),
    ] {
        let mut binding = binding;
        binding["schema"] = json!("public");
        binding["table"] = json!("notes");
        // This binding receives the last row of each case.
        let last = json!({"event": "*", "schema": "public", "table": "notes", "filter": "id=eq.9"});
        let mut client = subscribed(&world, None, json!([binding, last])).await;
        world
            .sql(
                "insert into notes (id, owner, body, price, made) values
                    (1, 'ada', 'hello', 1.5, '2023-12-31 21:00:00+00'), (2, 'bob', null, 3, null),
                    (3, 'ada', 'world', null, '2024-01-01 00:00:00+00');
                update notes set price = 2;
                delete from notes;
                insert into notes (id) values (9);
                delete from notes",
            )
            .await;
        assert_eq!(rows_until(&mut client, 9).await, expected, "{binding}");
    }
}

#[tokio::test]
async fn row_security_decides_for_each_subscriber() {
    let world = world().await;
    world.sql(SECURED).await;
    let all = || json!([{"event": "*", "schema": "public", "table": "notes"}]);
    let mut ada = subscribed(&world, Some("ada"), all()).await;
    let mut other_ada = subscribed(&world, Some("ada"), all()).await;
    let mut bob = subscribed(&world, Some("bob"), all()).await;
    let mut anonymous = subscribed(&world, None, all()).await;
    world
        .sql(
            "insert into notes (id, owner) values (1, 'ada@example.test'), (2, 'bob@example.test');
            create function told() returns void language sql as 'select'",
        )
        .await;
    for (client, id) in [(&mut ada, 1), (&mut other_ada, 1), (&mut bob, 2)] {
        assert_eq!(rows_until(client, id).await, [id]);
    }
    // Row security cannot check a deleted row, so every subscriber receives its key and nothing
    // else.
    world.sql("alter table notes replica identity full; delete from notes where id = 1").await;
    for client in [&mut ada, &mut bob, &mut anonymous] {
        let data = change(client).await["data"].take();
        assert_eq!((&data["type"], &data["old_record"]), (&json!("DELETE"), &json!({"id": 1})));
    }
}

#[tokio::test]
async fn policy_without_claims_filters_the_whole_role() {
    let world = world().await;
    world
        .sql(
            "alter table notes enable row level security;
            create policy cheap on notes for select to authenticated using (price < 10)",
        )
        .await;
    let all = || json!([{"event": "INSERT", "schema": "public", "table": "notes"}]);
    let mut ada = subscribed(&world, Some("ada"), all()).await;
    let mut bob = subscribed(&world, Some("bob"), all()).await;
    world.sql("insert into notes (id, price) values (1, 11), (2, 9)").await;
    assert_eq!(rows_until(&mut ada, 2).await, [2]);
    assert_eq!(rows_until(&mut bob, 2).await, [2]);
}

#[tokio::test]
async fn batch_reaches_each_subscriber_in_its_order() {
    let world = world().await;
    let of = |filter: &str, select: Value| json!({"event": "INSERT", "schema": "public", "table": "notes", "filter": filter, "select": select});
    let unmatched = json!([of("owner=eq.odd", json!(null)), of("id=eq.300", json!(null))]);
    let mut unmatched = subscribed(&world, None, unmatched).await;
    // A binding with other columns is sent separately, right after the first.
    let all = json!([of("id=gte.0", json!(["owner"])), of("id=gte.0", json!(["body"]))]);
    let mut all = subscribed(&world, None, all).await;
    world
        .sql(
            "insert into notes (id, owner)
            select n, case n % 2 when 1 then 'odd' else 'even' end from generate_series(1, 300) as n",
        )
        .await;
    let expected: Vec<i64> = (1..300).step_by(2).chain([300]).collect();
    assert_eq!(rows_until(&mut unmatched, 300).await, expected);
    for id in 1..=300 {
        for column in ["owner", "body"] {
            let record = change(&mut all).await["data"]["record"].take();
            assert_eq!(record["id"], id);
            assert!(record.get(column).is_some(), "{record}");
        }
    }
    unmatched.assert_no_message().await;
    all.assert_no_message().await;
}

#[tokio::test]
async fn changes_include_only_readable_selected_columns() {
    let world = world().await;
    world
        .sql("revoke select on notes from anon; grant select (id, owner, price) on notes to anon")
        .await;
    let binding = json!([{
        "event": "*", "schema": "public", "table": "notes", "select": ["owner", "body"],
    }]);
    let mut client = subscribed(&world, None, binding).await;
    world.sql("insert into notes (id, owner, body, price) values (1, 'ada', 'secret', 2)").await;
    let data = change(&mut client).await["data"].take();
    assert_eq!(data["record"], json!({"id": 1, "owner": "ada"}));
    let names: Vec<_> = data["columns"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["id", "owner"]);
    world.sql("revoke select (id) on notes from anon; insert into notes (id) values (2)").await;
    let data = change(&mut client).await["data"].take();
    assert_eq!(data["errors"], json!(["Error 401: Unauthorized"]));
    assert_eq!(data.get("record"), None);
}

#[tokio::test]
async fn filter_reveals_nothing_of_an_unreadable_column() {
    let world = world().await;
    let secret =
        json!({"event": "*", "schema": "public", "table": "notes", "filter": "owner=eq.ada"});
    let last = json!({"event": "*", "schema": "public", "table": "notes", "filter": "id=eq.2"});
    let mut client = subscribed(&world, None, json!([secret, last])).await;
    world.sql("revoke select on notes from anon; grant select (id) on notes to anon").await;
    world.sql("insert into notes (id, owner) values (1, 'ada'), (2, 'ada')").await;
    assert_eq!(rows_until(&mut client, 2).await, [2]);
    let (_, system) = listener(&world, None, json!([secret])).await;
    assert_eq!(system["status"], "error", "{system}");
    let message = system["message"].as_str().unwrap();
    assert!(message.ends_with("invalid column for filter owner"), "{system}");
}

#[tokio::test]
async fn rows_with_a_fixed_length_key_are_sent() {
    let world = world().await;
    world
        .sql(
            "create table codes (id char(3) primary key);
            alter table codes enable row level security;
            create policy everything on codes for select to anon using (true);
            grant select on codes to anon;
            alter publication supabase_realtime add table codes",
        )
        .await;
    let binding = json!([{"event": "INSERT", "schema": "public", "table": "codes"}]);
    let mut client = subscribed(&world, None, binding).await;
    world.sql("insert into codes values ('abc')").await;
    assert_eq!(change(&mut client).await["data"]["record"], json!({"id": "abc"}));
}

#[tokio::test]
async fn large_and_keyless_rows_report_errors() {
    let world = world().await;
    let all = json!([{"event": "*", "schema": "public", "table": "*"}]);
    let mut client = subscribed(&world, None, all).await;
    world.sql("insert into notes (id, owner, body) values (1, 'ada', repeat('x', 1100000))").await;
    let data = change(&mut client).await["data"].take();
    assert_eq!(data["errors"], json!(["Error 413: Payload Too Large"]));
    assert_eq!((&data["record"]["owner"], data["record"].get("body")), (&json!("ada"), None));
    world.sql("insert into plain values (1, 'one')").await;
    let data = change(&mut client).await["data"].take();
    let expected = json!({
        "schema": "public", "table": "plain", "type": "INSERT",
        "errors": ["Error 400: Bad Request, no primary key"],
    });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn invalid_bindings_are_reported_and_change_nothing() {
    let world = world().await;
    let begin = "Unable to subscribe to changes with given parameters";
    let many = "id=eq.1,".repeat(200) + "id=eq.1";
    for (binding, expected) in [
        (json!({"event": "*", "schema": "public", "table": "left_out"}), begin),
        (json!({"event": "*", "schema": "public", "table": "nowhere"}), begin),
        (json!({"event": "*", "schema": "public", "table": "notes", "filter": "no=eq.1"}), begin),
        (json!({"event": "*", "schema": "public", "table": "notes", "filter": "id=eq.x"}), begin),
        (json!({"event": "*", "schema": "public", "table": "notes", "filter": "id=like.x"}), begin),
        (
            json!({"event": "*", "schema": "public", "table": "notes", "filter": "body=match.("}),
            begin,
        ),
        (
            json!({"event": "*", "schema": "public", "table": "notes", "filter": "id=is.true"}),
            begin,
        ),
        (json!({"event": "*", "schema": "public", "table": "notes", "select": ["no"]}), begin),
        (json!({"schema": "public", "table": "notes", "filter": many}), begin),
        (json!({"event": "*"}), "No subscription params provided"),
    ] {
        let (mut client, system) = listener(&world, None, json!([binding])).await;
        assert_eq!(system["status"], "error", "{system}");
        assert!(system["message"].as_str().unwrap().starts_with(expected), "{system}");
        world.sql("insert into notes (id) values (1); delete from notes").await;
        client.assert_no_message().await;
    }
    let mut client = world.client().await;
    let payload = json!({"config": {
        "postgres_changes": [{"event": "*", "schema": "public", "table": "nowhere"}],
        "postgres_changes_options": {"wait": true},
    }});
    let (_, reply) = client.try_join("realtime:any", payload).await;
    assert_eq!(reply["status"], "error");
    assert!(reply["response"]["reason"].as_str().unwrap().contains(begin), "{reply}");
}

#[tokio::test]
async fn tables_come_and_go_while_clients_are_subscribed() {
    let world = world().await;
    let all = json!([{"event": "INSERT", "schema": "public"}]);
    let mut client = subscribed(&world, None, all).await;
    world
        .sql(
            "drop table notes;
            create table later (id int primary key);
            grant select on later to anon;
            alter publication supabase_realtime add table later",
        )
        .await;
    world.sql("insert into later values (5)").await;
    assert_eq!(rows_until(&mut client, 5).await, [5]);
    // The statements of the original's documentation.
    world
        .sql(
            "drop publication if exists supabase_realtime;
            create publication supabase_realtime;
            alter publication supabase_realtime add table later",
        )
        .await;
    world.sql("insert into later values (6)").await;
    assert_eq!(rows_until(&mut client, 6).await, [6]);
    world
        .sql("alter table later add column more text default 'x'; insert into later values (7)")
        .await;
    let data = change(&mut client).await["data"].take();
    assert_eq!(data["record"], json!({"id": 7, "more": "x"}));
}

/// The replication backends of this test's database.
const WALSENDERS: &str = "from pg_stat_replication as r join pg_stat_activity as a using (pid)
    where a.datname = current_database()";

#[tokio::test]
async fn killed_replication_connection_comes_back() {
    let world = world().await;
    let all = json!([{"event": "INSERT", "schema": "public", "table": "notes"}]);
    let mut client = subscribed(&world, None, all).await;
    let mut member = world.client().await;
    member.join("realtime:room", json!({})).await;
    world
        .sql(&format!(
            "select realtime.send('{{\"n\": 1}}', 'said', 'room', false);
            select pg_terminate_backend(a.pid) {WALSENDERS}"
        ))
        .await;
    world.sql("select realtime.send('{\"n\": 2}', 'said', 'room', false)").await;
    for expected in ["error", "ok"] {
        let (event, system) = client.event().await;
        assert_eq!((event.as_str(), &system["status"]), ("system", &json!(expected)), "{system}");
    }
    world.sql("insert into notes (id) values (3)").await;
    world.sql("select realtime.send('{\"n\": 3}', 'said', 'room', false)").await;
    assert_eq!(rows_until(&mut client, 3).await, [3]);
    // Each message arrives once, although the stream was interrupted.
    for expected in 1..=3 {
        assert_eq!(crate::messages::broadcast_payload(&mut member).await["n"], expected);
    }
    member.assert_no_message().await;
}

#[tokio::test]
async fn death_of_a_process_disturbs_no_other() {
    let world = world().await;
    let mut other = world.another().await;
    let binding = json!([{"event": "INSERT", "schema": "public", "table": "notes"}]);
    let mut client = subscribed(&world, None, binding.clone()).await;
    let mut client_of_other = other.client("2.0.0", &world.personas.api_keys().anon).await;
    client_of_other.join("realtime:any", json!({"postgres_changes": binding})).await;
    world.sql("insert into notes (id) values (1)").await;
    assert_eq!(rows_until(&mut client, 1).await, [1]);
    other.kill();
    world.sql("insert into notes (id) values (2)").await;
    assert_eq!(rows_until(&mut client, 2).await, [2]);
}

#[tokio::test]
async fn slot_exists_only_while_clients_are_subscribed() {
    let world = World::with(|config| config.stream_grace = std::time::Duration::ZERO).await;
    world.sql(TABLES).await;
    let slots = async || -> bool {
        let mut connection = world.db.pools().owner.connection().await.unwrap();
        let question = "select exists (
            select from pg_replication_slots where database = current_database() and temporary
        )";
        sqlx::query_scalar(question).fetch_one(&mut *connection).await.unwrap()
    };
    assert!(!slots().await);
    let all = json!([{"event": "*", "schema": "public", "table": "notes"}]);
    let mut client = subscribed(&world, None, all).await;
    assert!(slots().await);
    let reference = client.push(Some("1"), "realtime:any", "phx_leave", json!({})).await;
    assert_eq!(client.message().await[1], json!(reference));
    while slots().await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn type_takes_no_more_rights_than_in_rest() {
    let world = world().await;
    world
        .sql(
            "create schema secret;
            create table secret.users (id int);
            create function public.takes_rights() returns boolean language plpgsql as $$
            begin
                reset role;
                perform from secret.users;
                return true;
            exception
                when others then
                    return false;
            end
            $$;
            create domain public.sly as text check (not public.takes_rights());
            create table public.checked (id int primary key, word public.sly);
            grant select on public.checked to anon;
            alter publication supabase_realtime add table public.checked",
        )
        .await;
    let binding =
        json!({"event": "INSERT", "schema": "public", "table": "checked", "filter": "word=gt.a"});
    let mut client = subscribed(&world, None, json!([binding])).await;
    // The owner's own insert would run the check with the owner's rights, so it happens without the
    // check.
    world
        .sql(
            "alter domain public.sly drop constraint sly_check;
            insert into public.checked values (1, 'b');
            alter domain public.sly add constraint again check (not public.takes_rights()) not valid",
        )
        .await;
    assert_eq!(change(&mut client).await["data"]["record"]["id"], 1);
}

#[tokio::test]
async fn filters_of_types_with_lengths_compare_whole_values() {
    let world = world().await;
    world
        .sql(
            "create table public.lengths (id int primary key, code char(4), bits bit(3), more varbit);
            grant select on public.lengths to anon;
            alter publication supabase_realtime add table public.lengths",
        )
        .await;
    let binding = |filter: &str| json!({"event": "INSERT", "schema": "public", "table": "lengths", "filter": filter});
    let filters = ["code=eq.abc", "code=in.(x,abc)", "bits=eq.101", "bits=gt.100", "more=eq.1011"];
    let mut clients = Vec::new();
    for filter in filters {
        clients.push(subscribed(&world, None, json!([binding(filter)])).await);
    }
    world
        .sql(
            "insert into public.lengths values (1, 'a', B'100', B'1'), (2, 'abc', B'101', B'1011')",
        )
        .await;
    for (client, filter) in clients.iter_mut().zip(filters) {
        assert_eq!(change(client).await["data"]["record"]["id"], 2, "{filter}");
    }
}

#[tokio::test]
async fn change_is_sent_once_while_tokens_change() {
    let world = world().await;
    let mut client = world.client().await;
    let config =
        json!({"postgres_changes": [{"event": "INSERT", "schema": "public", "table": "notes"}]});
    let join_ref = client.join("realtime:any", config).await;
    assert_eq!(client.event().await.0, "system");
    let owner = world.db.pools().owner.clone();
    let inserting = tokio::spawn(async move {
        let mut connection = owner.connection().await.unwrap();
        for id in 1..=300i64 {
            let insert = sqlx::query("insert into notes (id) values ($1)").bind(id);
            insert.execute(&mut *connection).await.unwrap();
        }
    });
    let mut ids = Vec::new();
    while ids.len() < 300 {
        if ids.len() % 10 == 0 {
            let token = world.personas.user_token(&format!("person {}", ids.len()), json!({}));
            let payload = json!({"access_token": token});
            client.push(Some(&join_ref), "realtime:any", "access_token", payload).await;
        }
        ids.push(change(&mut client).await["data"]["record"]["id"].as_i64().expect("an id"));
    }
    inserting.await.unwrap();
    assert_eq!(ids, (1..=300).collect::<Vec<i64>>());
    client.assert_no_message().await;
}

#[tokio::test]
async fn join_without_config_subscribes_to_the_topics_table() {
    let world = world().await;
    let mut client = world.client().await;
    for (topic, payload) in
        [("realtime:public:notes:id=eq.2", json!({})), ("realtime:room:1", json!({}))]
    {
        let (_, reply) = client.try_join(topic, payload).await;
        assert_eq!(reply, json!({"status": "ok", "response": {"postgres_changes": []}}));
    }
    world.sql("insert into notes (id) values (1), (2)").await;
    let (event, data) = client.event().await;
    assert_eq!((event.as_str(), &data["record"]["id"]), ("INSERT", &json!(2)));
    assert_eq!((&data["type"], &data["table"]), (&json!("INSERT"), &json!("notes")));
    client.assert_no_message().await;
    assert_eq!(world.one.state.counts().changes, 1);
}

#[tokio::test]
async fn composites_and_ranges_match_to_jsonb() {
    let world = world().await;
    world
        .sql(
            "create domain public.amount as numeric check (value > 0);
            create type public.price as (amount public.amount, currency text, since timestamptz);
            create table public.goods (
                id int primary key, one public.price, more public.price[], span int4range
            );
            grant select on public.goods to anon;
            alter publication supabase_realtime add table public.goods",
        )
        .await;
    let binding = json!({"event": "INSERT", "schema": "public", "table": "goods"});
    let mut client = subscribed(&world, None, json!([binding])).await;
    let mut connection = world.db.pools().owner.connection().await.unwrap();
    let insert = r#"insert into public.goods values (
            1, row(1.50, 'EUR, "old"', '2024-01-02 03:04:05.678+00'),
            array[row(2, null, null), null]::public.price[], '[1,5)'
        )
        returning to_jsonb(goods)::text"#;
    let json_text: String = sqlx::query_scalar(insert).fetch_one(&mut *connection).await.unwrap();
    let json_text: Value = serde_json::from_str(&json_text).unwrap();
    assert_eq!(change(&mut client).await["data"]["record"], json_text);
}
