//! The check of fixed SQL finds what is there and refuses what is wrong.

use std::panic::AssertUnwindSafe;

use compat_testkit::{TestDatabase, every_statement_prepares};
use futures_util::FutureExt as _;

use crate::database::FIXTURE;

fn crate_named(name: &str) -> String {
    format!("{}/tests/fixture/{name}", env!("CARGO_MANIFEST_DIR"))
}

async fn refusal_of(name: &str) -> String {
    let db = TestDatabase::new(&[FIXTURE]).await;
    let name = crate_named(name);
    let check = AssertUnwindSafe(every_statement_prepares(&name, &db)).catch_unwind();
    let panic = check.await.unwrap_err();
    *panic.downcast::<String>().unwrap()
}

#[tokio::test]
async fn statements_in_every_form_are_found_and_pass() {
    let db = TestDatabase::new(&[FIXTURE]).await;
    let script = "insert into public.things values (1, 'kept')";
    let mut work = db.pools().owner.begin().await.unwrap();
    sqlx::raw_sql(script).execute(&mut *work).await.unwrap();
    work.commit().await.unwrap();
    let unknown = every_statement_prepares(&crate_named("right"), &db).await;
    assert_eq!(unknown, ["rows.rs: 1"], "the others' rows are compared");
    let mut work = db.pools().owner.begin().await.unwrap();
    let things: i64 = sqlx::query_scalar("select count(*) from public.things")
        .fetch_one(&mut *work)
        .await
        .unwrap();
    assert_eq!(things, 1, "scripts are taken back");
}

#[tokio::test]
async fn invalid_and_dynamic_statements_are_reported_with_lines() {
    let refusal = refusal_of("wrong").await;
    let file = format!("{}/src/store.rs", crate_named("wrong"));
    let expected = [
        "7 statements fail:".to_owned(),
        format!(
            "{file}:4: column \"colour\" does not exist (SQLSTATE 42703)\n    \
             select colour from public.things"
        ),
        format!("{file}:8: the statement's text is not fixed"),
        format!("{file}:12: syntax error at or near \"selct\" (SQLSTATE 42601)\n    selct 1"),
        format!(
            "{file}:16: relation \"public.thinks\" does not exist (SQLSTATE 42P01)\n    \
             delete from public.thinks where id < $1"
        ),
        format!("{file}:17: the statement's text is not fixed"),
        format!(
            "{file}:18: column \"colour\" of relation \"things\" does not exist (SQLSTATE 42703)\n    \
             update public.things set colour = 1"
        ),
        format!("{file}:23: the statement's text is not fixed"),
    ];
    assert_eq!(refusal, expected.join("\n"));
}

#[tokio::test]
async fn rows_that_mismatch_their_type_are_reported() {
    let refusal = refusal_of("misread").await;
    let file = format!("{}/src/rows.rs", crate_named("misread"));
    let expected = [
        "7 statements fail:".to_owned(),
        format!("{file}:10: column id is INT4, read as i64"),
        format!("{file}:14: there is no column name, which Item reads"),
        format!("{file}:19: 2 columns are read into 1 values"),
        format!("{file}:23: column name is TEXT, read as bool"),
        format!("{file}:27: column title may be null, read as String"),
        format!("{file}:37: column name may be null, read as String"),
        format!("{file}:41: there is no column name, which JsonItem reads"),
    ];
    assert_eq!(refusal, expected.join("\n"));
}

#[tokio::test]
async fn crate_without_any_statement_is_refused() {
    let refusal = refusal_of("empty").await;
    assert_eq!(refusal, format!("{} hands no statement to sqlx", crate_named("empty")));
}
