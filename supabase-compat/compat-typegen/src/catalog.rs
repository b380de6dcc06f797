//! The catalogue of a database, read on a connection of the caller's.

mod keys;
mod relations;
mod routines;

use std::time::Duration;

use compat_pg::{OwnerDb, PgError};
use sqlx::PgConnection;

use crate::model::{Metadata, Schema, Types};
use crate::order::{Collation, sort};

/// Schemas nobody wants types of, unless they are named.
const SYSTEM_SCHEMAS: [&str; 3] = ["information_schema", "pg_catalog", "pg_toast"];

/// Which schemas types are written of.
#[derive(Debug, Clone, Default)]
pub struct SchemaFilter {
    included: Vec<String>,
    excluded: Vec<String>,
}

impl SchemaFilter {
    /// The schemas named by `included`; where it names none, all but those of `excluded` and the
    /// system's.
    pub fn new(included: Vec<String>, mut excluded: Vec<String>) -> Self {
        excluded.extend(SYSTEM_SCHEMAS.map(str::to_owned));
        Self { included, excluded }
    }
}

/// Reads what types are written of. Each statement may take `patience`; zero sets no limit. The login's
/// search path decides which types are written with their schema, as it does for the original.
///
/// # Errors
/// What the database says.
pub async fn introspect_database(
    owner: &OwnerDb,
    filter: &SchemaFilter,
    patience: Duration,
) -> Result<Metadata, PgError> {
    // Zero would be no limit.
    let milliseconds = if patience.is_zero() { 0 } else { patience.as_millis().max(1) };
    let mut work = owner.begin().await?;
    // What the login of programs may not see is not written, as it would not be by the original, which
    // comes in as that login.
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

/// The same on a connection of the caller's.
///
/// # Errors
/// What the database says.
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
