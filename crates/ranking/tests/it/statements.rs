//! PostgreSQL can prepare every fixed statement of this crate.

use crate::world::World;

#[tokio::test]
async fn every_statement_prepares_and_fits_its_rows() {
    let world = World::new().await;
    let folder = env!("CARGO_MANIFEST_DIR");
    let unknown = compat_testkit::every_statement_prepares(folder, world.db()).await;
    assert!(
        unknown.is_empty(),
        "rows are read into types that the source does not say: {unknown:?}"
    );
}
