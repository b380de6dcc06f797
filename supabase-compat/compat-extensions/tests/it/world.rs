//! Helpers for these tests: a database with all schemas, and queries on it.

use std::time::Duration;

use compat_extensions::ALL;
use compat_pg::{PgError, SchemaSource};
use compat_testkit::TestDatabase;
use sqlx::{AssertSqlSafe, Executor as _};
use tokio::time::{sleep, timeout};

pub async fn database() -> TestDatabase {
    let sources: Vec<SchemaSource> = ALL.iter().map(|one| one.source).collect();
    TestDatabase::new(&sources).await
}

/// Runs a script as the owner.
pub async fn run(db: &TestDatabase, script: &str) -> Result<(), PgError> {
    let mut owner = db.pools().owner.begin().await?;
    (&mut *owner).execute(AssertSqlSafe(script.to_owned())).await?;
    owner.commit().await
}

/// The result of a query as text; empty if it is null.
pub async fn text_of(db: &TestDatabase, question: &str) -> String {
    let text = AssertSqlSafe(format!("select ({question})::text"));
    let mut owner = db.pools().owner.connection().await.unwrap();
    let answer: Option<String> = sqlx::query_scalar(text).fetch_one(&mut *owner).await.unwrap();
    answer.unwrap_or_default()
}

/// Waits until a query returns the expected text.
pub async fn until(db: &TestDatabase, question: &str, expected: &str) {
    let query = async {
        while text_of(db, question).await != expected {
            sleep(Duration::from_millis(20)).await;
        }
    };
    if timeout(Duration::from_secs(20), query).await.is_err() {
        panic!("{question}: {}, not {expected}", text_of(db, question).await);
    }
}

/// The error message of a script that the server refuses.
pub async fn refusal(db: &TestDatabase, script: &str) -> String {
    run(db, script).await.expect_err(script).to_string()
}
