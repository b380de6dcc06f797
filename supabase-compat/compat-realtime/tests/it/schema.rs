//! The database itself.

use compat_realtime::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares};

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
}
