//! A schema that another program made: brought to what our own migrations make of it, and written
//! down as if they had.
//!
//! Migrations and repeatable files run beside it, are described and taken back; what the
//! description has and the schema lacks is added. So migrations stay the one place that says what a
//! schema consists of.

use sqlx::{Connection, PgConnection};

use super::ledger::Ledger;
use super::source::{SchemaSource, SqlFile};
use super::{in_schema, versioned};
use crate::PgError;

/// What the schema is called while ours stands in its place.
const ASIDE: &str = "alter schema {schema} rename to compat_set_aside; create schema {schema};";

/// Brings the schema to its migrations, all of it or nothing, where it has tables, none of ours,
/// and a source that can be adopted. Whether it did.
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
        .map_err(|error| refused(source.schema, error.into()))?;
    ledger.replace_versions(&mut work, &versioned::known(source)?).await?;
    work.commit().await?;
    tracing::info!(schema = source.schema, "schema of another program adopted");
    Ok(true)
}

async fn has_tables(session: &mut PgConnection, schema: &str) -> Result<bool, PgError> {
    let there = sqlx::query_scalar(
        "select exists (
             select from pg_catalog.pg_class c
             join pg_catalog.pg_namespace n on n.oid = c.relnamespace
             where n.nspname = $1 and c.relkind = 'r' and c.relname not like 'compat\\_%')",
    );
    Ok(there.bind(schema).fetch_one(session).await?)
}

/// What our own files make, as JSON; nothing of it stays.
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
            .map_err(|error| file.refused(source.schema, error.into()))?;
    }
    Ok(())
}

fn refused(schema: &'static str, error: PgError) -> PgError {
    let problem = format!(
        "it was made by another program, and cannot be adopted: {error}; nothing was changed"
    );
    PgError::Ledger { schema, problem }
}
