//! A project's database, whose schema `public` belongs to the project.

use std::time::Duration;

use compat_pg::{
    Notification, PgError, ProjectFile, ProjectLedger, SchemaChange, Subscription, own_schemas,
    prepare_project,
};
use compat_testkit::TestDatabase;
use futures_util::StreamExt;

use crate::world::{script, value};

/// The privileges of the three API roles on the objects of [`MAKE`].
const RIGHTS: &str = "
    select array(
        select pg_get_userbyid(grantee) || ' ' || kind || ' '
            || string_agg(privilege_type, ' ' order by privilege_type)
        from (
            select 'table' as kind, relacl as acl from pg_class where relname = 'things'
            union all
            select 'sequence', relacl from pg_class where relname = 'numbers'
            union all
            select 'function', proacl from pg_proc where proname = 'hello'
        ) as made, aclexplode(acl)
        where pg_get_userbyid(grantee) in ('anon', 'authenticated', 'service_role')
        group by grantee, kind
        order by 1)";

const MAKE: &str = "create table public.things (id int);
    create sequence public.numbers;
    create function public.hello() returns text language sql as $$ select 'hello' $$;";

#[tokio::test]
async fn api_roles_are_granted_new_objects_in_public() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    assert!(!prepare_project(owner).await.unwrap().is_empty());
    assert!(prepare_project(owner).await.unwrap().is_empty(), "once is enough");
    script(owner, MAKE).await;
    let rights: Vec<String> = value(owner, RIGHTS).await;
    let table = "DELETE INSERT REFERENCES SELECT TRIGGER TRUNCATE UPDATE";
    for role in ["anon", "authenticated", "service_role"] {
        for expected in [
            format!("{role} function EXECUTE"),
            format!("{role} sequence SELECT UPDATE USAGE"),
            format!("{role} table {table}"),
        ] {
            // PostgreSQL 17 and later also have the privilege MAINTAIN.
            let is_expected = |right: &String| right.replace("MAINTAIN ", "") == expected;
            assert!(rights.iter().any(is_expected), "{expected}: {rights:?}");
        }
    }
    script(owner, "create schema other; create table other.things (id int)").await;
    let elsewhere = "select has_table_privilege('service_role', 'other.things', 'select')";
    assert!(!value::<bool>(owner, elsewhere).await);
}

#[tokio::test]
async fn revoked_default_privileges_are_not_granted_again() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    let back = "alter default privileges in schema public revoke all on tables from anon";
    script(owner, back).await;
    prepare_project(owner).await.unwrap();
    script(owner, MAKE).await;
    let may = "select array[has_table_privilege('anon', 'public.things', 'select'),
        has_table_privilege('authenticated', 'public.things', 'select')]";
    assert_eq!(value::<Vec<bool>>(owner, may).await, [false, true]);
}

#[tokio::test]
async fn concurrent_preparations_change_the_project_once() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let (one, other) = tokio::join!(prepare_project(owner), prepare_project(owner));
    assert_ne!(one.unwrap().is_empty(), other.unwrap().is_empty(), "one of them did it");
}

async fn next(subscription: &mut Subscription) -> Notification {
    tokio::time::timeout(Duration::from_secs(20), subscription.next()).await.unwrap().unwrap()
}

#[tokio::test]
async fn schema_changes_are_notified() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    let mut subscription = owner.listener().subscribe("pgrst");
    assert_eq!(next(&mut subscription).await, Notification::Listening);
    let payloads = [
        "create table public.things (id int)",
        "alter table public.things add column name text",
        "comment on table public.things is 'things'",
        "create view public.names as select name from public.things",
        "create function public.hello() returns text language sql as 'select 1::text'",
        "create type public.mood as enum ('glad')",
        "drop function public.hello()",
        "drop view public.names",
        "drop table public.things",
        "create schema other",
        "drop schema other",
    ];
    let other_changes = [
        "create temporary table here (id int); drop table here",
        "create table auth.hidden (id int)",
        "drop table auth.hidden",
        "create role nobody_hears_of; drop role nobody_hears_of",
    ];
    script(owner, "create schema auth; notify pgrst, 'begin'").await;
    assert_eq!(
        next(&mut subscription).await,
        payload("reload schema"),
        "any schema may be exposed"
    );
    assert_eq!(next(&mut subscription).await, payload("begin"));
    for text in other_changes {
        script(owner, &format!("{text}; notify pgrst, 'quiet'")).await;
        assert_eq!(next(&mut subscription).await, payload("quiet"), "{text}");
    }
    for text in payloads {
        script(owner, &format!("{text}; notify pgrst, 'told'")).await;
        assert_eq!(next(&mut subscription).await, payload("reload schema"), "{text}");
        assert_eq!(next(&mut subscription).await, payload("told"), "{text}");
    }
}

fn payload(text: &str) -> Notification {
    Notification::Payload(text.to_owned())
}

#[tokio::test]
async fn objects_that_migrations_expect_exist() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    let (user, database) = ("quote_ident(current_user)", "quote_ident(current_database())");
    let path = format!(
        "select s.setconfig[1] from pg_db_role_setting s
         where setrole = {user}::regrole
             and setdatabase = (select oid from pg_database where quote_ident(datname) = {database})"
    );
    let answer: String = value(owner, Box::leak(path.into_boxed_str())).await;
    assert_eq!(answer, r#"search_path="$user", public, extensions"#);
    script(
        owner,
        "set local search_path = public, extensions;
         create table things (id uuid default uuid_generate_v4(), hash text default crypt('x', gen_salt('bf', 4)));
         alter table things owner to postgres;
         alter publication supabase_realtime add table things;
         alter default privileges for role postgres in schema public grant select on tables to dashboard_user;
         create policy mine on realtime.messages for select using (realtime.topic() = 'mine');
         select realtime.send('{}', 'event', 'mine', false);
         insert into things default values",
    )
    .await;
    let messages: i64 = value(owner, "select count(*) from realtime.messages").await;
    assert_eq!(messages, 1);
}

#[tokio::test]
async fn send_stores_permitted_messages_and_prunes_old_ones() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    script(
        owner,
        "insert into realtime.messages (topic, extension, inserted_at)
         values ('old', 'broadcast', now() - interval '5 days');
         create policy people_write on realtime.messages for insert to authenticated
             with check (topic <> 'closed');
         set local role authenticated;
         select realtime.send('{}', 'event', 'open', true);
         select realtime.send('{}', 'event', 'closed', true)",
    )
    .await;
    let topics: Vec<String> = value(owner, "select array_agg(topic) from realtime.messages").await;
    assert_eq!(topics, ["open"]);
}

/// Drops schemas as the official CLI's `db reset` does, which keeps those of `supabase_admin`.
const CLEAR: &str = "
do $$
declare
    gone name;
begin
    for gone in
        select nspname from pg_namespace
        where nspname !~ '^(pg_|information_schema$|public$)' and nspowner::regrole::text <> 'supabase_admin'
    loop
        execute format('drop schema %I cascade', gone);
    end loop;
end
$$";

#[tokio::test]
async fn clearing_a_project_keeps_service_schemas() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    script(
        owner,
        "create schema auth; create table auth.users (id int); create schema storage; create schema net;
         create schema mine; create table mine.things (id int)",
    )
    .await;
    for _ in 0..2 {
        own_schemas(owner).await.unwrap();
    }
    script(owner, CLEAR).await;
    let left = "select array_agg(nspname::text order by nspname) from pg_namespace
        where nspname !~ '^(pg_|information_schema$|public$)'";
    let services = ["auth", "extensions", "graphql_public", "net", "realtime", "storage"];
    assert_eq!(value::<Vec<String>>(owner, left).await, services);
    script(owner, "insert into auth.users values (1); create table auth.others (id int)").await;
}

#[tokio::test]
async fn http_functions_exist_and_raise_when_called() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    let file = ProjectFile {
        path: "migrations/1_calls.sql".to_owned(),
        text: "create extension if not exists http with schema extensions;
            create extension if not exists \"http\" with schema \"extensions\";
            comment on extension http is 'calls';
            create function public.call() returns text language plpgsql as $$
            begin
                perform status from http_get('http://example.org');
                return 'called';
            exception
                when feature_not_supported then return sqlerrm;
            end $$;
            create function public.send() returns int language sql as $$
                select (extensions.http((
                    'POST', 'http://example.org', array[extensions.http_header('a', 'b')], 'text/plain', ''
                )::extensions.http_request)).status
            $$;"
        .to_owned(),
    };
    let mut ledger = ProjectLedger::open(owner, Vec::new()).await.unwrap();
    let applied = ledger.apply(&file).await.unwrap();
    ledger.close().await.unwrap();
    assert_eq!(applied.lacking, ["http"]);
    let answer: String = value(owner, "select public.call()").await;
    assert_eq!(answer, "there is no extension \"http\" here: SQL cannot wait for an answer");
}

#[tokio::test]
async fn schema_changes_are_written_down_or_taken_back() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let file = |path: &str, text: &str| ProjectFile { path: path.into(), text: text.into() };
    let migration = file("migrations/1_notes.sql", "create table public.notes (id int)");
    let mut ledger = ProjectLedger::open(owner, Vec::new()).await.unwrap();
    ledger.apply(&migration).await.unwrap();
    assert_eq!(ledger.declared().await.unwrap(), None);

    let declared = [file("schemas/b.sql", "select 1;"), file("schemas/a.sql", "select 2;")];
    let difference = [file("difference.sql", "alter table public.notes add text text;")];
    ledger.apply_change(&difference, SchemaChange::Declared(&declared)).await.unwrap();
    assert_eq!(ledger.declared().await.unwrap().as_deref(), Some(&declared[..]));

    let refusal = [file("difference.sql", "drop table public.notes;\nselect nothing();")];
    let error = ledger.apply_change(&refusal, SchemaChange::Declared(&[])).await.unwrap_err();
    assert!(matches!(error, PgError::Migration { line: Some(2), .. }), "{error}");
    assert_eq!(ledger.declared().await.unwrap().as_deref(), Some(&declared[..]));
    let count: i64 = value(owner, "select count(text) from public.notes").await;
    assert_eq!(count, 0, "the table is there");

    let edited = [file("migrations/1_notes.sql", "create table public.notes (id int, text text)")];
    ledger.apply_change(&[], SchemaChange::Migrations(&edited)).await.unwrap();
    let files = ledger.files().await.unwrap();
    ledger.close().await.unwrap();
    assert_eq!(files, [file("migrations/1_notes.sql", &format!("{};\n", edited[0].text))]);
}
