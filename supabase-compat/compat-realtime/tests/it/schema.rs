//! The database schema.

use compat_pg::{migrate, prepare_project};
use compat_realtime::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares};

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
}

#[tokio::test]
async fn prepared_project_keeps_policies_and_messages() {
    let db = TestDatabase::empty().await;
    let owner = &db.pools().owner;
    prepare_project(owner).await.unwrap();
    let mut connection = owner.connection().await.unwrap();
    let script = "
        create policy mine on realtime.messages as restrictive for select to authenticated, anon
        using (realtime.topic() = 'mine');
        create policy written on realtime.messages for insert with check (topic <> 'closed');
        select realtime.send('{}', 'event', 'mine', false);
        insert into realtime.messages (topic, extension, inserted_at)
        values ('old', 'broadcast', now() - interval '5 days')";
    sqlx::raw_sql(script).execute(&mut *connection).await.unwrap();
    migrate(owner, &[SCHEMA]).await.unwrap();
    migrate(owner, &[SCHEMA]).await.unwrap();
    let policies: Vec<String> = sqlx::query_scalar(
        "select concat_ws(' ', policyname, permissive, roles, cmd, qual, with_check) from pg_policies
         where schemaname = 'realtime' and tablename = 'messages' order by policyname",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    let expected = [
        "mine RESTRICTIVE {anon,authenticated} SELECT (realtime.topic() = 'mine'::text)",
        "written PERMISSIVE {public} INSERT (topic <> 'closed'::text)",
    ];
    assert_eq!(policies, expected);
    let facts: (String, Vec<String>, bool) = sqlx::query_as(
        "select
            (select relkind::text from pg_class where oid = 'realtime.messages'::regclass),
            (select array_agg(topic) from realtime.messages),
            to_regclass('realtime.messages_before') is null",
    )
    .fetch_one(&mut *connection)
    .await
    .unwrap();
    assert_eq!(facts, ("p".to_owned(), vec!["mine".to_owned()], true));
}

#[tokio::test]
async fn functions_of_filters_judge_as_filters_do() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    let mut connection = db.pools().owner.connection().await.unwrap();
    let verdicts: Vec<Option<bool>> = sqlx::query_scalar(
        "select realtime.is_visible_through_filters(
            array[
                ('id', 'int8', 'int8'::regtype::oid, '5', true, true)::realtime.wal_column,
                ('body', 'text', 'text'::regtype::oid, '\"hello\"', false, true)::realtime.wal_column
            ],
            array[(f.name, f.op, f.value, f.negate)::realtime.user_defined_filter]
        )
        from (
            values
                ('id', 'gt'::realtime.equality_op, '4', false), ('id', 'in', '{1,5}', true),
                ('body', 'ilike', 'HE%', false), ('missing', 'eq', '1', false)
        ) as f (name, op, value, negate)",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert_eq!(verdicts, [Some(true), Some(false), Some(true), Some(false)]);
}
