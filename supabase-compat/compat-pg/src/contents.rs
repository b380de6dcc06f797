//! Counts the tables and rows of a database.

use crate::{OwnerDb, PgError};

/// Counts of tables and rows, without PostgreSQL's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseContents {
    /// Tables that hold rows; a partitioned table counts as its partitions.
    pub tables: i64,
    /// Rows in all of these tables.
    pub rows: i64,
}

/// Counts every row by reading it, which also finds damaged tables.
///
/// # Errors
/// A table cannot be read.
pub async fn count_contents(owner: &OwnerDb) -> Result<DatabaseContents, PgError> {
    let mut work = owner.begin().await?;
    sqlx::query(
        "create function pg_temp.count_contents(out tables_found bigint, out rows_found bigint)
        language plpgsql
        as $$
        declare
            one text;
            found bigint;
        begin
            tables_found := 0;
            rows_found := 0;
            for one in
                select pg_catalog.format('%I.%I', n.nspname, c.relname)
                from pg_catalog.pg_class as c
                join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
                where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
            loop
                execute 'select count(*) from ' || one into found;
                tables_found := tables_found + 1;
                rows_found := rows_found + found;
            end loop;
        end
        $$",
    )
    .execute(&mut *work)
    .await?;
    let (tables, rows) =
        sqlx::query_as("select tables_found, rows_found from pg_temp.count_contents()")
            .fetch_one(&mut *work)
            .await?;
    work.rollback().await?;
    Ok(DatabaseContents { tables, rows })
}

/// The size of the database on the server's disk, in bytes.
///
/// # Errors
/// The query fails.
pub async fn database_size(owner: &OwnerDb) -> Result<u64, PgError> {
    let size: i64 =
        sqlx::query_scalar("select pg_catalog.pg_database_size(pg_catalog.current_database())")
            .fetch_one(owner.pool())
            .await?;
    Ok(u64::try_from(size).unwrap_or_default())
}
