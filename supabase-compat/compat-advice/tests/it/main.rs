//! Tests of the rules on a real database. `tests/client/mcp.test.mjs` compares them with the
//! original's linter on whole projects.

use compat_advice::{Level, Notice, RULES, advise};
use compat_testkit::TestDatabase;

/// A schema with one violation of each rule that can be violated outside the managed schemas.
const SCHEMA: &str = r#"
create schema auth;
create function auth.jwt() returns jsonb language sql set search_path = '' as 'select null::jsonb';
create table public.open (id int primary key, "password" text, "we""ird" int);
create table public.parents (id int primary key);
create table public.children (id int primary key, parent int, constraint "child's" foreign key (parent) references public.parents);
create index first on public.children (id, parent);
create index second on public.children (id, parent);
create table public.ruled (id int, owner text);
create policy everybody on public.ruled for update using (true);
create policy own on public.ruled for update using (owner = current_setting('request.jwt.claims', true));
create table public."Odd ""name" (id int);
alter table public.ruled enable row level security;
alter table public.children enable row level security;
create policy claims on public.ruled for delete using ((auth.jwt() -> 'user_metadata' ->> 'x') = 'y');
create view public.everything as select * from public.open;
create materialized view public.copied as select * from public.open;
create function public.loose() returns int language sql as 'select 1';
grant select on all tables in schema public to anon;
"#;

async fn advice(db: &TestDatabase) -> Vec<Notice> {
    advise(&db.pools().owner, &["public".to_owned()]).await.expect("advice")
}

fn of<'a>(notices: &'a [Notice], name: &str) -> Vec<&'a Notice> {
    notices.iter().filter(|notice| notice.name == name).collect()
}

#[tokio::test]
async fn each_fault_of_a_schema_is_found() {
    let db = TestDatabase::filled(&[], &[SCHEMA]).await;
    let notices = advice(&db).await;
    for (name, cache_key) in [
        ("rls_disabled_in_public", "rls_disabled_in_public_public_open"),
        ("sensitive_columns_exposed", "sensitive_columns_exposed_public_open"),
        ("unindexed_foreign_keys", "unindexed_foreign_keys_public_children_child's"),
        ("duplicate_index", "duplicate_index_public_children_{first,second}"),
        ("rls_enabled_no_policy", "rls_enabled_no_policy_public_children"),
        ("rls_policy_always_true", "rls_policy_always_true_public_ruled_everybody"),
        ("auth_rls_initplan", "auth_rls_init_plan_public_ruled_own"),
        ("rls_references_user_metadata", "rls_references_user_metadata_public_ruled_claims"),
        ("multiple_permissive_policies", "multiple_permissive_policies_public_ruled_anon_UPDATE"),
        ("no_primary_key", "no_primary_key_public_Odd \"name"),
        ("security_definer_view", "security_definer_view_public_everything"),
        ("materialized_view_in_api", "materialized_view_in_api_public_copied"),
        ("unused_index", "unused_index_public_children_first"),
    ] {
        let found = of(&notices, name);
        assert!(found.iter().any(|notice| notice.cache_key == cache_key), "{name}: {found:#?}");
    }
    assert_eq!(of(&notices, "function_search_path_mutable").len(), 1);
    let exposed = of(&notices, "sensitive_columns_exposed");
    assert_eq!(exposed[0].level, Level::Error);
    assert_eq!(exposed[0].metadata["sensitive_columns"], serde_json::json!(["password"]));
}

#[tokio::test]
async fn statements_mend_what_they_come_with() {
    let db = TestDatabase::filled(&[], &[SCHEMA]).await;
    let mends = |notice: &Notice| notice.statement.is_some() && notice.name != "unused_index";
    // One after the other, because two notices may be about one policy.
    while let Some(notice) = advice(&db).await.into_iter().find(mends) {
        let statement = notice.statement.clone().expect("a statement");
        let mut work = db.pools().owner.begin().await.expect("a transaction");
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.clone()))
            .execute(&mut *work)
            .await
            .unwrap_or_else(|error| panic!("{statement}: {error}"));
        work.commit().await.expect("a commit");
        let left = advice(&db).await;
        let is_left = |one: &Notice| one.name == notice.name && one.cache_key == notice.cache_key;
        assert!(!left.iter().any(is_left), "{statement}");
    }
}

#[tokio::test]
async fn empty_database_needs_no_advice() {
    let db = TestDatabase::empty().await;
    assert_eq!(advice(&db).await, []);
    assert_eq!(RULES.len(), 23);
}
