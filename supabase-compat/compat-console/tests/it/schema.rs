//! The console's schema.

use compat_console::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares};

use crate::world::World;

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
}

#[tokio::test]
async fn api_roles_see_nothing_of_the_consoles_schema() {
    let world = World::new().await;
    for role in ["anon", "authenticated", "service_role"] {
        let question = format!(
            "select (has_schema_privilege('{role}', '_console', 'usage')
                or has_table_privilege('{role}', '_console.operators', 'select')
                or has_table_privilege('{role}', '_console.passkeys', 'select')
                or has_table_privilege('{role}', '_console.ceremonies', 'select'))::text"
        );
        assert_eq!(world.text(&question).await.as_deref(), Some("false"), "{role}");
    }
}

#[tokio::test]
async fn operator_statements_cannot_change_console_tables() {
    let world = World::new().await;
    let owner = world.owner().await;
    for text in [
        "update _console.operators set role = 'owner'",
        "delete from _console.operators",
        "with gone as (delete from _console.audit_log returning 1) select * from gone",
        "insert into _console.setup_links values ('x', 'owner', false, now())",
        "insert into _console.sessions select 'x', id, now(), now(), now() from _console.operators",
        "truncate _console.audit_log",
        "update _console.passkeys set operator_id = operator_id",
        "insert into _console.passkeys select id, id, 'x', 'localhost', 'x', 'x', 0, false, false, now(), null
            from _console.operators",
        "delete from _console.ceremonies",
        "alter table _console.operators disable trigger all",
        "set session_replication_role = replica",
        "drop trigger refuse_others on _console.operators",
        "create or replace function _console.refuse_others() returns trigger language plpgsql as 'begin return null; end'",
    ] {
        let answer = owner.query(text).await;
        assert_eq!(answer.json()["error"]["sqlstate"], "42501", "{text}: {}", answer.text());
    }
    assert_eq!(owner.get("/session").await.status, 200);
}

#[tokio::test]
async fn passwords_and_factors_lie_sealed_in_the_database() {
    let world = World::new().await;
    world.owner().await;
    let stored = world.text("select encode(password_hash, 'escape') from _console.operators").await;
    assert!(!stored.unwrap().contains("argon2"));
}
