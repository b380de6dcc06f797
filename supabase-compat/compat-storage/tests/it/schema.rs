//! The schema, as policies, triggers and migrations written for the original expect it.

use compat_storage::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares};

use crate::world::World;

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    let unknown = every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
    // `upsert` always returns a bucket and a name, although their columns may be null.
    let expected = ["store/object.rs: 1", "sweep/rows.rs: 1"];
    assert_eq!(unknown, expected, "statements with an unknown row type");
}

#[tokio::test]
async fn every_table_has_row_security_and_no_policy() {
    let world = World::new().await;
    let open = world
        .text(
            "select string_agg(relname, ' ') from pg_class
            where relnamespace = 'storage'::regnamespace and relkind = 'r' and not relrowsecurity",
        )
        .await;
    assert_eq!(open, "");
    assert_eq!(
        world.text("select count(*) from pg_policies where schemaname = 'storage'").await,
        "0"
    );
}

#[tokio::test]
async fn the_parts_of_a_name_are_the_originals() {
    let world = World::new().await;
    for (question, answer) in [
        ("storage.foldername('a/b/c.tar.gz')", "{a,b}"),
        ("storage.foldername('c.png')", "{}"),
        ("(storage.foldername('a/b'))[1]", "a"),
        ("storage.filename('a/b/c.tar.gz')", "c.tar.gz"),
        ("storage.extension('a/b/c.tar.gz')", "gz"),
        ("storage.get_common_prefix('a/b/c', 'a/', '/')", "a/b/"),
        ("storage.get_common_prefix('a/b', 'a/', '/')", ""),
        ("storage.behind('a/')", "a0"),
    ] {
        assert_eq!(world.text(question).await, answer, "{question}");
    }
}

#[tokio::test]
async fn rows_are_not_deleted_behind_the_services_back() {
    let world = World::furnished().await;
    world
        .sql(
            "do $$ begin
                delete from storage.buckets;
                raise exception 'deleted';
            exception when insufficient_privilege then null; end $$",
        )
        .await;
    assert_eq!(world.text("select count(*) from storage.buckets").await, "2");
}
