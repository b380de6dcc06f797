//! A database of one's own.

use compat_pg::SchemaSource;
use compat_testkit::TestDatabase;
use include_dir::{Dir, include_dir};

static SQL: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/fixture/sql");

pub const FIXTURE: SchemaSource = SchemaSource { schema: "public", dir: &SQL };

async fn insert(db: &TestDatabase) {
    let mut work = db.pools().owner.begin().await.unwrap();
    sqlx::query("insert into public.things values (1, 'x')").execute(&mut *work).await.unwrap();
    work.commit().await.unwrap();
}

#[tokio::test]
async fn tests_side_by_side_do_not_see_each_other() {
    let (one, other) = tokio::join!(TestDatabase::new(&[FIXTURE]), TestDatabase::new(&[FIXTURE]));
    assert_ne!(one.name(), other.name());
    insert(&one).await;
    insert(&other).await;
}

#[tokio::test]
async fn database_is_gone_with_its_test_also_when_it_is_in_use() {
    let observer = TestDatabase::empty().await;
    let db = TestDatabase::new(&[FIXTURE]).await;
    let name = db.name().to_owned();
    let pools = db.pools().clone();
    let held = pools.owner.begin().await.unwrap();
    let exists = async || {
        let mut work = observer.pools().owner.begin().await.unwrap();
        sqlx::query_scalar::<_, bool>("select exists (select from pg_database where datname = $1)")
            .bind(&name)
            .fetch_one(&mut *work)
            .await
            .unwrap()
    };
    assert!(exists().await);
    drop(db);
    assert!(!exists().await);
    drop(held);
}
