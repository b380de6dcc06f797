//! Transactions of several statements that run as a caller.

use compat_pg::{Acting, Identity, Isolation, PgError, TransactionOptions};
use compat_testkit::TestDatabase;

use super::{ADA, BOB, READ, count_notes, notes, person};
use crate::world::{acting, identity, script, statement, text, value};

const PLAIN: TransactionOptions<'static> =
    TransactionOptions { isolation: Isolation::Default, before: None };

async fn query_text(work: &mut Acting<'_>, sql: &str) -> Result<String, PgError> {
    work.run(statement(sql, &[])).await.map(|rows| text(&rows))
}

/// The table of notes, with a policy that people insert only notes of their own.
async fn guarded_notes() -> TestDatabase {
    let db = notes().await;
    let guard = "drop policy \"anyone writes\" on public.notes;
        create policy \"people write their own notes\" on public.notes for insert with check
          (owner = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid)";
    script(&db.pools().owner, guard).await;
    db
}

const WRITE: &str = "insert into public.notes (id, owner, body) values ($1, $2, 'new')";
const OF_ADA: &str = "00000000-0000-4000-8000-00000000000a";

#[tokio::test]
async fn transaction_statements_share_caller_and_commit_together() {
    let db = guarded_notes().await;
    for prepared_statements in [true, false] {
        let acting = acting(&db, |config| config.prepared_statements = prepared_statements);
        let before = count_notes(&db).await;
        let (first, second) = (10 * before, 10 * before + 1);
        let caller = Identity { path: "/object/x", ..person(ADA) };
        let mut work = acting.begin(&PLAIN, &caller);
        for id in [first, second] {
            work.run(statement(WRITE, &[Some(&id.to_string()), Some(OF_ADA)])).await.unwrap();
            assert_eq!(count_notes(&db).await, before, "nobody else sees it yet");
        }
        let current_caller = "select current_user || ' ' || current_setting('request.path')";
        assert_eq!(query_text(&mut work, current_caller).await.unwrap(), "authenticated /object/x");
        assert!(query_text(&mut work, READ).await.unwrap().starts_with("of ada, new, new"));
        work.commit().await.unwrap();
        assert_eq!(count_notes(&db).await, before + 2);
        let left = "select current_user || coalesce(current_setting('request.path', true), '')";
        assert_eq!(text(&acting.query_raw(left, &[]).await.unwrap()), "authenticator");
        assert_eq!(acting.status().open, 1);
    }
}

#[tokio::test]
async fn rolled_back_write_tests_the_permission() {
    let db = guarded_notes().await;
    let acting = acting(&db, |_| {});
    for (caller, may) in [(ADA, true), (BOB, false), (ADA, true)] {
        let caller = person(caller);
        let mut work = acting.begin(&PLAIN, &caller);
        let outcome = work.run(statement(WRITE, &[Some("9"), Some(OF_ADA)])).await;
        work.rollback().await.unwrap();
        assert_eq!(outcome.as_ref().err().and_then(PgError::code), (!may).then_some("42501"));
        assert_eq!(count_notes(&db).await, 2);
    }
    assert_eq!(acting.status().open, 1, "the connection was kept");
}

#[tokio::test]
async fn dropped_transaction_is_rolled_back_before_connection_reuse() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let session = "select pg_backend_pid()::text";
    let before = text(&acting.query_raw(session, &[]).await.unwrap());
    for _ in 0..3 {
        let caller = person(ADA);
        let mut work = acting.begin(&PLAIN, &caller);
        work.run(statement(WRITE, &[Some("9"), Some(OF_ADA)])).await.unwrap();
        drop(work);
        assert_eq!(text(&acting.run(&person(BOB), statement(READ, &[])).await.unwrap()), "of bob");
        assert_eq!(count_notes(&db).await, 2);
        assert_eq!(text(&acting.query_raw(session, &[]).await.unwrap()), before);
    }
}

#[tokio::test]
async fn abandoned_statement_ends_the_transaction() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let caller = person(ADA);
    let mut work = acting.begin(&PLAIN, &caller);
    work.run(statement(WRITE, &[Some("9"), Some(OF_ADA)])).await.unwrap();
    let endless = work.run(statement("select pg_sleep(3600)", &[]));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(20), endless).await.is_err());
    assert!(matches!(query_text(&mut work, READ).await, Err(PgError::Protocol(_))));
    assert!(matches!(work.commit().await, Err(PgError::Protocol(_))));
    assert_eq!(text(&acting.run(&person(BOB), statement(READ, &[])).await.unwrap()), "of bob");
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn failed_statement_aborts_its_transaction() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let caller = person(ADA);
    for fails_first in [true, false] {
        let mut work = acting.begin(&PLAIN, &caller);
        if !fails_first {
            work.run(statement(WRITE, &[Some("9"), Some(OF_ADA)])).await.unwrap();
        }
        assert_eq!(
            query_text(&mut work, "select (1/0)::text").await.unwrap_err().code(),
            Some("22012")
        );
        assert_eq!(query_text(&mut work, READ).await.unwrap_err().code(), Some("25P02"));
        assert_eq!(work.commit().await.unwrap_err().code(), Some("25P02"));
        assert_eq!(count_notes(&db).await, 2);
    }
    let mut work = acting.begin(&PLAIN, &caller);
    assert_eq!(query_text(&mut work, READ).await.unwrap(), "of ada");
    work.commit().await.unwrap();
}

#[tokio::test]
async fn statement_after_sql_commit_or_rollback_is_refused() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let caller = person(ADA);
    for end in ["commit", "rollback"] {
        let mut work = acting.begin(&PLAIN, &caller);
        query_text(&mut work, READ).await.unwrap();
        work.run(statement(end, &[])).await.unwrap();
        let refusal = query_text(&mut work, "select current_user::text").await.unwrap_err();
        assert!(matches!(refusal, PgError::Protocol(_)), "{refusal}");
        assert!(matches!(work.commit().await, Err(PgError::Protocol(_))));
    }
}

#[tokio::test]
async fn role_one_may_not_take_begins_nothing() {
    let db = notes().await;
    script(&db.pools().owner, "grant insert on public.notes to public").await;
    let acting = acting(&db, |_| {});
    for role in ["none", "nobody_at_all", "postgres", ""] {
        let caller = identity(role);
        let mut work = acting.begin(&PLAIN, &caller);
        for _ in 0..2 {
            let refusal = work.run(statement(WRITE, &[Some("9"), None])).await.unwrap_err();
            assert!(matches!(refusal.code(), Some("22023" | "42501" | "25P02")), "{refusal}");
        }
        drop(work);
        assert_eq!(count_notes(&db).await, 2);
    }
}

#[tokio::test]
async fn deferred_constraint_refuses_the_commit() {
    let db = notes().await;
    let deferred = "alter table public.notes add constraint late unique (body)
        deferrable initially deferred";
    script(&db.pools().owner, deferred).await;
    let acting = acting(&db, |_| {});
    let caller = identity("anon");
    let mut work = acting.begin(&PLAIN, &caller);
    let insert = "insert into public.notes values (9, null, 'of ada')";
    work.run(statement(insert, &[])).await.unwrap();
    assert_eq!(work.commit().await.unwrap_err().constraint(), Some("late"));
    assert_eq!(count_notes(&db).await, 2);
}

#[tokio::test]
async fn manner_is_that_of_the_whole_transaction() {
    let db = notes().await;
    let procedure = "create function public.closed() returns void language plpgsql as $$
        begin
          if current_setting('request.path') = '/closed' then
            raise sqlstate 'PT403' using message = 'closed';
          end if;
          perform set_config('app.checked', current_user, true);
        end $$";
    script(&db.pools().owner, procedure).await;
    let options = TransactionOptions {
        isolation: Isolation::Serializable,
        before: Some("select public.closed()"),
    };
    let acting = acting(&db, |_| {});
    let caller = Identity { read_only: true, ..identity("anon") };
    let mut work = acting.begin(&options, &caller);
    query_text(&mut work, "select 'x'").await.unwrap();
    let query = "select current_setting('transaction_isolation')
        || ' ' || current_setting('app.checked')";
    assert_eq!(query_text(&mut work, query).await.unwrap(), "serializable anon");
    let refusal = work.run(statement(WRITE, &[Some("9"), None])).await.unwrap_err();
    assert_eq!(refusal.code(), Some("25006"));
    drop(work);
    let caller = Identity { path: "/closed", ..identity("anon") };
    let mut work = acting.begin(&options, &caller);
    assert_eq!(query_text(&mut work, "select 'x'").await.unwrap_err().message(), Some("closed"));
}

#[tokio::test]
async fn changed_table_costs_a_first_statement_nothing() {
    let db = TestDatabase::empty().await;
    let table = "create table public.shapes (a text); grant select on public.shapes to anon;
        insert into public.shapes values ('one')";
    script(&db.pools().owner, table).await;
    let acting = acting(&db, |_| {});
    let read = statement("select * from public.shapes", &[]);
    let caller = identity("anon");
    for columns in [1, 2] {
        let mut work = acting.begin(&PLAIN, &caller);
        assert_eq!(work.run(read).await.unwrap()[0].len(), columns);
        work.commit().await.unwrap();
        script(&db.pools().owner, "alter table public.shapes add column if not exists b text")
            .await;
    }
}

#[tokio::test]
async fn lost_connection_fails_only_the_open_transaction() {
    let db = notes().await;
    let acting = acting(&db, |_| {});
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    let backends = "select count(*) from pg_stat_activity
        where datname = current_database() and usename = 'authenticator'";
    let caller = person(ADA);
    acting.run(&caller, statement(READ, &[])).await.unwrap();
    script(&db.pools().owner, end).await;
    while value::<i64>(&db.pools().owner, backends).await > 0 {}
    let mut work = acting.begin(&PLAIN, &caller);
    work.run(statement(WRITE, &[Some("9"), Some(OF_ADA)])).await.unwrap();
    script(&db.pools().owner, end).await;
    let error = query_text(&mut work, READ).await.unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    assert!(work.commit().await.is_err());
    assert_eq!(count_notes(&db).await, 2);
    assert_eq!(text(&acting.run(&caller, statement(READ, &[])).await.unwrap()), "of ada");
}
