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
async fn concurrent_tests_have_separate_databases() {
    let (one, other) = tokio::join!(TestDatabase::new(&[FIXTURE]), TestDatabase::new(&[FIXTURE]));
    assert_ne!(one.name(), other.name());
    insert(&one).await;
    insert(&other).await;
}

#[tokio::test]
async fn database_in_use_is_dropped_with_its_test() {
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

/// Told by when it was written, so that a second run would be seen.
const ROW: &str = "insert into public.things values (7, clock_timestamp()::text)";

async fn rows_of(db: &TestDatabase) -> Vec<String> {
    let mut work = db.pools().owner.begin().await.unwrap();
    let question = "select name from public.things where id = 7";
    sqlx::query_scalar(question).fetch_all(&mut *work).await.unwrap()
}

#[tokio::test]
async fn databases_with_equal_scripts_share_one_fill() {
    let scripts = [ROW, "vacuum analyze"];
    let (first, second) = tokio::join!(
        TestDatabase::filled(&[FIXTURE], &scripts),
        TestDatabase::filled(&[FIXTURE], &scripts)
    );
    let third = TestDatabase::filled(&[FIXTURE], &scripts).await;
    let rows = [rows_of(&first).await, rows_of(&second).await, rows_of(&third).await];
    assert!(rows.iter().all(|rows| rows.len() == 1), "{rows:?}");
    // A full hour may have passed between two of them.
    assert!(rows[0] == rows[1] || rows[1] == rows[2], "{rows:?}");
    insert(&first).await;
    insert(&second).await;
}

#[tokio::test]
async fn other_scripts_fill_a_database_of_their_own() {
    let db = TestDatabase::filled(&[FIXTURE], &["truncate public.things"]).await;
    assert_eq!(rows_of(&db).await, Vec::<String>::new());
    assert_eq!(rows_of(&TestDatabase::new(&[FIXTURE]).await).await, Vec::<String>::new());
}
