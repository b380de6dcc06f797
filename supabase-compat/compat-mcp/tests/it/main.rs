//! Tests of the tools' statements. `tests/client/mcp.test.mjs` tests their answers with the
//! published client over both transports.

use compat_testkit::{TestDatabase, every_statement_prepares};

const LEDGER: &str = "create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text primary key, name text);";

#[tokio::test]
async fn statements_of_tools_prepare() {
    let db = TestDatabase::filled(&[], &[LEDGER]).await;
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
}
