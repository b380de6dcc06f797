//! Every fixed statement of this crate is one PostgreSQL understands.

use crate::world::World;

#[tokio::test]
async fn every_statement_prepares() {
    let world = World::new().await;
    compat_testkit::every_statement_prepares(env!("CARGO_MANIFEST_DIR"), world.db()).await;
}
