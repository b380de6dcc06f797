//! Budgets of the owner pool's connections.

use std::time::Duration;

use compat_pg::{OwnerConfig, OwnerDb, PgError, PoolBudget};
use compat_testkit::TestDatabase;

#[tokio::test]
async fn spent_budget_takes_nothing_from_the_others() {
    let db = TestDatabase::empty().await;
    let config = OwnerConfig { max_connections: 5, acquire_timeout: Duration::from_secs(2) };
    let owner = OwnerDb::new(&db.url_as("postgres"), &config).unwrap();
    let (work, others) = (
        owner.with_budget(PoolBudget::new("work", 4)),
        owner.with_budget(PoolBudget::new("others", 1)),
    );
    let first = work.begin().await.unwrap();
    let second = work.clone().begin().await.unwrap();
    let third = work.begin().await.map(drop).unwrap_err();
    assert!(matches!(third, PgError::PoolTimeout), "{third}");
    others.begin().await.unwrap();
    drop(first);
    let third = work.begin().await.unwrap();
    drop((second, third));
    others.begin().await.unwrap().rollback().await.unwrap();
    owner.close().await;
}
