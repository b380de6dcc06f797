//! Checks that a queue's table, which a crate's own migration creates, has the form that
//! [`compat_pg::Queue`] needs.

use compat_pg::{Owner, QUEUE_TABLE};
use sqlx::AssertSqlSafe;

/// Columns, constraints, indexes and row security of a table, without its name.
const SHAPE: &str = "
    select string_agg(line, E'\\n' order by line)
    from (
        select 'column ' || attnum || ' ' || attname || ' ' || format_type(atttypid, atttypmod)
            || case when attnotnull then ' not null' else '' end || attidentity::text
            || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as line
        from pg_attribute
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = $1::regclass and attnum > 0 and not attisdropped
        union all
        select 'constraint ' || pg_get_constraintdef(oid)
        from pg_constraint
        where conrelid = $1::regclass and contype <> 'n'
        union all
        select 'index' || substring(pg_get_indexdef(indexrelid) from ' USING .*')
        from pg_index
        where indrelid = $1::regclass
        union all
        select 'row security ' || relrowsecurity from pg_class where oid = $1::regclass
    ) as lines";

/// Compares `table`, with its schema's name, with the text of [`QUEUE_TABLE`].
///
/// # Panics
/// When they differ.
pub async fn queue_table_is_right(db: &crate::TestDatabase, table: &str) {
    let mut work = db.pools().owner.begin().await.expect("the database answers");
    let script = QUEUE_TABLE.replace("{table}", "queue_reference.jobs");
    let script = format!("create schema queue_reference; {script}");
    sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut *work).await.expect("the text is SQL");
    let expected = shape(&mut work, "queue_reference.jobs").await;
    assert_eq!(shape(&mut work, table).await, expected, "{table} is not as QUEUE_TABLE says");
    work.rollback().await.expect("the database answers");
}

async fn shape(work: &mut Owner, table: &str) -> String {
    let shape = sqlx::query_scalar(SHAPE).bind(table).fetch_one(&mut **work).await;
    shape.unwrap_or_else(|error| panic!("{table}: {error}"))
}
