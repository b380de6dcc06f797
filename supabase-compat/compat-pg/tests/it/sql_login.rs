//! SQL text from outside: its limits, and that a read-only login cannot write.

use std::time::Duration;

use compat_pg::{
    PgError, SessionDb, SessionError, SessionLimits, SessionRules, SqlError, SqlLimits, SqlLogin,
    ensure_reader,
};
use compat_testkit::TestDatabase;
use serde_json::json;

use crate::world::{script, value};

const LIMITS: SqlLimits = SqlLimits { time: Duration::from_secs(20), rows: 3, bytes: 64 * 1024 };

const CONNECTIONS: SessionLimits = SessionLimits {
    connections: 2,
    acquire_timeout: Duration::from_secs(10),
    max_idle: Duration::ZERO,
};

const SCHEMA: &str = "create table things (id int primary key, name text);
    insert into things values (1, 'one');
    create sequence counter;
    create function touch() returns int language sql security definer
        as 'insert into public.things values (99, ''touched'') returning id';
    grant execute on function touch() to public;";

struct World {
    db: TestDatabase,
    reader: SqlLogin,
    writer: SqlLogin,
}

impl World {
    async fn new() -> Self {
        let db = TestDatabase::empty().await;
        let owner = &db.pools().owner;
        script(owner, SCHEMA).await;
        ensure_reader(owner).await.unwrap();
        script(
            owner,
            "do $$ begin create role sql_writer login; exception when duplicate_object or unique_violation then null; end $$;
             grant all on schema public to sql_writer; grant all on all tables in schema public to sql_writer;
             grant create on database \"NAME\" to sql_writer;"
                .replace("NAME", db.name())
                .as_str(),
        )
        .await;
        let sessions = SessionDb::new(&db.url_as("sql_writer"), CONNECTIONS).unwrap();
        let reader = sessions.with_login(&db.url_as("supabase_read_only_user")).unwrap();
        let (reader, writer) = (SqlLogin::new(reader), SqlLogin::new(sessions));
        Self { db, reader, writer }
    }

    async fn names(&self) -> String {
        value(&self.db.pools().owner, "select string_agg(name, ',' order by id) from things").await
    }
}

#[tokio::test]
async fn last_statement_returns_its_rows_as_json() {
    let world = World::new().await;
    let text = "select 1 as first; select id, name, array[id] as list, null as nothing from things";
    let result = world.reader.read(text, LIMITS).await.unwrap();
    let rows: Vec<_> = result.rows.into_iter().map(serde_json::Value::Object).collect();
    assert_eq!(rows, [json!({"id": 1, "name": "one", "list": [1], "nothing": null})]);
    let many = world.reader.read("select generate_series(1, 1000000)", LIMITS).await.unwrap();
    assert_eq!((many.rows.len(), many.is_cut), (3, true));
    let settings = world.reader.read("explain select 1; show server_version", LIMITS).await;
    assert!(settings.is_ok(), "{settings:?}");
}

#[tokio::test]
async fn nothing_is_changed_by_who_may_only_read() {
    let world = World::new().await;
    for text in [
        "insert into things values (2, 'two')",
        "select touch()",
        "commit; insert into things values (2, 'two')",
        "commit; drop table things",
        "commit and chain; insert into things values (2, 'two')",
        "commit and chain; set transaction read write; select touch()",
        "rollback; begin; select touch(); commit",
        "end; select touch()",
        "abort; select touch()",
        "/* */ commit /* */; select touch()",
        "prepare transaction 'x'",
        "set transaction read write; select touch()",
        "set transaction_read_only = off; select touch()",
        "select set_config('transaction_read_only', 'off', false), touch()",
        "select set_config('transaction_read_only', 'off', true); select touch()",
        "savepoint a; set transaction read write; select touch()",
        "savepoint a; rollback to a; set transaction read write; select touch()",
        "do $$ begin insert into things values (2, 'two'); end $$",
        "do $$ begin commit; perform touch(); end $$",
        "do $$ begin set transaction read write; perform touch(); end $$",
        "do $$ begin perform set_config('transaction_read_only', 'off', true); perform touch(); end $$",
        "do $$ begin execute 'commit'; perform touch(); end $$",
        "select nextval('counter')",
        "create table more (id int)",
        "copy things to '/tmp/things'",
        "copy things to program 'cat'",
        "copy things from stdin",
        "copy things to stdout",
        "set role postgres; select touch()",
        "set session authorization postgres; select touch()",
        "reset session authorization; select touch()",
        "lock table things in access exclusive mode",
        "select * from things for update",
        "explain analyze insert into things values (2, 'two')",
        "with new as (insert into things values (2, 'two') returning *) select * from new",
        "alter system set work_mem = '1MB'",
        "vacuum things",
        "select pg_read_file('/etc/passwd')",
        "select lo_import('/etc/passwd')",
        "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user",
        "prepare go as insert into things values (2, 'two'); execute go",
        "declare c cursor with hold for select touch(); fetch all from c",
        "",
        "-- nothing",
        "select 1 where \u{0} = 1",
    ] {
        let result = world.reader.read(text, LIMITS).await;
        assert!(result.is_err(), "{text}: {result:?}");
        assert_eq!(world.names().await, "one", "{text}");
    }
    for text in [
        // Harmless statements work and leave no state.
        "set default_transaction_read_only = off; select 1",
        "set session characteristics as transaction read write; select 1",
        "begin; select 1",
        "savepoint a; select 1; rollback to a; select 1",
        "select pg_notify('pgrst', 'reload schema')",
    ] {
        let result = world.reader.read(text, LIMITS).await;
        assert!(result.is_ok(), "{text}: {result:?}");
    }
    assert_eq!(world.names().await, "one");
}

#[tokio::test]
async fn read_refuses_writes_by_a_writable_login() {
    let world = World::new().await;
    for text in [
        "insert into things values (2, 'two')",
        "commit and chain; insert into things values (2, 'two')",
        "set transaction read write; insert into things values (2, 'two')",
        "do $$ begin perform set_config('transaction_read_only', 'off', true); insert into things values (2, 'two'); end $$",
        "savepoint a; release a; set transaction read write; select touch()",
    ] {
        let result = world.writer.read(text, LIMITS).await;
        assert!(result.is_err(), "{text}: {result:?}");
        assert_eq!(world.names().await, "one", "{text}");
    }
}

#[tokio::test]
async fn endless_statement_is_terminated_at_the_server() {
    let world = World::new().await;
    let limits = SqlLimits { time: Duration::from_millis(500), ..LIMITS };
    let endless = "set statement_timeout = 0; do $$ begin
        loop
            begin perform pg_sleep(60); exception when query_canceled then null; end;
        end loop;
    end $$";
    let result = world.reader.read(endless, limits).await;
    assert!(matches!(result, Err(SqlError::TooLong(_))), "{result:?}");
    let running = "select count(*) from pg_stat_activity where datname = current_database() \
        and usename = 'supabase_read_only_user'";
    loop {
        let mut connection = world.db.pools().owner.connection().await.unwrap();
        let count: i64 = sqlx::query_scalar(running).fetch_one(&mut *connection).await.unwrap();
        if count == 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn result_that_is_too_large_is_not_read() {
    let world = World::new().await;
    for text in
        ["select repeat('x', 100000000)", "select repeat('x', 60000) from generate_series(1, 3)"]
    {
        let result = world.reader.read(text, LIMITS).await;
        assert!(matches!(result, Err(SqlError::TooLarge(_))), "{text}");
    }
}

#[tokio::test]
async fn writing_is_all_or_nothing() {
    let world = World::new().await;
    let text = "insert into things values (2, 'two'); insert into things values (2, 'again')";
    let result = world.writer.write(text, LIMITS).await;
    assert!(matches!(result, Err(SqlError::Refused(_))), "{result:?}");
    assert_eq!(world.names().await, "one");
    let result =
        world.writer.write("insert into things values (2, 'two') returning name", LIMITS).await;
    assert_eq!(result.unwrap().rows[0]["name"], "two");
    assert_eq!(world.names().await, "one,two");
}

#[tokio::test]
async fn migration_and_its_entry_are_applied_atomically() {
    let world = World::new().await;
    let migrate = async |version: &str, text: &str| {
        world.writer.migrate((version, "na'me"), text, LIMITS).await
    };
    migrate("1", "create table a (id int); insert into a values (1);").await.unwrap();
    let known: String = value(
        &world.db.pools().owner,
        "select format('%s %s %s', version, name, statements) from supabase_migrations.schema_migrations",
    )
    .await;
    assert_eq!(known, r#"1 na'me {"create table a (id int)","insert into a values (1)"}"#);
    for (version, text) in [
        ("2", "create table b (id int); select broken"),
        ("3", "create table b (id int); commit"),
        ("1", "create table b (id int)"),
    ] {
        assert!(migrate(version, text).await.is_err(), "{text}");
        let count = "select count(*)::text from pg_class where relname = 'b'";
        let count: String = value(&world.db.pools().owner, count).await;
        assert_eq!(count, "0", "{text}");
    }
}

#[tokio::test]
async fn superuser_login_is_refused() {
    let world = World::new().await;
    let login = SqlLogin::new(SessionDb::new(&world.db.owner_url(), CONNECTIONS).unwrap());
    for result in [login.read("select 1", LIMITS).await, login.write("select 1", LIMITS).await] {
        assert!(matches!(result, Err(SqlError::Superuser(_))), "{result:?}");
    }
}

#[tokio::test]
async fn two_logins_share_their_connections() {
    let world = World::new().await;
    let acquire_timeout = Duration::from_secs(1);
    let limits = SessionLimits { connections: 1, acquire_timeout, ..CONNECTIONS };
    let writer = SessionDb::new(&world.db.url_as("sql_writer"), limits).unwrap();
    let reader = writer.with_login(&world.db.url_as("supabase_read_only_user")).unwrap();
    let rules = SessionRules {
        application: "test".to_owned(),
        time: Duration::from_secs(20),
        bytes: 64 * 1024,
    };
    let held = writer.open(&rules).await.unwrap();
    let refusal = reader.open(&rules).await;
    assert!(matches!(refusal, Err(SessionError::Database(PgError::PoolTimeout))), "{refusal:?}");
    drop(held);
    // The permit is only released after the connection has ended.
    while reader.open(&rules).await.is_err() {}
}
