//! Reads the catalogue of a database.

mod keys;
mod relations;
mod routines;

use std::time::Duration;

use compat_pg::{OwnerDb, PgError};
use sqlx::PgConnection;

use crate::model::{Metadata, Schema, Types};
use crate::order::{Collation, sort};

/// Schemas for which types are generated only if they are named.
const SYSTEM_SCHEMAS: [&str; 3] = ["information_schema", "pg_catalog", "pg_toast"];

/// The schemas for which types are generated.
#[derive(Debug, Clone, Default)]
pub struct SchemaFilter {
    included: Vec<String>,
    excluded: Vec<String>,
}

impl SchemaFilter {
    /// Selects the schemas of `included` or, if it is empty, all but those of `excluded` and the
    /// system schemas.
    pub fn new(included: Vec<String>, mut excluded: Vec<String>) -> Self {
        excluded.extend(SYSTEM_SCHEMAS.map(str::to_owned));
        Self { included, excluded }
    }
}

/// Reads the catalogue for the generators. `query_timeout` limits each statement; zero sets no
/// limit.
/// The search path of the login decides which types are written with their schema, as in the
/// original.
///
/// # Errors
/// A query failed.
pub async fn introspect_database(
    owner: &OwnerDb,
    filter: &SchemaFilter,
    query_timeout: Duration,
) -> Result<Metadata, PgError> {
    // A timeout of 0 means no limit, so a shorter timeout is rounded up to 1 ms.
    let milliseconds = if query_timeout.is_zero() { 0 } else { query_timeout.as_millis().max(1) };
    let mut work = owner.begin().await?;
    // Reads as the role `postgres`, because the original uses that login: objects that it may not
    // see are not printed.
    sqlx::query(
        "select
           set_config('transaction_read_only', 'on', true),
           set_config('statement_timeout', $1, true),
           (
             select set_config('role', r.rolname, true)
             from pg_catalog.pg_roles as r
             where r.rolname = 'postgres' and pg_catalog.pg_has_role(r.oid, 'MEMBER')
           )",
    )
    .bind(milliseconds.to_string())
    .execute(&mut *work)
    .await?;
    let metadata = introspect(&mut work, filter).await;
    work.rollback().await?;
    metadata
}

/// Reads the catalogue on a connection of the caller.
///
/// # Errors
/// A query failed.
pub async fn introspect(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Metadata, PgError> {
    let schemas = schemas(connection, filter).await?;
    let relations = relations::read(connection, filter).await?;
    let relationships = keys::relationships(connection, filter).await?;
    let functions = routines::functions(connection, filter).await?;
    let types = routines::types(connection).await?;
    let mut metadata =
        Metadata { schemas, relations, relationships, functions, types: Types::default() };
    let collation = Collation::load(connection, &metadata, &types).await?;
    sort(&mut metadata, types, &collation);
    Ok(metadata)
}

async fn schemas(
    connection: &mut PgConnection,
    filter: &SchemaFilter,
) -> Result<Vec<Schema>, PgError> {
    let schemas: Vec<Schema> = sqlx::query_as(
        "select
           n.oid::int8 as id,
           n.nspname::text as name
         from pg_catalog.pg_namespace as n
         where (cardinality($1::text[]) = 0 or n.nspname = any ($1::text[]))
           and (cardinality($1::text[]) > 0 or n.nspname <> all ($2::text[]))
           and not pg_catalog.starts_with(n.nspname::text, 'pg_')
           and (
             pg_catalog.pg_has_role(n.nspowner, 'USAGE')
             or pg_catalog.has_schema_privilege(n.oid, 'CREATE, USAGE')
           )",
    )
    .bind(&filter.included)
    .bind(&filter.excluded)
    .fetch_all(connection)
    .await?;
    Ok(schemas)
}
