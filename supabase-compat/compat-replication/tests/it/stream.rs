use std::time::Duration;

use compat_pg::OwnerDb;
use compat_replication::{
    Message, OldTuple, ReplicationError, ReplicationStream, StreamOptions, Value,
};
use compat_testkit::TestDatabase;
use sqlx::Executor as _;

fn options() -> StreamOptions {
    StreamOptions {
        publications: vec!["told".to_owned(), "missing".to_owned()],
        slot: format!("compat_test_{}", std::process::id()),
        largest_row: 1 << 20,
        slot_timeout: Duration::from_secs(20),
    }
}

async fn run(owner: &OwnerDb, sql: &'static str) {
    let mut connection = owner.connection().await.unwrap();
    connection.execute(sql).await.unwrap();
}

/// The next message that is a change of a row.
async fn change(stream: &mut ReplicationStream) -> Message {
    loop {
        let message = stream.next().await.unwrap();
        if matches!(
            message,
            Message::Insert(_) | Message::Update(_) | Message::Delete(_) | Message::Truncate(_)
        ) {
            return message;
        }
    }
}

fn texts(values: &[Value]) -> Vec<Option<&str>> {
    values.iter().map(Value::text).collect()
}

#[tokio::test]
async fn changes_arrive_in_the_order_of_commits() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(owner, "create table things (id int primary key, name text); create publication told for table things")
        .await;
    let mut stream = ReplicationStream::open(owner, &options()).await.unwrap();
    assert_eq!(stream.publications(), ["told"]);
    run(owner, "insert into things values (1, 'one')").await;
    run(owner, "update things set id = 2, name = null").await;
    run(owner, "delete from things").await;
    run(owner, "truncate things").await;
    let Message::Begin(_) = stream.next().await.unwrap() else { panic!("no begin") };
    let Message::Relation(relation) = stream.next().await.unwrap() else { panic!("no relation") };
    assert_eq!((&*relation.schema, &*relation.table), ("public", "things"));
    assert_eq!(relation.columns.iter().map(|c| &*c.name).collect::<Vec<_>>(), ["id", "name"]);
    let Message::Insert(insert) = change(&mut stream).await else { panic!("no insert") };
    assert_eq!(texts(&insert.new.0), [Some("1"), Some("one")]);
    let Message::Update(update) = change(&mut stream).await else { panic!("no update") };
    let Some(OldTuple::Key(old)) = update.old else { panic!("no key") };
    assert_eq!(texts(&old.0), [Some("1"), None]);
    assert_eq!(texts(&update.new.0), [Some("2"), None]);
    let Message::Delete(delete) = change(&mut stream).await else { panic!("no delete") };
    let OldTuple::Key(old) = delete.old else { panic!("no key") };
    assert_eq!(texts(&old.0), [Some("2"), None]);
    let Message::Truncate(truncate) = change(&mut stream).await else { panic!("no truncate") };
    assert_eq!(truncate.relations, [relation.id]);
}

#[tokio::test]
async fn unchanged_long_value_is_reported_as_unchanged() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(
        owner,
        "create table things (id int primary key, n int, long text);
         alter table things alter long set storage external;
         create publication told for table things;
         insert into things values (1, 1, repeat('x', 10000))",
    )
    .await;
    let mut stream = ReplicationStream::open(owner, &options()).await.unwrap();
    run(owner, "update things set n = 2").await;
    let Message::Update(update) = change(&mut stream).await else { panic!("no update") };
    assert_eq!(update.new.0[2], Value::Unchanged);
}

#[tokio::test]
async fn large_row_omits_values_beyond_the_limit() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(
        owner,
        "create table things (id int primary key, long text, last int);
         create publication told for table things",
    )
    .await;
    let options = StreamOptions { largest_row: 4096, ..options() };
    let mut stream = ReplicationStream::open(owner, &options).await.unwrap();
    run(owner, "insert into things values (1, repeat('x', 3000000), 3), (2, 'short', 4)").await;
    let Message::Insert(insert) = change(&mut stream).await else { panic!("no insert") };
    assert_eq!(insert.new.0[0].text(), Some("1"));
    assert_eq!(insert.new.0[1..], [Value::Omitted, Value::Omitted]);
    let Message::Insert(insert) = change(&mut stream).await else { panic!("no insert") };
    assert_eq!(texts(&insert.new.0), [Some("2"), Some("short"), Some("4")]);
}

#[tokio::test]
async fn slot_ends_with_its_stream() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(
        owner,
        "create table things (id int primary key); create publication told for table things",
    )
    .await;
    let stream = ReplicationStream::open(owner, &options()).await.unwrap();
    let mut connection = owner.connection().await.unwrap();
    let exists = "select exists (select from pg_replication_slots where slot_name = $1)";
    let slot = stream.slot().to_owned();
    let mut count = async || -> bool {
        sqlx::query_scalar(exists).bind(&slot).fetch_one(&mut *connection).await.unwrap()
    };
    assert!(count().await);
    drop(stream);
    while count().await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn slot_creation_timeout_removes_the_slot() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(owner, "create publication told for all tables").await;
    let mut open = owner.begin().await.unwrap();
    sqlx::query("select pg_current_xact_id()").execute(&mut *open).await.unwrap();
    let options = StreamOptions { slot_timeout: Duration::from_millis(200), ..options() };
    let error = ReplicationStream::open(owner, &options).await.unwrap_err();
    assert!(matches!(error, ReplicationError::SlotTimeout), "{error}");
    let exists = "select exists (select from pg_replication_slots where slot_name = $1)";
    let mut connection = owner.connection().await.unwrap();
    let mut is_there = true;
    // The transaction is still open.
    while is_there {
        let question = sqlx::query_scalar(exists).bind(&options.slot);
        is_there = question.fetch_one(&mut *connection).await.unwrap();
    }
    open.rollback().await.unwrap();
}

#[tokio::test]
async fn missing_publication_and_killed_connection_are_errors() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    let error = ReplicationStream::open(owner, &options()).await.unwrap_err();
    assert!(matches!(error, ReplicationError::Publication(_)), "{error}");
    run(owner, "create publication told for all tables").await;
    let mut stream = ReplicationStream::open(owner, &options()).await.unwrap();
    let mut connection = owner.connection().await.unwrap();
    let kill =
        "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1";
    sqlx::query(kill).bind(stream.slot()).execute(&mut *connection).await.unwrap();
    let error = stream.next().await.unwrap_err();
    assert!(matches!(error, ReplicationError::Database(_)), "{error}");
}

#[tokio::test]
async fn confirmed_log_is_forgotten() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    run(
        owner,
        "create table things (id int primary key); create table others (id int);
         create publication told for table things",
    )
    .await;
    let mut stream = ReplicationStream::open(owner, &options()).await.unwrap();
    let slot = stream.slot().to_owned();
    run(owner, "insert into others select generate_series(1, 10000)").await;
    let mut connection = owner.connection().await.unwrap();
    let target: String = sqlx::query_scalar("select pg_current_wal_lsn()::text")
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    let mut passed = async || -> bool {
        let question = "select confirmed_flush_lsn >= $1::pg_lsn from pg_replication_slots where slot_name = $2";
        sqlx::query_scalar(question)
            .bind(&target)
            .bind(&slot)
            .fetch_one(&mut *connection)
            .await
            .unwrap()
    };
    while !passed().await {
        tokio::select! {
            message = stream.next() => { message.unwrap(); }
            () = tokio::time::sleep(Duration::from_millis(50)) => {}
        }
    }
}
