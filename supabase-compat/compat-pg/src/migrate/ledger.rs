//! A schema's memory of what was applied to it.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::PgError;

/// Table of the applied steps, in sqlx's own layout.
pub(super) const STEPS: &str = "compat_migrations";
/// Table of the standing files and the text they had.
pub(super) const STANDING: &str = "compat_standing";

/// The schema's name, quoted.
pub(super) fn quoted(schema: &str) -> String {
    format!("\"{}\"", schema.replace('"', "\"\""))
}

/// Makes the schema and its ledger. The ledger refuses everyone but its owner, also where default
/// privileges would open a new table.
pub(super) async fn prepare(
    session: &mut PgConnection,
    schema: &'static str,
) -> Result<(), PgError> {
    let exists: bool = sqlx::query_scalar(
        "select exists (select from pg_catalog.pg_class c \
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
         where n.nspname = $1 and c.relname = $2)",
    )
    .bind(schema)
    .bind(STANDING)
    .fetch_one(&mut *session)
    .await?;
    if !exists {
        create(session, schema).await?;
    }
    Ok(())
}

async fn create(session: &mut PgConnection, schema: &'static str) -> Result<(), PgError> {
    let known: bool = sqlx::query_scalar(
        "select exists (select from pg_catalog.pg_namespace where nspname = $1)",
    )
    .bind(schema)
    .fetch_one(&mut *session)
    .await?;
    let name = quoted(schema);
    // `if not exists` would still ask for the right to create schemas, which an owner of one
    // schema need not have.
    let schema_text = if known { String::new() } else { format!("create schema {name};") };
    let text = format!(
        "begin; {schema_text}
         create table if not exists {name}.{STEPS} (
           version bigint primary key,
           description text not null,
           installed_on timestamptz not null default now(),
           success boolean not null,
           checksum bytea not null,
           execution_time bigint not null
         );
         create table if not exists {name}.{STANDING} (
           file text primary key,
           checksum bytea not null,
           applied_on timestamptz not null default now()
         );
         alter table {name}.{STEPS} enable row level security;
         alter table {name}.{STANDING} enable row level security;
         revoke all on {name}.{STEPS}, {name}.{STANDING} from public, anon, authenticated, service_role;
         commit"
    );
    sqlx::raw_sql(AssertSqlSafe(text)).execute(session).await?;
    Ok(())
}
