//! Requests that run as a caller.

mod lost_connections;
mod relay;
mod transaction;

use compat_pg::{ActingConfig, ActingDb, Identity, Isolation, TransactionOptions};
use compat_testkit::TestDatabase;

use crate::world::{acting, identity, script, statement, text, texts, value};

const NOTES: &str = "
    create table public.notes (id int primary key, owner uuid, body text);
    alter table public.notes enable row level security;
    grant select, insert on public.notes to anon, authenticated, service_role;
    create policy \"people read their own notes\" on public.notes for select
      using (owner = (select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid);
    create policy \"anyone writes\" on public.notes for insert with check (true);
    insert into public.notes values
      (1, '00000000-0000-4000-8000-00000000000a', 'of ada'),
      (2, '00000000-0000-4000-8000-00000000000b', 'of bob');";

const ADA: &str = r#"{"role":"authenticated","sub":"00000000-0000-4000-8000-00000000000a"}"#;
const BOB: &str = r#"{"role":"authenticated","sub":"00000000-0000-4000-8000-00000000000b"}"#;
const READ: &str = "select coalesce(string_agg(body, ', ' order by id), '') from public.notes";

async fn notes() -> TestDatabase {
    let db = TestDatabase::empty().await;
    script(&db.pools().owner, NOTES).await;
    db
}

fn person(claims_json: &str) -> Identity<'_> {
    Identity { claims_json, ..identity("authenticated") }
}

async fn count_notes(db: &TestDatabase) -> i64 {
    value(&db.pools().owner, "select count(*) from public.notes").await
}

#[tokio::test]
async fn statement_runs_with_role_claims_and_request_context() {
    let db = TestDatabase::empty().await;
    let caller = Identity {
        role: "authenticated",
        claims_json: ADA,
        method: "POST",
        path: "/rpc/hello",
        headers_json: r#"{"accept":"*/*"}"#,
        cookies_json: r#"{"a":"b"}"#,
        search_path: "\"public\", \"extensions\"",
        read_only: false,
        commit: true,
        client: None,
        extra: &[("app.settings.colour", "green"), ("statement_timeout", "1234ms")],
    };
    let sql = "select current_user::text, session_user::text,
        current_setting('request.jwt.claims'), current_setting('request.method'),
        current_setting('request.path'), current_setting('request.headers'),
        current_setting('request.cookies'), current_setting('search_path'),
        current_setting('app.settings.colour'), current_setting('statement_timeout')";
    for _ in 0..2 {
        let rows = db.pools().acting.run(&caller, statement(sql, &[])).await.unwrap();
        let expected = [
            "authenticated",
            "authenticator",
            ADA,
            "POST",
            "/rpc/hello",
            r#"{"accept":"*/*"}"#,
            r#"{"a":"b"}"#,
            "\"public\", \"extensions\"",
            "green",
            "1234ms",
        ];
        assert_eq!(texts(&rows), [expected.map(|text| Some(text.to_owned())).to_vec()]);
    }
}

#[tokio::test]
async fn row_security_applies_to_callers_on_one_connection() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    for _ in 0..3 {
        let of = async |caller| text(&acting.run(&caller, statement(READ, &[])).await.unwrap());
        assert_eq!(of(person(ADA)).await, "of ada");
        assert_eq!(of(identity("anon")).await, "");
        assert_eq!(of(person(BOB)).await, "of bob");
        assert_eq!(of(identity("service_role")).await, "of ada, of bob");
    }
}

#[tokio::test]
async fn nothing_of_a_caller_stays_on_the_connection() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    acting.run(&person(ADA), statement(READ, &[])).await.unwrap();
    let left = "select current_user::text, current_setting('request.jwt.claims', true),
        current_setting('search_path')";
    let rows = acting.query_raw(left, &[]).await.unwrap();
    let expected = ["authenticator", "", "\"$user\", public"];
    assert_eq!(texts(&rows), [expected.map(|text| Some(text.to_owned())).to_vec()]);
}

#[tokio::test]
async fn login_itself_may_do_nothing() {
    let db = notes().await;
    let refusal = db.pools().acting.query_raw(READ, &[]).await.unwrap_err();
    assert_eq!(refusal.code(), Some("42501"));
}

#[tokio::test]
async fn failed_statement_keeps_error_details_and_connection() {
    let db = TestDatabase::empty().await;
    let table = "create table public.plain (id int primary key);
        grant insert, select on public.plain to anon; insert into public.plain values (1)";
    script(&db.pools().owner, table).await;
    let acting = acting(&db, |_| {});
    let insert = "insert into public.plain values ($1)";
    for _ in 0..2 {
        let again = statement(insert, &[Some("1")]);
        let refusal = acting.run(&identity("anon"), again).await.unwrap_err();
        assert_eq!(refusal.code(), Some("23505"));
        assert_eq!(refusal.constraint(), Some("plain_pkey"));
        assert_eq!(refusal.detail(), Some("Key (id)=(1) already exists."));
        assert_eq!(
            refusal.message(),
            Some("duplicate key value violates unique constraint \"plain_pkey\"")
        );
    }
    let misspelt = acting.run(&identity("anon"), statement("selct 1", &[])).await.unwrap_err();
    assert_eq!(misspelt.code(), Some("42601"));
    acting.run(&identity("anon"), statement(insert, &[Some("3")])).await.unwrap();
    let rows: i64 = value(&db.pools().owner, "select count(*) from public.plain").await;
    assert_eq!(rows, 2);
    assert_eq!(acting.status().open, 1, "the connection was kept");
}

#[tokio::test]
async fn deferred_constraint_violation_fails_the_request() {
    let db = notes().await;
    let deferred = "alter table public.notes add constraint late unique (body)
        deferrable initially deferred";
    script(&db.pools().owner, deferred).await;
    let insert = "insert into public.notes values (9, null, 'of ada')";
    for _ in 0..2 {
        let outcome = db.pools().acting.run(&identity("anon"), statement(insert, &[])).await;
        assert_eq!(outcome.unwrap_err().constraint(), Some("late"));
    }
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn uncommitted_request_returns_rows_and_rolls_back() {
    let db = notes().await;
    let caller = Identity { commit: false, ..identity("anon") };
    let insert = "insert into public.notes values (9, null, 'x') returning 'done'";
    for _ in 0..2 {
        let rows = db.pools().acting.run(&caller, statement(insert, &[])).await.unwrap();
        assert_eq!(text(&rows), "done");
    }
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn read_only_caller_cannot_write() {
    let db = notes().await;
    let caller = Identity { read_only: true, ..identity("anon") };
    let insert = "insert into public.notes values (9, null, 'x')";
    for _ in 0..2 {
        let outcome = db.pools().acting.run(&caller, statement(insert, &[])).await;
        assert_eq!(outcome.unwrap_err().code(), Some("25006"));
    }
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn role_that_does_not_exist_runs_nothing() {
    let db = notes().await;
    script(&db.pools().owner, "grant insert on public.notes to public").await;
    let acting = acting(&db, |_| {});
    let insert = statement("insert into public.notes values (9, null, 'x')", &[]);
    acting.run(&Identity { commit: false, ..identity("anon") }, insert).await.unwrap();
    for role in ["nobody_at_all", "none", "", "postgres", "supabase_auth_admin"] {
        for _ in 0..2 {
            let refusal = acting.run(&identity(role), insert).await.unwrap_err();
            assert!(matches!(refusal.code(), Some("22023" | "42501")), "{role}: {refusal}");
        }
    }
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn statement_is_prepared_with_the_callers_own_rights() {
    let db = TestDatabase::empty().await;
    let api = "create schema api; grant usage on schema api to anon;
        create table api.things (name text); grant select on api.things to anon, authenticated;
        insert into api.things values ('here')";
    script(&db.pools().owner, api).await;
    let caller = |role| Identity { search_path: "api", ..identity(role) };
    let read = statement("select name from things", &[]);
    let acting = acting(&db, |_| {});
    for _ in 0..2 {
        let refusal = acting.run(&caller("authenticated"), read).await.unwrap_err();
        assert_eq!(refusal.code(), Some("42P01"), "a schema one may not use hides its tables");
        assert_eq!(text(&acting.run(&caller("anon"), read).await.unwrap()), "here");
    }
}

#[tokio::test]
async fn text_reaches_parameters_of_every_type() {
    let db = TestDatabase::empty().await;
    let types = "create type public.mood as enum ('glad', 'sad');
        create domain public.positive as int check (value > 0);
        grant usage on type public.mood, public.positive to anon";
    script(&db.pools().owner, types).await;
    let sql = "select ($1::int + 1)::text, ($2::int[])[2]::text, ($3::jsonb ->> 'a'),
        ($4::timestamptz at time zone 'utc')::text, ($5::public.mood)::text,
        ($6::public.positive + 1)::text, ($7::uuid)::text, $8::text, ($9::bool)::text";
    let params = [
        Some("41"),
        Some("{1,2,3}"),
        Some(r#"{"a":"é"}"#),
        Some("2026-01-02T03:04:05+00:00"),
        Some("glad"),
        Some("6"),
        Some("00000000-0000-4000-8000-00000000000a"),
        None,
        Some("t"),
    ];
    let expected = [
        Some("42"),
        Some("2"),
        Some("é"),
        Some("2026-01-02 03:04:05"),
        Some("glad"),
        Some("7"),
        Some("00000000-0000-4000-8000-00000000000a"),
        None,
        Some("true"),
    ];
    for prepared_statements in [true, false] {
        let acting = acting(&db, |config| config.prepared_statements = prepared_statements);
        for _ in 0..2 {
            let rows = acting.run(&identity("anon"), statement(sql, &params)).await.unwrap();
            assert_eq!(texts(&rows), [expected.map(|text| text.map(str::to_owned)).to_vec()]);
        }
    }
}

#[tokio::test]
async fn wrong_number_of_parameters_is_refused_without_harm() {
    let db = TestDatabase::empty().await;
    for prepared_statements in [true, false] {
        let acting = acting(&db, |config| config.prepared_statements = prepared_statements);
        for _ in 0..2 {
            let two = statement("select $1::text", &[Some("a"), Some("b")]);
            acting.run(&identity("anon"), two).await.unwrap_err();
            let one = statement("select $1::text", &[Some("a")]);
            assert_eq!(text(&acting.run(&identity("anon"), one).await.unwrap()), "a");
        }
    }
}

#[tokio::test]
async fn pre_request_procedure_sets_values_or_refuses() {
    let db = TestDatabase::empty().await;
    let before = "create function public.check_request() returns void language plpgsql as $$
        begin
          if current_setting('request.path') = '/closed' then
            raise sqlstate 'PT403' using message = 'closed';
          end if;
          perform set_config('app.checked', current_user, true);
          set local role authenticated;
        end $$;
        create schema members; grant usage on schema members to authenticated;
        create function members.name() returns text language sql as $$ select current_user::text $$";
    script(&db.pools().owner, before).await;
    for prepared_statements in [true, false] {
        let acting = acting(&db, |config| config.prepared_statements = prepared_statements);
        let options = TransactionOptions {
            before: Some("select public.check_request()"),
            ..TransactionOptions::default()
        };
        let checked = statement("select current_setting('app.checked', true)", &[]);
        for _ in 0..2 {
            let rows = acting.run_in(&options, &identity("anon"), checked).await.unwrap();
            assert_eq!(text(&rows), "anon");
            let raised = statement("select members.name()", &[]);
            let rows = acting.run_in(&options, &identity("anon"), raised).await.unwrap();
            assert_eq!(text(&rows), "authenticated", "the procedure decides the role");
            let closed = Identity { path: "/closed", ..identity("anon") };
            let refusal = acting.run_in(&options, &closed, checked).await.unwrap_err();
            assert_eq!((refusal.code(), refusal.message()), (Some("PT403"), Some("closed")));
        }
    }
}

#[test]
fn callers_secrets_are_not_printed() {
    let caller = Identity { claims_json: "secret", headers_json: "secret", ..identity("anon") };
    let debug_text = format!("{caller:?} {:?}", statement("select $1", &[Some("secret")]));
    assert!(!debug_text.contains("secret"), "{debug_text}");
    assert!(debug_text.contains("anon") && debug_text.contains("select $1"), "{debug_text}");
}

#[tokio::test]
async fn isolation_level_is_the_one_asked_for() {
    let db = TestDatabase::empty().await;
    let acting = acting(&db, |_| {});
    let statements = [
        (Isolation::Default, "read committed"),
        (Isolation::ReadCommitted, "read committed"),
        (Isolation::RepeatableRead, "repeatable read"),
        (Isolation::Serializable, "serializable"),
    ];
    for (isolation, name) in statements {
        for read_only in [false, true] {
            let options = TransactionOptions { isolation, ..TransactionOptions::default() };
            let caller = Identity { read_only, ..identity("anon") };
            let sql = "select current_setting('transaction_isolation'),
                current_setting('transaction_read_only')";
            let rows = acting.run_in(&options, &caller, statement(sql, &[])).await.unwrap();
            let expected = [name, if read_only { "on" } else { "off" }];
            assert_eq!(texts(&rows), [expected.map(|text| Some(text.to_owned())).to_vec()]);
        }
    }
}

#[tokio::test]
async fn prepared_statement_survives_table_shape_changes() {
    let db = TestDatabase::empty().await;
    let table = "create table public.shapes (a text); grant select on public.shapes to anon;
        insert into public.shapes values ('one')";
    script(&db.pools().owner, table).await;
    let acting = acting(&db, |_| {});
    let read = statement("select * from public.shapes where a = $1", &[Some("one")]);
    let columns = async || acting.run(&identity("anon"), read).await.unwrap()[0].len();
    assert_eq!(columns().await, 1);
    assert_eq!(columns().await, 1);
    script(&db.pools().owner, "alter table public.shapes add column b text").await;
    assert_eq!(columns().await, 2);
    script(&db.pools().owner, "alter table public.shapes drop column b").await;
    assert_eq!(columns().await, 1);
}

#[tokio::test]
async fn forgotten_statements_are_prepared_anew_with_new_types() {
    let db = TestDatabase::empty().await;
    let table = "create table public.things (a int); grant select on public.things to anon;
        insert into public.things values (1)";
    script(&db.pools().owner, table).await;
    let acting = acting(&db, |_| {});
    let read = statement("select a::text from public.things where a = $1", &[Some("1")]);
    assert_eq!(text(&acting.run(&identity("anon"), read).await.unwrap()), "1");
    script(&db.pools().owner, "alter table public.things alter column a type text").await;
    let stale = acting.run(&identity("anon"), read).await;
    assert_eq!(stale.unwrap_err().code(), Some("42883"), "the parameter is still a number");
    acting.forget_statements();
    assert_eq!(text(&acting.run(&identity("anon"), read).await.unwrap()), "1");
}

#[tokio::test]
async fn connection_recovers_from_deallocated_statements() {
    let db = notes().await;
    let failing_function = "create function public.wreck() returns void language plpgsql as $$
        begin execute 'deallocate all'; end $$";
    script(&db.pools().owner, failing_function).await;
    let acting = acting(&db, |_| {});
    let read = statement(READ, &[]);
    assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
    let outcome = acting.run(&identity("anon"), statement("select public.wreck()", &[])).await;
    // The request that deallocates the statements may fail itself, at its own commit.
    assert!(outcome.err().is_none_or(|error| error.code() == Some("26000")));
    assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
    assert_eq!(text(&acting.run(&person(BOB), read).await.unwrap()), "of bob");
}

#[tokio::test]
async fn prepared_statements_per_connection_are_limited() {
    let db = TestDatabase::empty().await;
    let acting = acting(&db, |config| config.statement_cache = 8);
    for number in 0..40 {
        let sql = format!("select '{number}'");
        assert_eq!(
            text(&acting.run(&identity("anon"), statement(&sql, &[])).await.unwrap()),
            number.to_string()
        );
    }
    let prepared = acting.query_raw("select count(*)::text from pg_prepared_statements", &[]).await;
    assert_eq!(text(&prepared.unwrap()), "9", "eight, and the settings before every statement");
}

#[tokio::test]
async fn without_prepared_statements_nothing_stays_in_the_session() {
    let db = notes().await;
    let acting = acting(&db, |config| config.prepared_statements = false);
    let read = statement(READ, &[]);
    assert_eq!(text(&acting.run(&person(ADA), read).await.unwrap()), "of ada");
    assert_eq!(text(&acting.run(&person(BOB), read).await.unwrap()), "of bob");
    let wrong = acting.run(&person(ADA), statement("select 1/0", &[])).await.unwrap_err();
    assert_eq!(wrong.code(), Some("22012"));
    let prepared = acting.query_raw("select count(*)::text from pg_prepared_statements", &[]).await;
    assert_eq!(text(&prepared.unwrap()), "0");
}

#[tokio::test]
async fn owner_login_assumes_the_authenticator_role() {
    let db = notes().await;
    let acting =
        ActingDb::new(&db.owner_url(), Some("authenticator"), &ActingConfig::default()).unwrap();
    assert_eq!(text(&acting.run(&person(ADA), statement(READ, &[])).await.unwrap()), "of ada");
    let rows = acting.query_raw("select current_user::text", &[]).await.unwrap();
    assert_eq!(text(&rows), "authenticator");
    // The login may assume these roles, but a caller may not.
    for role in ["postgres", "supabase_auth_admin", "none", "nobody_at_all", "pg_monitor", ""] {
        for _ in 0..2 {
            let current_user = statement("select current_user::text", &[]);
            let refusal = acting.run(&identity(role), current_user).await.unwrap_err();
            assert!(matches!(refusal.code(), Some("22023" | "42704")), "{role}: {refusal}");
        }
    }
}
