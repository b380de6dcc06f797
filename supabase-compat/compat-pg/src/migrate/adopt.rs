//! Adopts a schema that another program made: adds what our migrations would have made, and records
//! the migrations as applied.
//!
//! The migrations and repeatable files run in a temporary schema of the same name, which is
//! described and rolled back; what the description has and the adopted schema lacks is added. So
//! the migrations remain the only definition of the schema.

use sqlx::{Connection, PgConnection};

use super::ledger::Ledger;
use super::source::{SchemaSource, SqlFile};
use super::{in_schema, versioned};
use crate::PgError;

/// Renames the schema while a temporary one with our migrations takes its name.
const ASIDE: &str = "alter schema {schema} rename to compat_set_aside; create schema {schema};";

/// Adopts the schema, all of it or nothing, if it has tables, has no migrations of ours, and has a
/// source with adoption files. Returns whether it was adopted.
pub(super) async fn adopt(
    session: &mut PgConnection,
    ledger: Ledger,
    source: &SchemaSource,
) -> Result<bool, PgError> {
    let before = source.adopt()?;
    let is_begun = !ledger.versions(session).await?.is_empty();
    if before.is_empty() || is_begun || !has_tables(session, source.schema).await? {
        return Ok(false);
    }
    let mut work = session.begin().await?;
    run(&mut work, source, &before).await?;
    let described = describe(&mut work, source).await?;
    sqlx::raw_sql(include_str!("../../sql/adoption/adopt.sql")).execute(&mut *work).await?;
    sqlx::query("select pg_temp.compat_adopt($1, $2::jsonb)")
        .bind(source.schema)
        .bind(described)
        .execute(&mut *work)
        .await
        .map_err(|error| adopt_error(source.schema, error.into()))?;
    ledger.replace_versions(&mut work, &versioned::known(source)?).await?;
    work.commit().await?;
    tracing::info!(schema = source.schema, "adopted a schema that another program made");
    Ok(true)
}

async fn has_tables(session: &mut PgConnection, schema: &str) -> Result<bool, PgError> {
    let exists = sqlx::query_scalar(
        "select exists (
             select from pg_catalog.pg_class c
             join pg_catalog.pg_namespace n on n.oid = c.relnamespace
             where n.nspname = $1 and c.relkind = 'r' and c.relname not like 'compat\\_%')",
    );
    Ok(exists.bind(schema).fetch_one(session).await?)
}

/// A description of what our files make, as JSON; the objects themselves are rolled back.
async fn describe(work: &mut PgConnection, source: &SchemaSource) -> Result<String, PgError> {
    sqlx::raw_sql(include_str!("../../sql/adoption/describe.sql")).execute(&mut *work).await?;
    let mut trial = work.begin().await?;
    sqlx::raw_sql(in_schema(source.schema, ASIDE)).execute(&mut *trial).await?;
    run(&mut trial, source, &source.migrations()?).await?;
    run(&mut trial, source, &source.repeatable()?).await?;
    let described = sqlx::query_scalar("select pg_temp.compat_describe($1)::text")
        .bind(source.schema)
        .fetch_one(&mut *trial)
        .await?;
    trial.rollback().await?;
    Ok(described)
}

async fn run(
    work: &mut PgConnection,
    source: &SchemaSource,
    files: &[SqlFile],
) -> Result<(), PgError> {
    for file in files {
        sqlx::raw_sql(file.text)
            .execute(&mut *work)
            .await
            .map_err(|error| file.error_of(source.schema, error.into()))?;
    }
    Ok(())
}

fn adopt_error(schema: &'static str, error: PgError) -> PgError {
    let problem = format!(
        "it was made by another program, and cannot be adopted: {error}; nothing was changed"
    );
    PgError::Ledger { schema, problem }
}
