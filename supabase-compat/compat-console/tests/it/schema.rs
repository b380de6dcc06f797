//! The database itself.

use compat_console::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares};

use crate::world::World;

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
}

#[tokio::test]
async fn api_roles_and_the_writer_see_nothing_of_the_consoles_schema() {
    let world = World::new().await;
    for role in ["anon", "authenticated", "service_role", "console_writer"] {
        let question = format!(
            "select (has_schema_privilege('{role}', '_console', 'usage')
                or has_table_privilege('{role}', '_console.operators', 'select'))::text"
        );
        assert_eq!(world.text(&question).await.as_deref(), Some("false"), "{role}");
    }
    let owner = world.owner().await;
    let answer = owner.query("select * from _console.operators").await;
    assert_eq!(answer.json()["error"]["sqlstate"], "42501", "{}", answer.text());
}

#[tokio::test]
async fn passwords_and_factors_lie_sealed_in_the_database() {
    let world = World::new().await;
    world.owner().await;
    let stored = world.text("select encode(password_hash, 'escape') from _console.operators").await;
    assert!(!stored.unwrap().contains("argon2"));
}
